// The sign-in and sign-up pages, signing out, and parts that all forms share.
import type { Context, Hono } from 'hono';
import { ApiError } from '../api/apiErrors.ts';
import { clientAddress } from '../api/clientAddress.ts';
import { accountByEmail, createAccount, newAccount, normalEmail, verifyPassword } from '../auth/accounts.ts';
import { audit, audited } from '../auth/auditLog.ts';
import { allSucceeded, beginAll, type Counted, createThrottle, type Throttle } from '../auth/loginThrottle.ts';
import { passwordLength, passwordProblem } from '../auth/passwordRules.ts';
import { beginSession, endSession, formToken, knownBrowser, rememberBrowser, webSession } from '../auth/webSessions.ts';
import type { ServiceContext } from '../context.ts';
import { type Html, html, trustedHtml } from './html.ts';
import { tokenField } from './pageLayout.ts';
import { type Fields, forForm, limitForm, notFound, sendError, sendPage } from './pageRequests.ts';
import { localPath } from './pageSecurity.ts';

export function mountSignInPages(app: Hono, context: ServiceContext): void {
  const { settings } = context;
  const limits: SignInLimits = {
    email: createThrottle(context, { name: 'sign-in to an account', free: 5, firstWait: 1, maxWait: 60 }),
    address: createThrottle(context, { name: 'sign-in from an address', free: 20, firstWait: 1, maxWait: 900 }),
    browser: createThrottle(context, { name: 'sign-in from a known browser', free: 5, firstWait: 1, maxWait: 60 }),
    newAccounts: createThrottle(context, { name: 'new accounts', free: 5, firstWait: 10, maxWait: 900 }),
  };

  app.get('/sign-in', async (c) => {
    const target = redirectFromLocalhost(c, settings.publicUrl);
    if (target !== undefined) return c.redirect(target, 303);
    const next = localPath(c.req.query('next'), settings.publicUrl);
    if ((await webSession(context, c)) !== undefined) return c.redirect(next, 303);
    return signInPage(context, c, { email: '', next });
  });
  app.post(
    '/sign-in',
    limitForm,
    forForm(context, (c, fields) => signIn(context, limits, c, fields)),
  );

  // With mail, `mailPages.ts` has a page that verifies the address.
  if (settings.openSignUp && !context.mailer) {
    app.get('/sign-up', async (c) => {
      const next = localPath(c.req.query('next'), settings.publicUrl);
      if ((await webSession(context, c)) !== undefined) return c.redirect(next, 303);
      return signUpPage(context, c, { email: '', name: '', next });
    });
    app.post(
      '/sign-up',
      limitForm,
      forForm(context, (c, fields) => signUp(context, limits, c, fields)),
    );
  } else if (!settings.openSignUp) {
    app.all('/sign-up', (c) => sendError(c, 404, notFound));
  }

  const signOut = forForm(context, async (c) => {
    await endSession(context, c);
    return c.redirect('/sign-in', 303);
  });
  app.post('/sign-out', limitForm, signOut);
}

/** Cookies belong to the host of the public URL, so users who typed `localhost` are redirected there. */
function redirectFromLocalhost(c: Context, publicUrl: string): string | undefined {
  const { hostname, pathname, search } = new URL(c.req.url);
  const isLocal = publicUrl.startsWith('http://127.0.0.1');
  return hostname === 'localhost' && isLocal ? publicUrl + pathname + search : undefined;
}

type SignInLimits = { email: Throttle; address: Throttle; browser: Throttle; newAccounts: Throttle };

/**
 * What a sign-in counts in. A browser that has signed in to the account before has its own count, so that other people's
 * attempts cannot lock it out. For all others, the address comes first: while it must wait, its attempts do not count
 * against the e-mail address.
 */
function signInCounts(limits: SignInLimits, email: string, address: string, browser: string | undefined): Counted[] {
  if (browser !== undefined) return [[limits.browser, `${browser} ${email}`]];
  return [
    [limits.address, address],
    [limits.email, email],
  ];
}

