// API keys on the web pages: made, shown once, listed and revoked.
import type { Hono } from 'hono';
import { type ApiKeyInfo, createApiKey, listApiKeys, revokeApiKey } from './apiKeys.ts';
import type { ServiceContext } from './context.ts';
import { type Html, html } from './html.ts';
import { tokenField } from './pageLayout.ts';
import {
  forAccount,
  forAccountForm,
  limitForm,
  notFound,
  sendError,
  sendPage,
  timeHtml,
  type Visit,
} from './pageRequests.ts';
import { inputField, type Problem, problemList, titleOf } from './signInPages.ts';

const keysAtOnce = 50;

export function mountKeyPages(app: Hono, context: ServiceContext): void {
  app.get(
    '/keys',
    forAccount(context, (visit) => keysPage(context, visit, {})),
  );
  app.post(
    '/keys',
    limitForm,
    forAccountForm(context, async (visit, { name = '' }) => {
      const keys = await validKeys(context, visit.account.id);
      const problem = nameProblem(name.trim(), keys.length);
      if (problem !== undefined)
        return keysPage(context, visit, { name, problems: [{ field: 'name', text: problem }] });
      const { key } = await createApiKey(
        context.database,
        { accountId: visit.account.id, name: name.trim() },
        context.now(),
      );
      return keysPage(context, visit, { made: key });
    }),
  );
  app.get(
    '/keys/:id/revoke',
    forAccount(context, async (visit) => {
      const keys = await validKeys(context, visit.account.id);
      const key = keys.find(({ id }) => id === visit.c.req.param('id'));
      return key === undefined ? sendError(visit.c, 404, notFound) : revokePage(visit, key);
    }),
  );
  app.post(
    '/keys/:id/revoke',
    limitForm,
    forAccountForm(context, async ({ c, account }) => {
      const id = c.req.param('id') ?? '';
      const isRevoked =
        /^key_[\w-]+$/.test(id) && (await revokeApiKey(context.database, account.id, id, context.now()));
      return isRevoked ? c.redirect('/keys', 303) : sendError(c, 404, notFound);
    }),
  );
}

async function validKeys({ database }: ServiceContext, accountId: string): Promise<ApiKeyInfo[]> {
  return (await listApiKeys(database, accountId)).filter(({ revoked_at }) => revoked_at === null);
}

function nameProblem(name: string, count: number): string | undefined {
  if (name === '') return 'Enter what the key is for, such as “Nightly build”';
  if (name.length > 100) return 'Enter a name of at most 100 characters';
  return count >= keysAtOnce ? `Revoke a key first: there can be ${keysAtOnce}` : undefined;
}

async function keysPage(
  context: ServiceContext,
  visit: Visit,
  { made, name, problems }: { made?: string; name?: string; problems?: Problem[] },
): Promise<Response> {
  const keys = await validKeys(context, visit.account.id);
  const content = html`<div class="head"><h1>API keys</h1></div>
<p class="muted">For programs that run without you, such as a build at night: <code>SERVICE_API_KEY</code>, or the header <code class="whole">x-api-key</code>. Whoever has a key can use your credits.</p>
${made !== undefined && madeKey(made)}
<section class="card">${problemList(problems)}
<form method="post" action="/keys">${tokenField(visit.formToken)}
${inputField({ name: 'name', label: 'What is the new key for?', value: name ?? '', attributes: 'autocomplete="off" maxlength="100"' }, problems)}
<div><button>Create key</button></div></form></section>
${keys.length > 0 ? keyTable(keys) : html`<p class="muted">There are no keys yet.</p>`}`;
  const { email } = visit.account;
  const title = titleOf('API keys', problems);
  const frame = { title, content, account: { email, formToken: visit.formToken }, current: 'keys' } as const;
  return sendPage(visit.c, frame, problems === undefined ? 200 : 422);
}

function madeKey(key: string): Html {
  return html`<section class="note good" role="status"><h2>Your new key</h2>
<p>Copy it now: it is not shown again.</p>
<div class="secret"><code>${key}</code><button class="quiet" data-copy="${key}" hidden>Copy</button></div></section>`;
}

function keyTable(keys: readonly ApiKeyInfo[]): Html {
  return html`<section class="card"><table class="stack"><thead><tr><th>Name</th><th>Key</th><th>Created</th><th>Last used</th><th><span class="unseen">Revoke</span></th></tr></thead>
<tbody>${keys.map(
    ({ id, name, prefix, created_at, last_used_at }) =>
      html`<tr><td><strong>${name}</strong></td><td data-name="Key"><code>${prefix}…</code></td><td data-name="Created">${timeHtml(created_at)}</td><td data-name="Last used">${last_used_at === null ? 'Never' : timeHtml(last_used_at)}</td><td class="end"><a href="/keys/${id}/revoke">Revoke<span class="unseen"> ${name}</span></a></td></tr>`,
  )}</tbody></table></section>`;
}

function revokePage({ c, account, formToken }: Visit, { id, name, prefix }: ApiKeyInfo): Response {
  const content = html`<section class="card"><h1>Revoke “${name}”?</h1>
<p>Programs that use <code>${prefix}…</code> are refused from now on. This cannot be undone.</p>
<form method="post" action="/keys/${id}/revoke">${tokenField(formToken)}
<div class="actions"><button class="danger">Revoke key</button><a class="button quiet" href="/keys">Keep it</a></div></form></section>`;
  const frame = { title: 'Revoke a key', content, account: { email: account.email, formToken }, small: true };
  return sendPage(c, { ...frame, current: 'keys' });
}
