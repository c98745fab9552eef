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

type CookieKind = 'session' | 'visitor' | `browser_${string}`;

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
    .where('accounts.suspended_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { expires_at: expiresAt, ...account } = row;
  // For the log.
  c.set('accountId', account.id);
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
  return isEqual(received, signFormToken(context, token));
}

/** A browser that has not signed in to the account for this long is unknown again. */
const knownBrowserLifetime = 365 * day;

/** Marks the browser as one that has signed in to the account of an address. */
export function rememberBrowser(context: ServiceContext, c: Context, email: string): void {
  const id = knownBrowser(context, c, email) ?? newToken();
  const [key = ''] = context.secrets.cookieKeys;
  const value = `${id}.${signBrowser(key, email, id)}`;
  writeCookie(context, c, browserCookie(context, email), value, knownBrowserLifetime);
}

/**
 * The ID of a browser that has signed in to the account of an address, from a signed cookie that each account has for
 * itself; undefined for all others.
 */
export function knownBrowser(context: ServiceContext, c: Context, email: string): string | undefined {
  const value = getCookie(c, cookieName(context, browserCookie(context, email))) ?? '';
  const [id = '', signature = ''] = value.split('.');
  const isSigned = context.secrets.cookieKeys.some((key) => isEqual(signature, signBrowser(key, email, id)));
  return tokenPattern.test(id) && isSigned ? id : undefined;
}

/** Contains a hash of the address, so that a browser can know several accounts. */
function browserCookie(context: ServiceContext, email: string): CookieKind {
  const [key = ''] = context.secrets.cookieKeys;
  return `browser_${createHmac('sha256', key).update(`browser of ${email}`).digest('hex').slice(0, 16)}`;
}

function signBrowser(key: string, email: string, id: string): string {
  return createHmac('sha256', key).update(`browser ${id} ${email}`).digest('base64url');
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
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

function cookieToken(context: ServiceContext, c: Context, kind: CookieKind): string | undefined {
  const value = getCookie(c, cookieName(context, kind));
  return value !== undefined && tokenPattern.test(value) ? value : undefined;
}

function writeCookie(
  context: ServiceContext,
  c: Context,
  kind: CookieKind,
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
function cookieName(context: ServiceContext, kind: CookieKind): string {
  return `${isHttps(context) ? '__Host-' : ''}framework_${kind}`;
}

function isHttps(context: ServiceContext): boolean {
  return context.settings.publicUrl.startsWith('https:');
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
