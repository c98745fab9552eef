// The webhooks page: the signing secret, and recent deliveries with their attempts.
import type { Hono } from 'hono';
import { clientAddress } from '../api/clientAddress.ts';
import { newWebhookSecret } from '../auth/accounts.ts';
import { audited } from '../auth/auditLog.ts';
import type { ServiceContext } from '../context.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../storage/tables.ts';
import { pageLinks, pageNumber } from './accountPages.ts';
import { type Html, html } from './html.ts';
import { tokenField } from './pageLayout.ts';
import { forAccount, forAccountForm, limitForm, type PageContext, sendPage, timeHtml } from './pageRequests.ts';

const perPage = 15;

export function mountWebhookPages(app: Hono, context: ServiceContext): void {
  app.get(
    '/webhooks',
    forAccount(context, (pageContext) => webhooksPage(context, pageContext)),
  );
  app.get(
    '/webhooks/rotate',
    forAccount(context, async (pageContext) => rotatePage(pageContext)),
  );
  app.post(
    '/webhooks/rotate',
    limitForm,
    forAccountForm(context, async ({ c, account }) => {
      const address = clientAddress(c, context.settings);
      await audited(
        context,
        (session) =>
          session
            .updateTable('accounts')
            .set({ webhook_secret: newWebhookSecret() })
            .where('id', '=', account.id)
            .execute(),
        () => ({ accountId: account.id, actor: 'user', address, action: 'webhook_secret_replaced' }),
      );
      return c.redirect('/webhooks', 303);
    }),
  );
}

async function webhooksPage(context: ServiceContext, { c, account, formToken }: PageContext): Promise<Response> {
  const page = pageNumber(c.req.query('page'));
  const deliveries = await deliveriesPage(context, account.id, page);
  const secret = account.webhook_secret;
  const content = html`<div class="head"><h1>Webhooks</h1></div>
<p class="muted">A render with a <code class="nowrap">--callback-url</code> sends a webhook to that address when it ends. Delivery is retried for up to a day until the response status is 2xx.</p>
<section class="card"><h2>Signing secret</h2>
<p class="muted">Use it to verify that a webhook comes from this service, as described by Standard Webhooks.</p>
<details><summary>Show the secret</summary><div class="secret"><code>${secret}</code><button class="quiet" data-copy="${secret}" hidden>Copy</button></div></details>
<p><a href="/webhooks/rotate">Replace the secret</a></p></section>
<section class="card"><h2>Deliveries</h2>${deliveryList(deliveries.slice(0, perPage))}${pageLinks('/webhooks', { page, hasMore: deliveries.length > perPage })}</section>`;
  const frame = {
    title: 'Webhooks',
    content,
    account: { email: account.email, formToken },
    current: 'webhooks',
  } as const;
  return sendPage(c, frame);
}

type Delivery = WebhookDeliveryRow & { attemptRows: WebhookAttemptRow[] };

/** Newest first. One more than fits on a page, to know whether there is another page. */
async function deliveriesPage({ database }: ServiceContext, accountId: string, page: number): Promise<Delivery[]> {
  const deliveries = await database
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(perPage + 1)
    .offset((page - 1) * perPage)
    .execute();
  if (deliveries.length === 0) return [];
  const attempts = await database
    .selectFrom('webhook_attempts')
    .selectAll()
    .where(
      'delivery_id',
      'in',
      deliveries.map(({ id }) => id),
    )
    .orderBy('at', 'desc')
    .execute();
  return deliveries.map((delivery) => ({
    ...delivery,
    attemptRows: attempts.filter(({ delivery_id }) => delivery_id === delivery.id),
  }));
}

const stateNames = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const;

function deliveryList(deliveries: readonly Delivery[]): Html {
  if (deliveries.length === 0)
    return html`<p class="muted">None yet. To get one, run <code>framework cloud render --callback-url https://…</code></p>`;
  return html`<table class="stack"><thead><tr><th>Date</th><th>Event</th><th>URL</th><th>Status</th></tr></thead>
<tbody>${deliveries.map(
    (delivery) =>
      html`<tr><td>${timeHtml(delivery.created_at)}</td><td><a href="/renders/${delivery.render_id}">${delivery.type}</a></td><td><code>${delivery.url}</code>${attemptList(delivery)}</td><td><span class="badge ${delivery.status}">${stateNames[delivery.status]}</span></td></tr>`,
  )}</tbody></table>`;
}

function attemptList({ attemptRows: attempts, next_attempt_at: next, status }: Delivery): Html {
  const [last] = attempts;
  const result = last === undefined ? 'not attempted yet' : outcome(last);
  return html`<details><summary class="meta">${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}, ${result}</summary>
<ul>${attempts.map((one) => html`<li class="meta">${timeHtml(one.at)}: ${outcome(one)} (${one.duration_ms} ms)</li>`)}</ul>
${status === 'pending' && next !== null && html`<p class="meta">Next: ${timeHtml(next)}</p>`}</details>`;
}

function outcome({ status_code, error }: WebhookAttemptRow): string {
  return status_code === null ? (error ?? 'no response') : `status ${status_code}`;
}

function rotatePage({ c, account, formToken }: PageContext): Response {
  const content = html`<section class="card"><h1>Replace the signing secret?</h1>
<p>New webhooks will be signed with a new secret. Receivers reject them until you update the secret there.</p>
<form method="post" action="/webhooks/rotate">${tokenField(formToken)}
<div class="actions"><button class="danger">Replace secret</button><a class="button quiet" href="/webhooks">Cancel</a></div></form></section>`;
  const frame = {
    title: 'Replace signing secret',
    content,
    account: { email: account.email, formToken },
    small: true,
  };
  return sendPage(c, { ...frame, current: 'webhooks' });
}