async function signIn(context: ServiceContext, limits: SignInLimits, c: Context, fields: Fields): Promise<Response> {
  const { email = '', password = '' } = fields;
  const next = localPath(fields.next, context.settings.publicUrl);
  if (email.trim() === '' || password === '') {
    const problems: Problem[] = [
      ...(email.trim() === '' ? [{ field: 'email', text: 'Enter your e-mail address' }] : []),
      ...(password === '' ? [{ field: 'password', text: 'Enter your password' }] : []),
    ];
    return signInPage(context, c, { email, next, problems }, 422);
  }
  const known = normalEmail(email) ?? email.slice(0, 254).toLowerCase();
  const address = clientAddress(c, context.settings);
  const counted = signInCounts(limits, known, address, knownBrowser(context, c, known));
  const wait = await beginAll(counted);
  if (wait > 0) return tooMany(c, wait, (problems) => signInPage(context, c, { email, next, problems }, 429));
  const account = await verifyPassword(context.database, email, password);
  if (account === undefined) {
    // Also without an account, so that the response time does not reveal which addresses have one.
    const accountId = (await accountByEmail(context.database, email))?.id ?? null;
    await audit(context, { accountId, actor: 'unknown', address, action: 'sign_in_failed' });
    const problems = [{ field: 'email', text: 'Wrong e-mail address or password' }];
    return signInPage(context, c, { email, next, problems }, 401);
  }
  await allSucceeded(counted);
  if (account.suspended_at !== null) return sendSuspended(context, c, account.id, address);
  await beginSession(context, c, account.id);
  rememberBrowser(context, c, account.email);
  await audit(context, { accountId: account.id, actor: 'user', address, action: 'signed_in' });
  return c.redirect(next, 303);
}

async function sendSuspended(
  context: ServiceContext,
  c: Context,
  accountId: string,
  address: string,
): Promise<Response> {
  const detail = 'the account is suspended';
  await audit(context, { accountId, actor: 'user', address, action: 'sign_in_failed', detail });
  return sendError(c, 403, {
    title: 'This account is suspended',
    text: 'Your projects and videos are kept. Contact the operator of this service.',
  });
}

/** Without mail, anyone could create the account of an operator's address before the operator does. */
function sendOperatorOnly(c: Context): Response {
  return sendError(c, 403, {
    title: 'This address is reserved',
    text: 'The operator creates its account on the command line: framework serve account add',
  });
}

async function signUp(context: ServiceContext, limits: SignInLimits, c: Context, fields: Fields): Promise<Response> {
  const { email = '', password = '', name = '' } = fields;
  const next = localPath(fields.next, context.settings.publicUrl);
  const again = (problems: Problem[], status: 409 | 422 | 429) =>
    signUpPage(context, c, { email, name, next, problems }, status);
  const problems = [
    ...(normalEmail(email) === undefined
      ? [{ field: 'email', text: 'Enter an e-mail address, such as ann@example.com' }]
      : []),
    ...passwordProblems(password, email, 'password'),
    ...(name.length > 100 ? [{ field: 'name', text: 'Enter a name of at most 100 characters' }] : []),
  ];
  if (problems.length > 0) return again(problems, 422);
  if (context.settings.operators.includes(normalEmail(email) ?? '')) return sendOperatorOnly(c);
  const wait = await limits.newAccounts.begin(clientAddress(c, context.settings));
  if (wait > 0) return tooMany(c, wait, (waiting) => again(waiting, 429));
  try {
    const credits = context.settings.initialCredits;
    const address = clientAddress(c, context.settings);
    const input = await newAccount({ email, password, name: name.trim() || undefined, credits });
    const account = await audited(
      context,
      (session) => createAccount(session, input, context.now()),
      ({ id }) => ({ accountId: id, actor: 'user', address, action: 'account_created' }),
    );
    await beginSession(context, c, account.id);
    rememberBrowser(context, c, account.email);
    return c.redirect(next, 303);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return again([{ field: error.param ?? 'email', text: error.message }], 409);
  }
}

/** The problems of a new password, for the field that it was entered in. */
export function passwordProblems(password: string, email: string, field: string): Problem[] {
  const text = passwordProblem(password, email);
  return text === undefined ? [] : [{ field, text }];
}

async function tooMany(c: Context, wait: number, page: (problems: Problem[]) => Response): Promise<Response> {
  c.header('Retry-After', String(wait));
  return page([{ field: 'email', text: `Too many attempts. Try again in ${waitText(wait)}` }]);
}

