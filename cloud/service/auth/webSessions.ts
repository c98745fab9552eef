// Sessions of the web pages (a random token in a cookie, its hash in the database) and the tokens that protect forms.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ServiceContext } from '../context.ts';
import { secretHash } from '../storage/ids.ts';
import type { AccountRow } from '../storage/tables.ts';

const day = 24 * 3600 * 1000;
/** Since the last visit. */
const sessionLifetime = 14 * day;

/** Browsers and proxies accept cookies of this length. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

export type WebSession = { account: AccountRow };

/** Returns the session and extends it, or undefined if the user is not signed in. */
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

/** Always creates a new token, which prevents session fixation. */
export async function beginSession(context: ServiceContext, c: Context, accountId: string): Promise<void> {
  await deleteSession(context, c);
  const token = newToken();
  const now = context.now();
  await context.database
    .insertInto('sessions')
    .values({ hash: secretHash(token), account_id: accountId, created_at: now, expires_at: now + sessionLifetime })
    .execute();
  writeCookie(context, c, 'session', token, sessionLifetime);
}

export async function endSession(context: ServiceContext, c: Context): Promise<void> {
  await deleteSession(context, c);
  deleteCookie(c, cookieName(context, 'session'), { path: '/', secure: isHttps(context) });
}

/**
 * Returns a token that shows that a form was sent by one of these pages. It belongs to the session, or before sign-in
 * to a visitor cookie.
 */
export function formToken(context: ServiceContext, c: Context): string {
  let token = cookieToken(context, c, 'session') ?? cookieToken(context, c, 'visitor');
  if (token === undefined) {
    token = newToken();
    writeCookie(context, c, 'visitor', token, undefined);
  }
  return signFormToken(context, token);
}

/** Rejects forms of other sites, and forms that were opened before signing in or out. */
export function isOwnForm(context: ServiceContext, c: Context, received: unknown): boolean {
  const origin = c.req.header('origin');
  if (origin !== undefined && origin !== new URL(context.settings.publicUrl).origin) return false;
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const token = cookieToken(context, c, 'session') ?? cookieToken(context, c, 'visitor');
  if (token === undefined || typeof received !== 'string') return false;
  const expected = Buffer.from(signFormToken(context, token));
  const actual = Buffer.from(received);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

async function deleteSession(context: ServiceContext, c: Context): Promise<void> {
  const token = cookieToken(context, c, 'session');
  if (token === undefined) return;
  await context.database.deleteFrom('sessions').where('hash', '=', secretHash(token)).execute();
}

function signFormToken(context: ServiceContext, token: string): string {
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

/** Browsers accept names with `__Host-` only from this host and over https. */
function cookieName(context: ServiceContext, kind: 'session' | 'visitor'): string {
  return `${isHttps(context) ? '__Host-' : ''}framework_${kind}`;
}

function isHttps(context: ServiceContext): boolean {
  return context.settings.publicUrl.startsWith('https:');
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
