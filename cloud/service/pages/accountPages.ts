// The account page: profile, credits and ledger, signed-in programs, and password.
import type { Hono } from 'hono';
import type { AdapterPayload } from 'oidc-provider';
import { balanceOf, setPassword, verifyPassword } from '../auth/accounts.ts';
import { revokeAllApiKeys } from '../auth/apiKeys.ts';
import { createThrottle } from '../auth/loginThrottle.ts';
import { oauthLifetimes } from '../auth/oauthProvider.ts';
import { passwordLength } from '../auth/passwordRules.ts';
import { beginSession } from '../auth/webSessions.ts';
import type { ServiceContext } from '../context.ts';
import type { LedgerRow } from '../storage/tables.ts';
import { type Html, html, trustedHtml } from './html.ts';
import { tokenField } from './pageLayout.ts';
import { forAccount, forAccountForm, limitForm, type PageContext, sendPage, timeHtml } from './pageRequests.ts';
import { inputField, type Problem, passwordProblems, problemList, titleOf, waitText } from './signInPages.ts';

const perPage = 15;

export function mountAccountPages(app: Hono, context: ServiceContext): void {
  const throttle = createThrottle({ free: 5, firstWait: 1, maxWait: 60 }, context.now);
  app.get(
    '/account',
    forAccount(context, (pageContext) => accountPage(context, pageContext)),
  );
  app.post(
    '/account/password',
    limitForm,
    forAccountForm(context, async (pageContext, { password = '', new_password: next = '', keep_keys: keep = '' }) => {
      const { account, c } = pageContext;
      const keepsKeys = keep !== '';
      const again = (problems: Problem[], status: 422 | 429 = 422) =>
        accountPage(context, pageContext, { problems, keepsKeys, status });
      const problems = passwordProblems(next, account.email, 'new_password');
      if (problems.length > 0) return again(problems);
      const wait = throttle.begin(account.id);
      if (wait > 0) {
        c.header('Retry-After', String(wait));
        const text = `Too many attempts. Try again in ${waitText(wait)}`;
        return again([{ field: 'password', text }], 429);
      }
      if ((await verifyPassword(context.database, account.email, password)) === undefined) {
        return again([{ field: 'password', text: 'The current password is wrong' }]);
      }
      throttle.succeeded(account.id);
      await changePassword(context, account.id, next, { keepsKeys });
      await beginSession(context, c, account.id);
      return c.redirect(`/account?changed${keepsKeys ? '' : '=keys'}`, 303);
    }),
  );
  app.post(
    '/account/programs',
    limitForm,
    forAccountForm(context, async ({ c, account }, { program = '' }) => {
      // Tokens are invalid without their grant: see `accountOf`.
      await context.database
        .deleteFrom('oauth_records')
        .where('model', '=', 'Grant')
        .where('uid', '=', account.id)
        .where('id', '=', program)
        .execute();
      return c.redirect('/account', 303);
    }),
  );
}

/** Also ends all other access to the account, because someone else may know the old password. */
async function changePassword(
  { database, now }: ServiceContext,
  accountId: string,
  password: string,
  { keepsKeys }: { keepsKeys: boolean },
): Promise<void> {
  await database.transaction().execute(async (session) => {
    await setPassword(session, accountId, password);
    await session.deleteFrom('sessions').where('account_id', '=', accountId).execute();
    await session.deleteFrom('oauth_records').where('model', '=', 'Grant').where('uid', '=', accountId).execute();
    if (!keepsKeys) await revokeAllApiKeys(session, accountId, now());
  });
}

/** What the user has sent, if it was rejected. */
type PasswordForm = { problems?: Problem[]; keepsKeys: boolean; status: 200 | 422 | 429 };

async function accountPage(
  context: ServiceContext,
  pageContext: PageContext,
  { problems, keepsKeys, status }: PasswordForm = { keepsKeys: false, status: 200 },
): Promise<Response> {
  const { c, account, formToken } = pageContext;
  const page = Math.min(10_000, Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1));
  const [balance, ledger, programs] = await Promise.all([
    balanceOf(context.database, account.id),
    ledgerPage(context, account.id, page),
    signedInPrograms(context, account.id),
  ]);
  const content = html`<div class="head"><h1>Account</h1></div>
${c.req.query('changed') !== undefined && html`<p class="note good" role="status">Your password was changed. Other browsers and programs have been signed out${c.req.query('changed') === 'keys' && ', and all API keys revoked'}.</p>`}
<section class="card"><dl class="facts"><dt>E-mail address</dt><dd>${account.email}</dd>
${account.name !== null && html`<dt>Name</dt><dd>${account.name}</dd>`}
<dt>Plan</dt><dd>${account.plan}</dd><dt>Created</dt><dd>${timeHtml(account.created_at)}</dd></dl></section>
<section class="card"><div class="head"><h2>Credits</h2><p><strong>${balance}</strong> <span class="muted">left</span></p></div>
<p class="muted">One credit is one second of 1080p video; 4k costs 1.5 credits per second.</p>${ledgerTable(ledger, page)}</section>
<section class="card"><h2>Signed-in programs</h2>${programTable(programs, formToken)}</section>
<section class="card"><h2>Password</h2>${problemList(problems)}
<form method="post" action="/account/password" novalidate>${tokenField(formToken)}<input type="hidden" name="email" value="${account.email}" autocomplete="username">
${inputField({ name: 'password', label: 'Current password', attributes: 'type="password" autocomplete="current-password" required' }, problems)}
${inputField({ name: 'new_password', label: 'New password', hint: `At least ${passwordLength.min} characters. Other browsers and programs will be signed out.`, attributes: 'type="password" autocomplete="new-password" required' }, problems)}
<label class="choice"><input type="checkbox" name="keep_keys" value="yes"${keepsKeys && trustedHtml(' checked')}> Keep the API keys; otherwise they are revoked</label>
<div><button>Change password</button></div></form></section>`;
  const title = titleOf('Account', problems);
  return sendPage(c, { title, content, account: { email: account.email, formToken }, current: 'account' }, status);
}

