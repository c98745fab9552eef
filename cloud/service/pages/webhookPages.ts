// Webhooks on the web pages: the secret that they are signed with, and what was delivered to whom.
import type { Hono } from 'hono';
import { pageLinks } from './accountPages.ts';
import { newWebhookSecret } from './accounts.ts';
import type { ServiceContext } from './context.ts';
import { type Html, html } from './html.ts';
import { tokenField } from './pageLayout.ts';
import { forAccount, forAccountForm, limitForm, sendPage, timeHtml, type Visit } from './pageRequests.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from './tables.ts';

const perPage = 15;

export function mountWebhookPages(app: Hono, context: ServiceContext): void {
  app.get(
    '/webhooks',
    forAccount(context, (visit) => webhooksPage(context, visit)),
  );
  app.get(
    '/webhooks/rotate',
    forAccount(context, async (visit) => rotatePage(visit)),
  );
  app.post(
    '/webhooks/rotate',
    limitForm,
    forAccountForm(context, async ({ c, account }) => {
      await context.database
        .updateTable('accounts')
        .set({ webhook_secret: newWebhookSecret() })
        .where('id', '=', account.id)
        .execute();
      return c.redirect('/webhooks', 303);
    }),
  );
}

async function webhooksPage(context: ServiceContext, { c, account, formToken }: Visit): Promise<Response> {
  const page = Math.min(10_000, Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1));
  const deliveries = await deliveriesPage(context, account.id, page);
  const secret = account.webhook_secret;
  const content = html`<div class="head"><h1>Webhooks</h1></div>
<p class="muted">A render that was ordered with <code class="whole">--callback-url</code> tells that address when it ends. It is tried again for a day until there is an answer of 2xx.</p>
<section class="card"><h2>Signing secret</h2>
<p class="muted">Check with it that a webhook comes from this service, as Standard Webhooks describes.</p>
<details><summary>Show the secret</summary><div class="secret"><code>${secret}</code><button class="quiet" data-copy="${secret}" hidden>Copy</button></div></details>
<p><a href="/webhooks/rotate">Replace the secret</a></p></section>
<section class="card"><h2>Deliveries</h2>${deliveryList(deliveries.slice(0, perPage))}${pageLinks('/webhooks', page, deliveries.length > perPage)}</section>`;
  const frame = {
    title: 'Webhooks',
    content,
    account: { email: account.email, formToken },
    current: 'webhooks',
  } as const;
  return sendPage(c, frame);
}

type Delivery = WebhookDeliveryRow & { tries: WebhookAttemptRow[] };

/** Newest first, one more than fits on a page. */
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
  const tries = await database
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
    tries: tries.filter(({ delivery_id }) => delivery_id === delivery.id),
  }));
}

const stateNames = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const;

function deliveryList(deliveries: readonly Delivery[]): Html {
  if (deliveries.length === 0)
    return html`<p class="muted">None yet. <code>framework cloud render --callback-url https://…</code> asks for one.</p>`;
  return html`<table class="stack"><thead><tr><th>When</th><th>Event</th><th>Address</th><th>State</th></tr></thead>
<tbody>${deliveries.map(
    (delivery) =>
      html`<tr><td>${timeHtml(delivery.created_at)}</td><td><a href="/renders/${delivery.render_id}">${delivery.type}</a></td><td><code>${delivery.url}</code>${triesOf(delivery)}</td><td><span class="badge ${delivery.status}">${stateNames[delivery.status]}</span></td></tr>`,
  )}</tbody></table>`;
}

function triesOf({ tries, next_attempt_at: next, status }: Delivery): Html {
  const [last] = tries;
  const said = last === undefined ? 'not tried yet' : outcome(last);
  return html`<details><summary class="meta">${tries.length} ${tries.length === 1 ? 'attempt' : 'attempts'}, ${said}</summary>
<ul>${tries.map((one) => html`<li class="meta">${timeHtml(one.at)}: ${outcome(one)} (${one.duration_ms} ms)</li>`)}</ul>
${status === 'pending' && next !== null && html`<p class="meta">Next: ${timeHtml(next)}</p>`}</details>`;
}

function outcome({ status_code, error }: WebhookAttemptRow): string {
  return status_code === null ? (error ?? 'no answer') : `status ${status_code}`;
}

function rotatePage({ c, account, formToken }: Visit): Response {
  const content = html`<section class="card"><h1>Replace the signing secret?</h1>
<p>From now on webhooks are signed with a new one. Receivers that check the old one refuse them until you change it there.</p>
<form method="post" action="/webhooks/rotate">${tokenField(formToken)}
<div class="actions"><button class="danger">Replace it</button><a class="button quiet" href="/webhooks">Keep it</a></div></form></section>`;
  const frame = {
    title: 'Replace the signing secret',
    content,
    account: { email: account.email, formToken },
    small: true,
  };
  return sendPage(c, { ...frame, current: 'webhooks' });
}
