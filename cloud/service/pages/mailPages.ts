// Pages that need mail: creating an account whose e-mail address is verified, and resetting a password. They give the same
// response whether an address has an account or not; only the mail tells its owner.
import type { Context, Hono } from 'hono';
import { ApiError } from '../api/apiErrors.ts';
import { clientAddress } from '../api/clientAddress.ts';
import { accountByEmail, createAccount, newAccount, normalEmail } from '../auth/accounts.ts';
import { audit, audited } from '../auth/auditLog.ts';
import { changePassword } from '../auth/changePassword.ts';
import { beginAll, createThrottle, type Throttle } from '../auth/loginThrottle.ts';
import { passwordLength } from '../auth/passwordRules.ts';
import { beginSession, formToken, rememberBrowser } from '../auth/webSessions.ts';
import type { ServiceContext } from '../context.ts';
import type { Mail, Mailer } from '../mail/mail.ts';
import { accountExistsMail, resetMail, signUpMail } from '../mail/mailTexts.ts';
import { createMailToken, findMailToken, type MailPurpose, MailTokenUsed, useMailToken } from '../mail/mailTokens.ts';
import type { MailTokenRow } from '../storage/tables.ts';
import { type Html, html } from './html.ts';
import { tokenField } from './pageLayout.ts';
import { type Fields, forForm, forVisitor, limitForm, sendError, sendPage } from './pageRequests.ts';
import { inputField, type Problem, passwordProblems, problemList, titleOf, waitText } from './signInPages.ts';

/** The mails that one network address may cause, and those to one recipient. */
type MailLimits = { address: Throttle; recipient: Throttle };

export function mountMailPages(app: Hono, context: ServiceContext, mailer: Mailer): void {
  const limits: MailLimits = {
    address: createThrottle(context, { name: 'mails from an address', free: 10, firstWait: 10, maxWait: 900 }),
    recipient: createThrottle(context, { name: 'mails to an address', free: 5, firstWait: 60, maxWait: 900 }),
  };
  const pages = [resetRequest, ...(context.settings.openSignUp ? [signUpRequest] : [])];
  for (const page of pages) {
    app.get(
      page.path,
      forVisitor(context, async (c) => requestPage(context, c, page, {})),
    );
    app.post(
      page.path,
      limitForm,
      forForm(context, (c, fields) => requestMail(context, mailer, limits, page, c, fields)),
    );
  }
  app.get(
    newPasswordPath,
    forVisitor(context, async (c) => {
      const token = await validToken(context, c.req.query('token'));
      return token === undefined ? sendInvalidLink(c) : newPasswordPage(context, c, token, c.req.query('token') ?? '');
    }),
  );
  app.post(
    newPasswordPath,
    limitForm,
    forForm(context, (c, fields) => choosePassword(context, c, fields)),
  );
}

const newPasswordPath = '/new-password';

/** A form that sends a mail. */
type RequestPage = {
  path: string;
  title: string;
  hint: string;
  button: string;
  hasName: boolean;
  /** Returns the mail to an address; undefined if none is sent. */
  mail(
    context: ServiceContext,
    input: { email: string; name: string | null; address: string },
  ): Promise<Mail | undefined>;
};

const signUpRequest: RequestPage = {
  path: '/sign-up',
  title: 'Create an account',
  hint: 'You will get a mail with a link that creates the account.',
  button: 'Send the link',
  hasName: true,
  async mail(context, { email, name }) {
    const { database, settings } = context;
    if ((await accountByEmail(database, email)) !== undefined) return accountExistsMail(email, settings.publicUrl);
    const link = await newLink(context, { kind: 'sign-up', email, name, account_id: null });
    return signUpMail(email, settings.publicUrl, link);
  },
};

const resetRequest: RequestPage = {
  path: '/forgot-password',
  title: 'Forgot your password?',
  hint: 'If there is an account for your address, you will get a mail with a link to choose a new password.',
  button: 'Send the link',
  hasName: false,
  async mail(context, { email, address }) {
    const account = await accountByEmail(context.database, email);
    if (account === undefined || account.suspended_at !== null) return undefined;
    const entry = { accountId: account.id, actor: 'unknown', address, action: 'password_reset_requested' } as const;
    await audit(context, entry);
    const link = await newLink(context, { kind: 'reset', email, name: null, account_id: account.id });
    return resetMail(email, context.settings.publicUrl, link);
  },
};

async function newLink({ database, settings, now }: ServiceContext, purpose: MailPurpose): Promise<string> {
  const token = await createMailToken(database, purpose, now());
  return `${settings.publicUrl}${newPasswordPath}?token=${token}`;
}