type LedgerEntry = LedgerRow & { title: string | null; composition: string | null };

/** Newest first. One more than fits on a page, to know whether there is another page. */
async function ledgerPage({ database }: ServiceContext, accountId: string, page: number): Promise<LedgerEntry[]> {
  return database
    .selectFrom('ledger')
    .leftJoin('renders', (join) =>
      join.onRef('renders.id', '=', 'ledger.render_id').on('renders.deleted_at', 'is', null),
    )
    .selectAll('ledger')
    .select(['renders.title', 'renders.composition'])
    .where('ledger.account_id', '=', accountId)
    .orderBy('ledger.created_at', 'desc')
    .orderBy('ledger.id', 'desc')
    .limit(perPage + 1)
    .offset((page - 1) * perPage)
    .execute();
}

const kinds = { grant: 'Credits added', hold: 'Held for a render', charge: 'Render' } as const;

function ledgerTable(ledger: readonly LedgerEntry[], page: number): Html {
  if (ledger.length === 0) return html`<p class="muted">No transactions yet.</p>`;
  const rows = ledger.slice(0, perPage);
  return html`<table><thead><tr><th>Date</th><th>Description</th><th class="number">Credits</th></tr></thead>
<tbody>${rows.map((row) => html`<tr><td>${timeHtml(row.created_at)}</td><td>${ledgerText(row)}</td><td class="number">${signedAmount(row.amount)}</td></tr>`)}</tbody></table>
${pageLinks('/account', page, ledger.length > perPage)}`;
}

function ledgerText({ kind, note, render_id: id, title, composition }: LedgerEntry): Html {
  if (composition === null || id === null) return html`${kinds[kind]}${note !== null && `: ${note}`}`;
  return html`${kinds[kind]}: <a href="/renders/${id}">${title ?? composition}</a>`;
}

function signedAmount(amount: number): string {
  const rounded = Math.round(amount * 1e4) / 1e4;
  return rounded < 0 ? `−${-rounded}` : `+${rounded}`;
}

/** Links to the newer and older pages of a list. `page` counts from 1. */
export function pageLinks(path: string, page: number, hasMore: boolean): Html | undefined {
  if (page === 1 && !hasMore) return undefined;
  return html`<nav class="pages" aria-label="Pages of this list">${page > 1 ? html`<a href="${path}?page=${page - 1}">Newer</a>` : html`<span></span>`}${hasMore && html`<a href="${path}?page=${page + 1}">Older</a>`}</nav>`;
}

type Program = { id: string; since: number; lastUsed: number };

async function signedInPrograms({ database, now }: ServiceContext, accountId: string): Promise<Program[]> {
  const grants = await database
    .selectFrom('oauth_records')
    .select(['id', 'payload', 'expires_at'])
    .where('model', '=', 'Grant')
    .where('uid', '=', accountId)
    // Without grants whose tokens were never fetched.
    .where('expires_at', '>', now() + oauthLifetimes.unusedGrant * 1000)
    .orderBy('expires_at', 'desc')
    .limit(100)
    .execute();
  return grants.map(({ id, payload, expires_at }) => ({
    id,
    since: ((JSON.parse(payload) as AdapterPayload).iat ?? 0) * 1000,
    // A grant is extended each time its refresh token is used.
    lastUsed: (expires_at ?? 0) - oauthLifetimes.refreshToken * 1000,
  }));
}

function programTable(programs: readonly Program[], formToken: string): Html {
  if (programs.length === 0)
    return html`<p class="muted">None. Run <code>framework auth login</code> to sign in the command line.</p>`;
  return html`<table class="stack"><thead><tr><th>Program</th><th>Signed in</th><th>Last used</th><th><span class="visually-hidden">Sign out</span></th></tr></thead>
<tbody>${programs.map(
    ({ id, since, lastUsed }) =>
      html`<tr><td><strong>Framework command line</strong></td><td data-name="Signed in">${timeHtml(since)}</td><td data-name="Last used">${timeHtml(lastUsed)}</td><td class="end"><form class="inline" method="post" action="/account/programs">${tokenField(formToken)}<button class="quiet slim" name="program" value="${id}">Sign out</button></form></td></tr>`,
  )}</tbody></table>`;
}
