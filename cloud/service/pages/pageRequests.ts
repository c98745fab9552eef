// What the web pages do with a request before they answer it: who is asking, is it our own form, and how it is sent back.
import type { Context, Handler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { ApiError } from './apiErrors.ts';
import type { ServiceContext } from './context.ts';
import { type Html, html } from './html.ts';
import { errorPage, type PageFrame, pageHtml } from './pageLayout.ts';
import { type PageAllows, securityHeaders } from './pageSecurity.ts';
import type { AccountRow } from './tables.ts';
import { formToken, isOwnForm, webSession } from './webSessions.ts';

export type Fields = Readonly<Record<string, string>>;
export type Visit = { c: Context; account: AccountRow; formToken: string };

type Status = 200 | 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500;

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
  title: 'There is no such page',
  text: 'It may have been deleted, or belongs to somebody else.',
};

/** For pages that only somebody who is signed in sees; others sign in first. */
export function forAccount(context: ServiceContext, answer: (visit: Visit) => Promise<Response>): Handler {
  return withErrorPage(context, async (c) => {
    const session = await webSession(context, c);
    if (session === undefined) return toSignIn(c);
    return answer({ c, account: session.account, formToken: formToken(context, c) });
  });
}

/** For what somebody who is signed in sends with a form of ours. */
export function forAccountForm(
  context: ServiceContext,
  answer: (visit: Visit, fields: Fields) => Promise<Response>,
): Handler {
  return forForm(context, async (c, fields) => {
    const session = await webSession(context, c);
    if (session === undefined) return c.redirect('/sign-in', 303);
    return answer({ c, account: session.account, formToken: formToken(context, c) }, fields);
  });
}

/** For what anybody sends with a form of ours. */
export function forForm(context: ServiceContext, answer: (c: Context, fields: Fields) => Promise<Response>): Handler {
  return withErrorPage(context, async (c) => {
    const fields = await readFields(c);
    if (isOwnForm(context, c, fields.form_token)) return answer(c, fields);
    return sendError(c, 403, {
      title: 'This form is no longer valid',
      text: `It was opened before you signed in or out, or at another address than ${context.settings.publicUrl}. Nothing was changed. Go back, load the page again and repeat what you did.`,
    });
  });
}

/** What the API says as JSON is said to a person as a page. */
function withErrorPage(context: ServiceContext, answer: (c: Context) => Promise<Response>): Handler {
  return async (c) => {
    try {
      return await answer(c);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return sendError(c, 404, notFound);
      context.log('error', 'page failed', {
        path: c.req.path,
        error: error instanceof Error ? error.stack : String(error),
      });
      return sendError(c, 500, {
        title: 'Something went wrong here',
        text: 'It was noted in the log of the service. Try again; if it happens again, tell whoever runs the service.',
      });
    }
  };
}

/** Forms are short. */
export const limitForm = bodyLimit({
  maxSize: 16 * 1024,
  onError: (c) => sendError(c, 400, { title: 'That is too long', text: 'Go back and enter less.' }),
});

export function toSignIn(c: Context): Response {
  const { pathname, search } = new URL(c.req.url);
  return c.redirect(`/sign-in?next=${encodeURIComponent(pathname + search)}`, 303) as Response;
}

/** Unix milliseconds; the script shows it in the reader's own way. */
export function timeHtml(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

async function readFields(c: Context): Promise<Fields> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')) return {};
  // One line each, and no character that a database cannot keep. Of a password only a hash is kept.
  const fields = [...new URLSearchParams(await c.req.text())];
  return Object.fromEntries(
    fields.map(([name, value]) => [name, /password/.test(name) ? value : value.replaceAll(/\p{Cc}/gu, '')]),
  );
}