async function requestMail(
  context: ServiceContext,
  mailer: Mailer,
  limits: MailLimits,
  page: RequestPage,
  c: Context,
  { email = '', name = '' }: Fields,
): Promise<Response> {
  const to = normalEmail(email);
  const problems = [
    ...(to === undefined ? [{ field: 'email', text: 'Enter an e-mail address, such as ann@example.com' }] : []),
    ...(name.length > 100 ? [{ field: 'name', text: 'Enter a name of at most 100 characters' }] : []),
  ];
  if (to === undefined || problems.length > 0) return requestPage(context, c, page, { email, name, problems }, 422);
  const address = clientAddress(c, context.settings);
  const wait = await beginAll([
    [limits.address, address],
    [limits.recipient, to],
  ]);
  if (wait > 0) {
    c.header('Retry-After', String(wait));
    const text = `Too many mails were requested. Try again in ${waitText(wait)}`;
    return requestPage(context, c, page, { email, name, problems: [{ field: 'email', text }] }, 429);
  }
  mailer.later(() => page.mail(context, { email: to, name: name.trim() || null, address }));
  const content = html`<section class="card"><h1>Check your mail</h1>
<p>If <strong>${to}</strong> can be used, a mail is on its way. Its link is valid for one hour.</p>
<p class="muted">No mail? Look in the spam folder, or check the address and <a href="${page.path}">try again</a>.</p></section>`;
  return sendPage(c, { title: 'Check your mail', content, small: true });
}

type RequestForm = { email?: string; name?: string; problems?: readonly Problem[] };

function requestPage(
  context: ServiceContext,
  c: Context,
  { path, title, hint, button, hasName }: RequestPage,
  { email = '', name = '', problems = [] }: RequestForm,
  status: 200 | 422 | 429 = 200,
): Response {
  const nameField = (): Html =>
    inputField({ name: 'name', label: 'Name (optional)', value: name, attributes: 'autocomplete="name"' }, problems);
  const content = html`<section class="card">
<h1>${title}</h1>
<p class="muted">${hint}</p>
${problemList(problems)}
<form method="post" action="${path}" novalidate>${tokenField(formToken(context, c))}
${inputField({ name: 'email', label: 'E-mail address', value: email, attributes: 'type="email" autocomplete="username" autocapitalize="none" spellcheck="false" required' }, problems)}
${hasName && nameField()}
<button>${button}</button>
</form></section>
<p class="foot"><a href="/sign-in">Sign in</a></p>`;
  return sendPage(c, { title: titleOf(title, problems), content, small: true }, status);
}

async function validToken({ database, now }: ServiceContext, given: string | undefined) {
  return given !== undefined && /^[\w-]{43}$/.test(given) ? findMailToken(database, given, now()) : undefined;
}

function sendInvalidLink(c: Context): Response {
  return sendError(c, 400, {
    title: 'This link is no longer valid',
    text: 'It was used already, or is older than one hour. Request a new one from the sign-in page.',
  });
}

function newPasswordPage(
  context: ServiceContext,
  c: Context,
  { kind, email }: MailTokenRow,
  token: string,
  problems: readonly Problem[] = [],
): Response {
  const isReset = kind === 'reset';
  const title = isReset ? 'Choose a new password' : 'Create your account';
  const keep = html`<label class="check"><input type="checkbox" name="keep_keys" value="yes"> Keep the API keys; otherwise they are revoked</label>
`;
  const content = html`<section class="card">
<h1>${title}</h1>
<p>For <strong>${email}</strong></p>
${problemList(problems)}
<form method="post" action="${newPasswordPath}" novalidate>${tokenField(formToken(context, c))}<input type="hidden" name="token" value="${token}">
${inputField({ name: 'password', label: 'Password', hint: `At least ${passwordLength.min} characters. A few words in a row are easy to remember.`, attributes: 'type="password" autocomplete="new-password" required' }, problems)}
${isReset && keep}<button>${isReset ? 'Change password' : 'Create account'}</button>
</form></section>`;
  return sendPage(c, { title: titleOf(title, problems), content, small: true }, problems.length > 0 ? 422 : 200);
}

async function choosePassword(context: ServiceContext, c: Context, fields: Fields): Promise<Response> {
  const { token: given = '', password = '', keep_keys: keep = '' } = fields;
  const token = await validToken(context, given);
  if (token === undefined) return sendInvalidLink(c);
  const problems = passwordProblems(password, token.email, 'password');
  if (problems.length > 0) return newPasswordPage(context, c, token, given, problems);
  try {
    const by = { actor: 'user', address: clientAddress(c, context.settings) } as const;
    const accountId =
      token.account_id === null
        ? await createVerified(context, token, password, by)
        : await resetPassword(context, token, token.account_id, { password, keepsKeys: keep !== '', by });
    await beginSession(context, c, accountId);
    rememberBrowser(context, c, token.email);
    return c.redirect('/', 303);
  } catch (error) {
    // Another request has used the link, or created the account.
    if (error instanceof MailTokenUsed || error instanceof ApiError) return sendInvalidLink(c);
    throw error;
  }
}

type By = { actor: 'user'; address: string };

async function createVerified(context: ServiceContext, token: MailTokenRow, password: string, by: By): Promise<string> {
  const { initialCredits: credits } = context.settings;
  const input = await newAccount({ email: token.email, password, name: token.name ?? undefined, credits });
  const { id } = await audited(
    context,
    async (session) => {
      await useMailToken(session, token);
      return createAccount(session, input, context.now());
    },
    (account) => ({ accountId: account.id, ...by, action: 'account_created', detail: 'e-mail address verified' }),
  );
  return id;
}

/** The owner of the address reads the mail, so the old password is not needed. */
async function resetPassword(
  context: ServiceContext,
  token: MailTokenRow,
  accountId: string,
  change: { password: string; keepsKeys: boolean; by: By },
): Promise<string> {
  await changePassword(context, { accountId, ...change }, (session) => useMailToken(session, token));
  return accountId;
}
