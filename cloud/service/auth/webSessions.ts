// Who is signed in on the web pages: a random token in a cookie, its hash in the database; and the tokens of forms.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ServiceContext } from './context.ts';
import { secretHash } from './ids.ts';
import type { AccountRow } from './tables.ts';

const day = 24 * 3600 * 1000;
/** Of not coming back. */
const sessionLifetime = 14 * day;

/** Shorter than what a proxy or a browser refuses. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

export type WebSession = { account: AccountRow };

/** Also makes it last longer. Undefined when nobody is signed in. */
export async function webSession(context: ServiceContext, c: Context): Promise<WebSession | undefined> {
  const token = cookieToken(context, c, 'session');
  if (token === undefined) return undefined;
  const now = context.now();
  const row = await context.database
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .selectAll('accounts')
    .select('sessions.expires_at')
    .where('sessions.hash', '=', secretHash(token))
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { expires_at: expiresAt, ...account } = row;
  if (expiresAt < now + sessionLifetime - day) {
    await context.database
      .updateTable('sessions')
      .set({ expires_at: now + sessionLifetime })
      .where('hash', '=', secretHash(token))
      .execute();
    writeCookie(context, c, 'session', token, sessionLifetime);
  }
  return { account };
}

/** With a token that nobody has seen before, whatever cookie the browser came with. */
export async function beginSession(context: ServiceContext, c: Context, accountId: string): Promise<void> {
  await forget(context, c);
  const token = newToken();
  const now = context.now();
  await context.database
    .insertInto('sessions')
    .values({ hash: secretHash(token), account_id: accountId, created_at: now, expires_at: now + sessionLifetime })
    .execute();
  writeCookie(context, c, 'session', token, sessionLifetime);
}

export async function endSession(context: ServiceContext, c: Context): Promise<void> {
  await forget(context, c);
  deleteCookie(c, cookieName(context, 'session'), { path: '/', secure: isHttps(context) });
}

/**
 * What a form carries to show that one of our pages sent it. It belongs to the session, and before there is one to a
 * cookie that is made here.
 */
export function formToken(context: ServiceContext, c: Context): string {
  let token = cookieToken(context, c, 'session') ?? cookieToken(context, c, 'visitor');
  if (token === undefined) {
    token = newToken();
    writeCookie(context, c, 'visitor', token, undefined);
  }
  return signed(context, token);
}

/** A form of another site, or one that was opened before signing in or out, is not ours. */
export function isOwnForm(context: ServiceContext, c: Context, given: unknown): boolean {
  const origin = c.req.header('origin');
  if (origin !== undefined && origin !== new URL(context.settings.publicUrl).origin) return false;
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const token = cookieToken(context, c, 'session') ?? cookieToken(context, c, 'visitor');
  if (token === undefined || typeof given !== 'string') return false;
  const expected = Buffer.from(signed(context, token));
  const actual = Buffer.from(given);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

async function forget(context: ServiceContext, c: Context): Promise<void> {
  const token = cookieToken(context, c, 'session');
  if (token === undefined) return;
  await context.database.deleteFrom('sessions').where('hash', '=', secretHash(token)).execute();
}

function signed(context: ServiceContext, token: string): string {
  return createHmac('sha256', context.secrets.cookieKeys[0] ?? '')
    .update(`form ${token}`)
    .digest('base64url');
}

function cookieToken(context: ServiceContext, c: Context, kind: 'session' | 'visitor'): string | undefined {
  const value = getCookie(c, cookieName(context, kind));
  return value !== undefined && tokenPattern.test(value) ? value : undefined;
}

function writeCookie(
  context: ServiceContext,
  c: Context,
  kind: 'session' | 'visitor',
  value: string,
  lifetime: number | undefined,
): void {
  setCookie(c, cookieName(context, kind), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isHttps(context),
    ...(lifetime === undefined ? {} : { maxAge: lifetime / 1000 }),
  });
}

/** Browsers take a name with `__Host-` only from this very host, over https. */
function cookieName(context: ServiceContext, kind: 'session' | 'visitor'): string {
  return `${isHttps(context) ? '__Host-' : ''}framework_${kind}`;
}

function isHttps(context: ServiceContext): boolean {
  return context.settings.publicUrl.startsWith('https:');
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
