// The API keys page: create, list and revoke keys. A new key is shown once.
import type { Hono } from 'hono';
import { clientAddress } from '../api/clientAddress.ts';
import { type ApiKeyInfo, createApiKey, listApiKeys, revokeApiKey } from '../auth/apiKeys.ts';
import { audited } from '../auth/auditLog.ts';
import type { ServiceContext } from '../context.ts';
import { type Html, html } from './html.ts';
import { tokenField } from './pageLayout.ts';
import {
  forAccount,
  forAccountForm,
  limitForm,
  notFound,
  type PageContext,
  sendError,
  sendPage,
  timeHtml,
} from './pageRequests.ts';
import { inputField, type Problem, problemList, titleOf } from './signInPages.ts';

const maxKeys = 50;

export function mountKeyPages(app: Hono, context: ServiceContext): void {
  app.get(
    '/keys',
    forAccount(context, (pageContext) => keysPage(context, pageContext, {})),
  );
  app.post(
    '/keys',
    limitForm,
    forAccountForm(context, async (pageContext, { name = '' }) => {
      const keys = await validKeys(context, pageContext.account.id);
      const problem = nameProblem(name.trim(), keys.length);
      if (problem !== undefined)
        return keysPage(context, pageContext, { name, problems: [{ field: 'name', text: problem }] });
      const accountId = pageContext.account.id;
      const address = clientAddress(pageContext.c, context.settings);
      const { key } = await audited(
        context,
        (session) => createApiKey(session, { accountId, name: name.trim() }, context.now()),
        ({ info }) => ({ accountId, actor: 'user', address, action: 'key_created', detail: info.name }),
      );
      return keysPage(context, pageContext, { newKey: key });
    }),
  );
  app.get(
    '/keys/:id/revoke',
    forAccount(context, async (pageContext) => {
      const keys = await validKeys(context, pageContext.account.id);
      const key = keys.find(({ id }) => id === pageContext.c.req.param('id'));
      return key === undefined ? sendError(pageContext.c, 404, notFound) : revokePage(pageContext, key);
    }),
  );
  app.post(
    '/keys/:id/revoke',
    limitForm,
    forAccountForm(context, async ({ c, account }) => {
      const id = c.req.param('id') ?? '';
      const address = clientAddress(c, context.settings);
      const revoked = await audited(
        context,
        async (session) => (/^key_[\w-]+$/.test(id) ? revokeApiKey(session, account.id, id, context.now()) : undefined),
        (name) =>
          name === undefined
            ? undefined
            : { accountId: account.id, actor: 'user', address, action: 'key_revoked', detail: name },
      );
      return revoked !== undefined ? c.redirect('/keys', 303) : sendError(c, 404, notFound);
    }),
  );
}

async function validKeys({ database }: ServiceContext, accountId: string): Promise<ApiKeyInfo[]> {
  return (await listApiKeys(database, accountId)).filter(({ revoked_at }) => revoked_at === null);
}

function nameProblem(name: string, count: number): string | undefined {
  if (name === '') return 'Enter a name for the key, such as “Nightly build”';
  if (name.length > 100) return 'Enter a name of at most 100 characters';
  return count >= maxKeys ? `Revoke a key first: an account can have at most ${maxKeys}` : undefined;
}

async function keysPage(
  context: ServiceContext,
  pageContext: PageContext,
  { newKey, name, problems }: { newKey?: string; name?: string; problems?: Problem[] },
): Promise<Response> {
  const keys = await validKeys(context, pageContext.account.id);
  const content = html`<div class="head"><h1>API keys</h1></div>
<p class="muted">For programs that run unattended, such as a nightly build. Set a key as <code>SERVICE_API_KEY</code> or send it in the <code class="nowrap">x-api-key</code> header. Anyone with a key can use your credits.</p>
${newKey !== undefined && newKeyNotice(newKey)}
<section class="card">${problemList(problems)}
<form method="post" action="/keys">${tokenField(pageContext.formToken)}
${inputField({ name: 'name', label: 'Name of the new key', value: name ?? '', attributes: 'autocomplete="off" maxlength="100"' }, problems)}
<div><button>Create key</button></div></form></section>
${keys.length > 0 ? keyTable(keys) : html`<p class="muted">No API keys yet.</p>`}`;
  const { email } = pageContext.account;
  const title = titleOf('API keys', problems);
  const frame = { title, content, account: { email, formToken: pageContext.formToken }, current: 'keys' } as const;
  return sendPage(pageContext.c, frame, problems === undefined ? 200 : 422);
}

function newKeyNotice(key: string): Html {
  return html`<section class="note good" role="status"><h2>Your new key</h2>
<p>Copy it now. It will not be shown again.</p>
<div class="secret"><code>${key}</code><button class="quiet" data-copy="${key}" hidden>Copy</button></div></section>`;
}

function keyTable(keys: readonly ApiKeyInfo[]): Html {
  return html`<section class="card"><table class="stack"><thead><tr><th>Name</th><th>Key</th><th>Created</th><th>Last used</th><th><span class="visually-hidden">Revoke</span></th></tr></thead>
<tbody>${keys.map(
    ({ id, name, prefix, created_at, last_used_at }) =>
      html`<tr><td><strong>${name}</strong></td><td data-name="Key"><code>${prefix}…</code></td><td data-name="Created">${timeHtml(created_at)}</td><td data-name="Last used">${last_used_at === null ? 'Never' : timeHtml(last_used_at)}</td><td class="end"><a href="/keys/${id}/revoke">Revoke<span class="visually-hidden"> ${name}</span></a></td></tr>`,
  )}</tbody></table></section>`;
}

function revokePage({ c, account, formToken }: PageContext, { id, name, prefix }: ApiKeyInfo): Response {
  const content = html`<section class="card"><h1>Revoke “${name}”?</h1>
<p>Programs that use <code>${prefix}…</code> will be rejected immediately. This cannot be undone.</p>
<form method="post" action="/keys/${id}/revoke">${tokenField(formToken)}
<div class="actions"><button class="danger">Revoke key</button><a class="button quiet" href="/keys">Cancel</a></div></form></section>`;
  const frame = { title: 'Revoke API key', content, account: { email: account.email, formToken }, small: true };
  return sendPage(c, { ...frame, current: 'keys' });
}
