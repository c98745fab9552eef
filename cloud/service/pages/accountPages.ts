// The account page: profile, credits and ledger, signed-in programs, and password.
import type { Hono } from 'hono';
import type { AdapterPayload } from 'oidc-provider';
import { clientAddress } from '../api/clientAddress.ts';
import { verifyPassword } from '../auth/accounts.ts';
import { type AuditAction, audit, auditActions, auditEvents, audited } from '../auth/auditLog.ts';
import { changePassword } from '../auth/changePassword.ts';
import { createThrottle } from '../auth/loginThrottle.ts';
import { oauthLifetimes } from '../auth/oauthProvider.ts';
import { passwordLength } from '../auth/passwordRules.ts';
import { beginSession } from '../auth/webSessions.ts';
import type { ServiceContext } from '../context.ts';
import { toCredits } from '../storage/ledger.ts';
import type { AuditEventRow, LedgerRow, Session } from '../storage/tables.ts';
import { type Html, html, trustedHtml } from './html.ts';
import { operatorPath } from './operatorPage.ts';
import { tokenField } from './pageLayout.ts';
import { forAccount, forAccountForm, limitForm, type PageContext, sendPage, timeHtml } from './pageRequests.ts';
import { inputField, type Problem, passwordProblems, problemList, titleOf, waitText } from './signInPages.ts';
import { mountStoredProjects, useSection } from './storedProjects.ts';

const perPage = 15;

export function mountAccountPages(app: Hono, context: ServiceContext): void {
  mountStoredProjects(app, context);
  const throttle = createThrottle(context, { name: 'current password', free: 5, firstWait: 1, maxWait: 60 });
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
      const wait = await throttle.begin(account.id);
      if (wait > 0) {
        c.header('Retry-After', String(wait));
        const text = `Too many attempts. Try again in ${waitText(wait)}`;
        return again([{ field: 'password', text }], 429);
      }
      if ((await verifyPassword(context.database, account.email, password)) === undefined) {
        const address = clientAddress(c, context.settings);
        await audit(context, { accountId: account.id, actor: 'user', address, action: 'password_change_failed' });
        return again([{ field: 'password', text: 'The current password is wrong' }]);
      }
      await throttle.succeeded(account.id);
      const by = { actor: 'user', address: clientAddress(c, context.settings) } as const;
      await changePassword(context, { accountId: account.id, password: next, keepsKeys, by });
      await beginSession(context, c, account.id);
      return c.redirect(`/account?changed${keepsKeys ? '' : '=keys'}`, 303);
    }),
  );
  app.post(
    '/account/programs',
    limitForm,
    forAccountForm(context, async ({ c, account }, { program = '' }) => {
      const address = clientAddress(c, context.settings);
      await audited(
        context,
        (session) => signOutProgram(session, account.id, program),
        (isDone) => (isDone ? { accountId: account.id, actor: 'user', address, action: 'consent_revoked' } : undefined),
      );
      return c.redirect('/account', 303);
    }),
  );
}

