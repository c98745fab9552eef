// `framework auth status`: which credential is in force, whose it is, and what is left to spend.
import type { User } from '../cloud/apiTypes.ts';
import { apiUrl, printable } from '../cloud/apiUrl.ts';
import {
  type Credential,
  type CredentialSource,
  credentialsPath,
  maskSecret,
  signedOut,
  sourceText,
} from '../cloud/credentials.ts';
import { readCredentials } from '../cloud/credentialsFile.ts';
import { fetchUser } from '../cloud/currentUser.ts';
import { findCredential } from '../cloud/session.ts';
import { type ErrorJson, UserError } from '../errors.ts';
import { type Colors, colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { errorJson } from './presentError.ts';
import { serviceClient } from './serviceClient.ts';

/** Times are unix seconds. `user` is what the service says, or, when it says nothing, what it said at signing in. */
export type AuthStatus = {
  /** The service has accepted the credential just now; with `--stored`: there is one. */
  signedIn: boolean;
  apiUrl: string;
  /** Absolute path of the credentials file, whether it is there or not. */
  file: string;
  kind: Credential['kind'] | null;
  source: CredentialSource | null;
  /** The first characters. */
  credential: string | null;
  expiresAt: number | null;
  scope: string | null;
  user: { user_id?: string; email?: string; name?: string | null } | null;
  billing: User['billing'] | null;
  error: ErrorJson | null;
};

/** The status is 1 when nobody is signed in, or the service does not confirm it. Throws UserError. */
export async function runAuthStatus({ switches }: CommandInput, io: CliIo): Promise<number> {
  const status = await (switches.has('stored') ? storedStatus(io) : authStatus(io));
  if (switches.has('json')) io.stdout.write(`${JSON.stringify(status)}\n`);
  else io.stdout.write(statusText(status, colorsFor(io.stdout, io.env), Date.now()));
  return status.signedIn ? 0 : 1;
}

async function authStatus(io: CliIo): Promise<AuthStatus> {
  const before = await findCredential(io.env);
  if (before === undefined) return { ...nothing(io), error: errorJson(signedOut()) };
  try {
    const { user_id, email, name, billing } = await fetchUser(serviceClient(io, { isWaitedFor: true }), io.signal);
    // The request may have refreshed the tokens.
    const credential = (await findCredential(io.env)) ?? before;
    return { ...nothing(io), ...known(credential), signedIn: true, user: { user_id, email, name }, billing };
  } catch (error) {
    if (!(error instanceof UserError) || error.code === 'cancelled') throw error;
    return { ...nothing(io), ...known(before), user: await userOf(before, io), error: errorJson(error) };
  }
}

async function storedStatus(io: CliIo): Promise<AuthStatus> {
  const credential = await findCredential(io.env);
  if (credential === undefined) return { ...nothing(io), error: errorJson(signedOut()) };
  return { ...nothing(io), ...known(credential), signedIn: true, user: await userOf(credential, io) };
}

/** What the service said at signing in. */
async function userOf({ source }: Credential, { env }: CliIo): Promise<AuthStatus['user']> {
  return source.kind === 'file' ? storedUser((await readCredentials(credentialsPath(env))).user) : null;
}

const nothing = ({ env }: CliIo): AuthStatus => ({
  signedIn: false,
  apiUrl: apiUrl(env),
  file: credentialsPath(env),
  kind: null,
  source: null,
  credential: null,
  expiresAt: null,
  scope: null,
  user: null,
  billing: null,
  error: null,
});

function known(credential: Credential) {
  const { kind, source } = credential;
  if (kind === 'api_key') return { kind, source, credential: maskSecret(credential.key) };
  const { access_token, expires_at = null, scope = null } = credential.tokens;
  return { kind, source, credential: maskSecret(access_token), expiresAt: expires_at, scope };
}

/** The sibling tool may have written something of another shape. */
function storedUser(user: Record<string, unknown> | undefined): AuthStatus['user'] {
  if (!user) return null;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const [user_id, email, name] = [text(user.user_id), text(user.email), text(user.name)];
  return { ...(user_id && { user_id }), ...(email && { email }), ...(name && { name }) };
}

/** Several lines. `now` in milliseconds. */
export function statusText(status: AuthStatus, colors: Colors, now: number): string {
  const { signedIn, user, error, kind, source, credential, billing, expiresAt } = status;
  const head = signedIn
    ? `${colors.green('✔')} Signed in as ${userText(user ?? {})}`
    : `${colors.red('✖')} ${error?.message ?? 'Not signed in'}`;
  const whose = !signedIn && user ? userText(user) : '';
  const rows = [
    ['Service', status.apiUrl],
    ['Credential', source && `${kind === 'oauth' ? 'sign-in' : 'API key'} ${credential}, from ${sourceText(source)}`],
    ['Signed in as', whose],
    ['Token', expiresAt === null ? '' : tokenText(expiresAt, now)],
    ['Plan', billing && printable(billing.plan)],
    ['Credits', billing && creditsText(billing)],
  ].filter((row): row is [string, string] => Boolean(row[1]));
  const width = Math.max(...rows.map(([name]) => name.length));
  const hint = error?.hint === undefined ? [] : [`${colors.cyan('hint:')} ${error.hint}`];
  return `${[head, ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`), ...hint].join('\n')}\n`;
}

/** `Ada <ada@example.com>`, as far as it is known. */
export function userText({ name, email, user_id }: NonNullable<AuthStatus['user']>): string {
  const address = email ?? user_id ?? 'somebody';
  return printable(name ? `${name} <${address}>` : address);
}

function tokenText(expiresAt: number, now: number): string {
  return `${expiresAt * 1000 <= now ? 'expired' : 'good until'} ${timeText(expiresAt)}`;
}

function creditsText({ credits_remaining: left, resets_at: reset }: User['billing']): string {
  return `${left} left${reset === null ? '' : `; reset at ${timeText(reset)}`}`;
}

/** `2026-11-21 18:13 UTC`. */
export function timeText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
