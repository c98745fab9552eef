// What is in the credentials file, and which credential counts. The file is shared with a sibling tool of the service.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { UserError } from '../errors.ts';
import { lineAndColumn } from '../model/spans.ts';

/** What an OAuth server gave. `expires_at` is in unix seconds. Other members may be there and stay. */
export type OauthTokens = {
  access_token: string;
  refresh_token?: string;
  expires_at?: number;
  scope?: string;
  token_type?: string;
};

/** The whole file. Members that are not known here belong to somebody else and stay. */
export type CredentialsFile = {
  api_key?: string;
  oauth?: OauthTokens & Record<string, unknown>;
  user?: Record<string, unknown>;
  [other: string]: unknown;
};

/** Where a credential comes from: the name of an environment variable, or a file. */
export type CredentialSource = { kind: 'environment'; name: string } | { kind: 'file'; path: string };

export type Credential =
  | { kind: 'api_key'; key: string; source: CredentialSource }
  | { kind: 'oauth'; tokens: OauthTokens; source: CredentialSource };

/** In the order in which they count; all of them count before the file. */
export const keyVariables = ['SERVICE_API_KEY', 'FRAMEWORK_API_KEY'] as const;

/** `~/.service/credentials`. */
export function credentialsPath(env: NodeJS.ProcessEnv): string {
  return join(env.HOME || homedir(), '.service', 'credentials');
}

/** The API key of the environment, if one is set. Space around it is not part of it; an empty one is none. */
export function environmentCredential(env: NodeJS.ProcessEnv): Credential | undefined {
  for (const name of keyVariables) {
    const key = env[name]?.trim();
    if (key) return { kind: 'api_key', key: checkKey(key, name), source: { kind: 'environment', name } };
  }
  return undefined;
}

/** Of a file that holds both, the tokens count: whoever signed in that way last would wonder at an old key. */
export function fileCredential(file: CredentialsFile, path: string): Credential | undefined {
  const source: CredentialSource = { kind: 'file', path };
  if (file.oauth) return { kind: 'oauth', tokens: file.oauth, source };
  if (file.api_key) return { kind: 'api_key', key: checkKey(file.api_key, path), source };
  return undefined;
}

export function signedOut(): UserError {
  return new UserError('signed_out', 'You are not signed in to the service.', {
    hint: `Run framework auth login, or set ${keyVariables[0]}.`,
  });
}

export function sourceText(source: CredentialSource): string {
  return source.kind === 'environment' ? source.name : source.path;
}

/** The first characters, to tell a secret from another; of a short one nothing. */
export function maskSecret(secret: string): string {
  return secret.length < 16 ? '…' : `${secret.slice(0, 6)}…`;
}

/** The key itself. What cannot be sent in a header is no key; `where` names its place, for the message. */
export function checkKey(key: string, where: string): string {
  if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key;
  throw new UserError(
    'authentication_failed',
    `What is in ${where} is not an API key: it has spaces or other characters that no key has.`,
    {
      hint: 'Copy the key again, without anything around it.',
    },
  );
}

/** Tokens of a new sign-in put into the file: of the old ones nothing stays. */
export function withTokens(file: CredentialsFile, tokens: OauthTokens): CredentialsFile {
  const { access_token, refresh_token, expires_at, scope, token_type, ...others } = file.oauth ?? { access_token: '' };
  return { ...file, oauth: { ...others, ...tokens } };
}

/** Refreshed tokens put into the file. What the server does not say again, as the refresh token, stays in force. */
export function withRefreshed(file: CredentialsFile, tokens: OauthTokens): CredentialsFile {
  const { refresh_token, scope } = file.oauth ?? {};
  return withTokens(file, {
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(scope === undefined ? {} : { scope }),
    ...tokens,
  });
}

/** Reads the file's text. Throws UserError `credentials_invalid`, whose message never quotes what is in the file. */
export function parseCredentials(text: string, path: string): CredentialsFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's own message would quote what is beside the fault: a secret.
    throw invalid(path, 'is not valid JSON', faultPlace(text));
  }
  if (!isObject(value)) throw invalid(path, 'does not hold a JSON object');
  const wrong = firstWrongMember(value);
  if (wrong !== undefined) throw invalid(path, wrong);
  return value;
}

function faultPlace(text: string): { line: number; column: number } {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  return lineAndColumn(text, errors[0]?.offset ?? 0);
}

function firstWrongMember(file: Record<string, unknown>): string | undefined {
  const { api_key, oauth, user } = file;
  if (api_key !== undefined && typeof api_key !== 'string') return 'has an api_key that is not a text';
  if (user !== undefined && !isObject(user)) return 'has a user that is not an object';
  if (oauth === undefined) return undefined;
  if (!isObject(oauth)) return 'has an oauth that is not an object';
  if (typeof oauth.access_token !== 'string' || oauth.access_token === '') return 'has an oauth without access_token';
  for (const name of ['refresh_token', 'scope', 'token_type']) {
    if (oauth[name] !== undefined && typeof oauth[name] !== 'string') return `has an oauth.${name} that is not a text`;
  }
  if (oauth.expires_at !== undefined && typeof oauth.expires_at !== 'number')
    return 'has an oauth.expires_at that is not a number';
  return undefined;
}

function invalid(path: string, what: string, place?: { line: number; column: number }): UserError {
  return new UserError('credentials_invalid', `The credentials file ${path} ${what}.`, {
    hint: 'Mend it, or delete it and run framework auth login.',
    place: { file: path, ...place },
  });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