/** Tokens are invalid without their grant: see `accountOf`. Returns false if there is no such program. */
async function signOutProgram(session: Session, accountId: string, program: string): Promise<boolean> {
  const { numDeletedRows } = await session
    .deleteFrom('oauth_records')
    .where('model', '=', 'Grant')
    .where('uid', '=', accountId)
    .where('id', '=', program)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** What the user has sent, if it was rejected. */
type PasswordForm = { problems?: Problem[]; keepsKeys: boolean; status: 200 | 422 | 429 };

async function accountPage(
  context: ServiceContext,
  pageContext: PageContext,
  { problems, keepsKeys, status }: PasswordForm = { keepsKeys: false, status: 200 },
): Promise<Response> {
  const { c, account, formToken } = pageContext;
  const page = pageNumber(c.req.query('page'));
  const activityPage = pageNumber(c.req.query('activity'));
  const [use, ledger, programs, events] = await Promise.all([
    useSection(context, account, formToken),
    ledgerPage(context, account.id, page),
    signedInPrograms(context, account.id),
    // One more than fits on a page, to know whether there is another page.
    auditEvents(context.database, account.id, { limit: perPage + 1, offset: (activityPage - 1) * perPage }),
  ]);
  const isOperator = context.settings.operators.includes(account.email);
  const content = html`<div class="head"><h1>Account</h1>${isOperator && html`<a href="${operatorPath}">Operator page</a>`}</div>
${c.req.query('changed') !== undefined && html`<p class="note good" role="status">Your password was changed. Other browsers and programs have been signed out${c.req.query('changed') === 'keys' && ', and all API keys revoked'}.</p>`}
<section class="card"><dl class="facts"><dt>E-mail address</dt><dd>${account.email}</dd>
${account.name !== null && html`<dt>Name</dt><dd>${account.name}</dd>`}
<dt>Plan</dt><dd>${account.plan}</dd><dt>Created</dt><dd>${timeHtml(account.created_at)}</dd></dl></section>
<section class="card"><div class="head"><h2>Credits</h2><p><strong>${toCredits(account.balance)}</strong> <span class="muted">left</span></p></div>
<p class="muted">One credit is one second of 1080p video; 4k costs 1.5 credits per second.</p>${ledgerTable(ledger, page)}</section>
${use}
<section class="card"><h2>Signed-in programs</h2>${programTable(programs, formToken)}</section>
<section class="card"><h2>Password</h2>${problemList(problems)}
<form method="post" action="/account/password" novalidate>${tokenField(formToken)}<input type="hidden" name="email" value="${account.email}" autocomplete="username">
${inputField({ name: 'password', label: 'Current password', attributes: 'type="password" autocomplete="current-password" required' }, problems)}
${inputField({ name: 'new_password', label: 'New password', hint: `At least ${passwordLength.min} characters. Other browsers and programs will be signed out.`, attributes: 'type="password" autocomplete="new-password" required' }, problems)}
<label class="check"><input type="checkbox" name="keep_keys" value="yes"${keepsKeys && trustedHtml(' checked')}> Keep the API keys; otherwise they are revoked</label>
<div><button>Change password</button></div></form></section>
<section class="card" id="activity"><h2>Activity</h2>
<p class="muted">Sign-ins, API keys, programs and changes of your account in the last ${context.settings.retentionDays} days. If you do not recognize an entry, change your password.</p>${activityTable(events, activityPage)}</section>`;
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
${pageLinks('/account', { page, hasMore: ledger.length > perPage })}`;
}

function ledgerText({ kind, note, render_id: id, title, composition }: LedgerEntry): Html {
  if (composition === null || id === null) return html`${kinds[kind]}${note !== null && `: ${note}`}`;
  return html`${kinds[kind]}: <a href="/renders/${id}">${title ?? composition}</a>`;
}

function signedAmount(amount: number): string {
  const rounded = Math.round(amount * 1e4) / 1e4;
  return rounded < 0 ? `−${-rounded}` : `+${rounded}`;
}

/** `page` counts from 1. */
type ListPage = { page: number; hasMore: boolean; parameter?: string; fragment?: string };

/** Links to the newer and older pages of a list. `fragment`: the part of the page that shows the list. */
export function pageLinks(
  path: string,
  { page, hasMore, parameter = 'page', fragment = '' }: ListPage,
): Html | undefined {
  if (page === 1 && !hasMore) return undefined;
  const link = (to: number, text: string) => html`<a href="${path}?${parameter}=${to}${fragment}">${text}</a>`;
  return html`<nav class="pages" aria-label="Pages of this list">${page > 1 ? link(page - 1, 'Newer') : html`<span></span>`}${hasMore && link(page + 1, 'Older')}</nav>`;
}

/** The number of a page in a query; 1 if it is missing or invalid. */
export function pageNumber(given: string | undefined): number {
  return Math.min(10_000, Math.max(1, Number.parseInt(given ?? '1', 10) || 1));
}

function activityTable(events: readonly AuditEventRow[], page: number): Html {
  if (events.length === 0) return html`<p class="muted">No entries yet.</p>`;
  const rows = events.slice(0, perPage);
  return html`<table class="stack"><thead><tr><th>Date</th><th>Activity</th><th>Address</th></tr></thead>
<tbody>${rows.map(
    (event) =>
      html`<tr><td>${timeHtml(event.at)}</td><td>${activityText(event)}</td><td data-name="Address"><code>${event.address ?? '–'}</code></td></tr>`,
  )}</tbody></table>
${pageLinks('/account', { page, hasMore: events.length > perPage, parameter: 'activity', fragment: '#activity' })}`;
}

function activityText({ action, actor, detail }: AuditEventRow): Html {
  const text = auditActions[action as AuditAction] ?? action;
  return html`<strong>${text}</strong>${detail !== null && `: ${detail}`}${actor === 'operator' && html` <span class="muted">(by the operator)</span>`}`;
}

type Program = { id: string; since: number; lastUsed: number };

async function signedInPrograms({ database, now }: ServiceContext, accountId: string): Promise<Program[]> {
  const grants = await database
    .selectFrom('oauth_records')
    .select(['id', 'payload', 'expires_at'])
    .where('model', '=', 'Grant')
    .where('uid', '=', accountId)
    // Grants whose tokens were never fetched are left out.
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
