// `framework auth status`: shows the credential in use, its user, and the remaining credits.
import type { User } from '../../../cloud/client/apiTypes.ts';
import { apiUrl, printable } from '../../../cloud/client/apiUrl.ts';
import {
  type Credential,
  type CredentialSource,
  credentialsPath,
  maskSecret,
  signedOut,
  sourceText,
} from '../../../cloud/client/auth/credentials.ts';
import { readCredentials } from '../../../cloud/client/auth/credentialsFile.ts';
import { fetchUser } from '../../../cloud/client/auth/currentUser.ts';
import { findCredential } from '../../../cloud/client/auth/session.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { ErrorJson } from '../../../renderer-core/reports/errorJson.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { type Colors, colorsFor } from '../../output/colors.ts';
import { errorJson } from '../../output/formatError.ts';
import { serviceClient } from '../../serviceClient.ts';

/** Times are Unix seconds. `user` comes from the service or, if it cannot be reached, from the last sign-in. */
export type AuthStatus = {
  /** Whether the service accepted the credential; with `--stored`, whether one is stored. */
  signedIn: boolean;
  apiUrl: string;
  /** Absolute path of the credentials file, which may not exist. */
  file: string;
  kind: Credential['kind'] | null;
  source: CredentialSource | null;
  /** The first characters of the credential. */
  credential: string | null;
  expiresAt: number | null;
  scope: string | null;
  user: { user_id?: string; email?: string; name?: string | null } | null;
  billing: User['billing'] | null;
  error: ErrorJson | null;
};

/** The exit status is 1 if there is no credential, or the service does not accept it. Throws UserError. */
export async function runAuthStatus({ flags }: CommandInput, io: CliIo): Promise<number> {
  const status = await (flags.has('stored') ? storedStatus(io) : authStatus(io));
  if (flags.has('json')) io.stdout.write(`${JSON.stringify(status)}\n`);
  else io.stdout.write(statusText(status, colorsFor(io.stdout, io.env), Date.now()));
  return status.signedIn ? 0 : 1;
}

async function authStatus(io: CliIo): Promise<AuthStatus> {
  const before = await findCredential(io.env);
  if (before === undefined) return { ...emptyStatus(io), error: errorJson(signedOut()) };
  try {
    const { user_id, email, name, billing } = await fetchUser(serviceClient(io, { isInteractive: true }), io.signal);
    // The request may have refreshed the tokens.
    const credential = (await findCredential(io.env)) ?? before;
    return {
      ...emptyStatus(io),
      ...credentialFacts(credential),
      signedIn: true,
      user: { user_id, email, name },
      billing,
    };
  } catch (error) {
    if (!(error instanceof UserError) || error.code === 'cancelled') throw error;
    return { ...emptyStatus(io), ...credentialFacts(before), user: await userOf(before, io), error: errorJson(error) };
  }
}

async function storedStatus(io: CliIo): Promise<AuthStatus> {
  const credential = await findCredential(io.env);
  if (credential === undefined) return { ...emptyStatus(io), error: errorJson(signedOut()) };
  return { ...emptyStatus(io), ...credentialFacts(credential), signedIn: true, user: await userOf(credential, io) };
}

/** The user as stored at the last sign-in. */
async function userOf({ source }: Credential, { env }: CliIo): Promise<AuthStatus['user']> {
  return source.kind === 'file' ? storedUser((await readCredentials(credentialsPath(env))).user) : null;
}

const emptyStatus = ({ env }: CliIo): AuthStatus => ({
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

function credentialFacts(credential: Credential) {
  const { kind, source } = credential;
  if (kind === 'api_key') return { kind, source, credential: maskSecret(credential.key) };
  const { access_token, expires_at = null, scope = null } = credential.tokens;
  return { kind, source, credential: maskSecret(access_token), expiresAt: expires_at, scope };
}

/** Another program may have written the file, so check the types. */
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
  const owner = !signedIn && user ? userText(user) : '';
  const rows = [
    ['Service', status.apiUrl],
    ['Credential', source && `${kind === 'oauth' ? 'sign-in' : 'API key'} ${credential}, from ${sourceText(source)}`],
    ['Signed in as', owner],
    ['Token', expiresAt === null ? '' : tokenText(expiresAt, now)],
    ['Plan', billing && printable(billing.plan)],
    ['Credits', billing && creditsText(billing)],
  ].filter((row): row is [string, string] => Boolean(row[1]));
  const width = Math.max(...rows.map(([name]) => name.length));
  const hint = error?.hint === undefined ? [] : [`${colors.cyan('hint:')} ${error.hint}`];
  return `${[head, ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`), ...hint].join('\n')}\n`;
}

/** `Ada <ada@example.com>`, or the parts that are known. */
export function userText({ name, email, user_id }: NonNullable<AuthStatus['user']>): string {
  const address = email ?? user_id ?? 'unknown user';
  return printable(name ? `${name} <${address}>` : address);
}

function tokenText(expiresAt: number, now: number): string {
  return `${expiresAt * 1000 <= now ? 'expired' : 'valid until'} ${timeText(expiresAt)}`;
}

function creditsText({ credits_remaining: left, resets_at: reset }: User['billing']): string {
  return `${left} left${reset === null ? '' : `; resets at ${timeText(reset)}`}`;
}

/** `2026-11-21 18:13 UTC`. */
export function timeText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