export function waitText(seconds: number): string {
  if (seconds === 1) return 'a second';
  return seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** A problem with the input of a form. `field` is the ID of the form field. */
export type Problem = { field: string; text: string };

/** Shown above the form and focused, so that screen readers start with it. */
export function problemList(problems: readonly Problem[] = []): Html | undefined {
  if (problems.length === 0) return undefined;
  return html`<div class="problem" role="alert" tabindex="-1" autofocus>
<h2>There is a problem</h2>
<ul>${problems.map(({ field, text }) => html`<li><a href="#${field}">${text}</a></li>`)}</ul></div>`;
}

/** A labelled input. `attributes` is inserted as HTML and must not contain user input. */
export function inputField(
  field: { name: string; label: string; value?: string; hint?: string; attributes: string },
  problems: readonly Problem[] = [],
): Html {
  const problem = problems.find((one) => one.field === field.name);
  const described = [field.hint && `${field.name}-hint`, problem && `${field.name}-wrong`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${field.name}">${field.label}</label>
${field.hint && html`<p class="hint" id="${field.name}-hint">${field.hint}</p>`}
${problem && html`<p class="wrong" id="${field.name}-wrong">${problem.text}</p>`}
<input id="${field.name}" name="${field.name}" value="${field.value ?? ''}" ${trustedHtml(field.attributes)}${described !== '' && html` aria-describedby="${described}"`}${problem && trustedHtml(' aria-invalid="true"')}></div>`;
}

type SignInForm = { email: string; next: string; problems?: readonly Problem[] };

function signInPage(
  context: ServiceContext,
  c: Context,
  { email, next, problems }: SignInForm,
  status: 200 | 401 | 422 | 429 = 200,
): Response {
  const content = html`<section class="card">
<h1>Sign in</h1>
${problemList(problems)}
<form method="post" action="/sign-in" novalidate>
${tokenField(formToken(context, c))}<input type="hidden" name="next" value="${next}">
${inputField({ name: 'email', label: 'E-mail address', value: email, attributes: 'type="email" autocomplete="username" autocapitalize="none" spellcheck="false" required' }, problems)}
${inputField({ name: 'password', label: 'Password', attributes: 'type="password" autocomplete="current-password" required' })}
<button>Sign in</button>
</form></section>
${context.mailer && html`<p class="foot"><a href="/forgot-password">Forgot your password?</a></p>`}
${context.settings.openSignUp && html`<p class="foot">New here? <a href="/sign-up?next=${encodeURIComponent(next)}">Create an account</a></p>`}`;
  return sendPage(c, { title: titleOf('Sign in', problems), content, small: true }, status);
}

function signUpPage(
  context: ServiceContext,
  c: Context,
  { email, name, next, problems }: SignInForm & { name: string },
  status: 200 | 409 | 422 | 429 = 200,
): Response {
  const credits = context.settings.initialCredits;
  const content = html`<section class="card">
<h1>Create an account</h1>
${credits > 0 && html`<p class="muted">You start with ${credits} credits. One credit is one second of 1080p video.</p>`}
${problemList(problems)}
<form method="post" action="/sign-up" novalidate>
${tokenField(formToken(context, c))}<input type="hidden" name="next" value="${next}">
${inputField({ name: 'email', label: 'E-mail address', value: email, attributes: 'type="email" autocomplete="username" autocapitalize="none" spellcheck="false" required' }, problems)}
${inputField({ name: 'name', label: 'Name (optional)', value: name, attributes: 'autocomplete="name"' }, problems)}
${inputField({ name: 'password', label: 'Password', hint: `At least ${passwordLength.min} characters. A few words in a row are easy to remember.`, attributes: 'type="password" autocomplete="new-password" required' }, problems)}
<button>Create account</button>
</form></section>
<p class="foot">Already have an account? <a href="/sign-in?next=${encodeURIComponent(next)}">Sign in</a></p>`;
  return sendPage(c, { title: titleOf('Create an account', problems), content, small: true }, status);
}

/** Screen readers read the title first, so it mentions errors. */
export function titleOf(title: string, problems: readonly Problem[] = []): string {
  return problems.length > 0 ? `Error: ${title}` : title;
}
