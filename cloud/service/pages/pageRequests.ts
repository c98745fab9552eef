// Request handling of the web pages: sign-in check, form check, reading fields, and sending pages.
import type { Context, Handler } from 'hono';
import { ApiError } from '../api/apiErrors.ts';
import { isCutOff } from '../api/cutOff.ts';
import { limitBody } from '../api/limitBody.ts';
import { formToken, isOwnForm, webSession } from '../auth/webSessions.ts';
import type { ServiceContext } from '../context.ts';
import type { AccountRow } from '../storage/tables.ts';
import { isUnavailable } from '../storage/unavailable.ts';
import { type Html, html } from './html.ts';
import { errorPage, type PageFrame, pageHtml } from './pageLayout.ts';
import { type PageAllows, securityHeaders } from './pageSecurity.ts';

export type Fields = Readonly<Record<string, string>>;
export type PageContext = { c: Context; account: AccountRow; formToken: string };

type Status = 200 | 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 503;

export function sendPage(c: Context, frame: PageFrame, status: Status = 200, allows: PageAllows = {}): Response {
  return sendHtml(c, pageHtml(frame), status, allows);
}

export function sendError(c: Context, status: Status, about: { title: string; text: string }): Response {
  return sendHtml(c, errorPage(about), status, {});
}

function sendHtml(c: Context, text: string, status: Status, allows: PageAllows): Response {
  for (const [name, value] of Object.entries(securityHeaders(allows))) c.header(name, value);
  return c.html(text, status) as Response;
}

export const notFound = {
  title: 'Page not found',
  text: 'It may have been deleted, or it belongs to another account.',
};

export const tooManyRequests = {
  title: 'Too many requests',
  text: 'Wait a minute, and try again.',
};

/** Handles a page for signed-in users; others are redirected to the sign-in page. */
export function forAccount(context: ServiceContext, handle: (pageContext: PageContext) => Promise<Response>): Handler {
  return withErrorPage(context, async (c) => {
    const session = await webSession(context, c);
    if (session === undefined) return toSignIn(c);
    return handle({ c, account: session.account, formToken: formToken(context, c) });
  });
}

/** Handles a page, signed in or not. */
export function forVisitor(context: ServiceContext, handle: (c: Context) => Promise<Response>): Handler {
  return withErrorPage(context, handle);
}

/** Handles a form of these pages that requires a signed-in user. */
export function forAccountForm(
  context: ServiceContext,
  handle: (pageContext: PageContext, fields: Fields) => Promise<Response>,
): Handler {
  return forForm(context, async (c, fields) => {
    const session = await webSession(context, c);
    if (session === undefined) return c.redirect('/sign-in', 303);
    return handle({ c, account: session.account, formToken: formToken(context, c) }, fields);
  });
}

/** Handles a form of these pages, signed in or not. */
export function forForm(context: ServiceContext, handle: (c: Context, fields: Fields) => Promise<Response>): Handler {
  return withErrorPage(context, async (c) => {
    const fields = await readFields(c);
    if (isOwnForm(context, c, fields.form_token)) return handle(c, fields);
    return sendError(c, 403, {
      title: 'This form is no longer valid',
      text: `It was opened before you signed in or out, or at an address other than ${context.settings.publicUrl}. Nothing was changed. Go back, reload the page and try again.`,
    });
  });
}

/** Shows errors as pages instead of JSON. */
function withErrorPage(context: ServiceContext, handle: (c: Context) => Promise<Response>): Handler {
  return async (c) => {
    try {
      return await handle(c);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return sendError(c, 404, notFound);
      if (isCutOff(error as Error, c.env?.incoming)) throw error;
      context.log('error', 'page failed', {
        path: c.req.path,
        error: error instanceof Error ? error.stack : String(error),
      });
      if (isUnavailable(error)) {
        c.header('Retry-After', '5');
        return sendError(c, 503, {
          title: 'Not available at the moment',
          text: 'The database of this service is not reachable. Try again in a moment.',
        });
      }
      return sendError(c, 500, {
        title: 'Something went wrong',
        text: 'The error was logged. Try again. If it happens again, contact the operator of this service.',
      });
    }
  };
}

export const limitForm = limitBody({
  maxSize: 16 * 1024,
  onError: (c) => sendError(c, 400, { title: 'Input too long', text: 'Go back and shorten your input.' }),
});

export function toSignIn(c: Context): Response {
  const { pathname, search } = new URL(c.req.url);
  return c.redirect(`/sign-in?next=${encodeURIComponent(pathname + search)}`, 303) as Response;
}

/** `at`: Unix milliseconds. The page script shows the time in the reader's locale and time zone. */
export function timeHtml(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

async function readFields(c: Context): Promise<Fields> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')) return {};
  // Control characters are removed, because PostgreSQL cannot store all of them. Passwords are only stored as hashes.
  const fields = [...new URLSearchParams(await c.req.text())];
  return Object.fromEntries(
    fields.map(([name, value]) => [name, /password/.test(name) ? value : value.replaceAll(/\p{Cc}/gu, '')]),
  );
}
