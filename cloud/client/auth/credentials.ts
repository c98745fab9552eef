// Content of the credentials file, and the order in which credentials are used. Another tool of the service shares the file.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { UserError } from '../../../renderer-core/errors.ts';
import { lineAndColumn } from '../../../renderer-core/model/text/spans.ts';
import { given } from '../../../renderer-core/model/variables/given.ts';

/** `expires_at` is in unix seconds. */
export type OauthTokens = {
  access_token: string;
  refresh_token?: string;
  expires_at?: number;
  scope?: string;
  token_type?: string;
};

/** The whole file. Unknown members belong to other tools and are preserved. */
export type CredentialsFile = {
  api_key?: string;
  oauth?: OauthTokens & Record<string, unknown>;
  user?: Record<string, unknown>;
  [other: string]: unknown;
};

export type CredentialSource = { kind: 'environment'; name: string } | { kind: 'file'; path: string };

export type Credential =
  | { kind: 'api_key'; key: string; source: CredentialSource }
  | { kind: 'oauth'; tokens: OauthTokens; source: CredentialSource };

/** In order of precedence; all of them take precedence over the file. */
export const keyVariables = ['SERVICE_API_KEY', 'FRAMEWORK_API_KEY'] as const;

/** `~/.service/credentials`. */
export function credentialsPath(env: NodeJS.ProcessEnv): string {
  return join(env.HOME || homedir(), '.service', 'credentials');
}

/** The API key of the environment, without surrounding space. Undefined when it is unset or empty. */
export function environmentCredential(env: NodeJS.ProcessEnv): Credential | undefined {
  for (const name of keyVariables) {
    const key = env[name]?.trim();
    if (key) return { kind: 'api_key', key: checkKey(key, name), source: { kind: 'environment', name } };
  }
  return undefined;
}

/** Tokens take precedence over a key in the same file. */
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

/** The first characters, to distinguish secrets; none of a short one. */
export function maskSecret(secret: string): string {
  return secret.length < 16 ? '…' : `${secret.slice(0, 6)}…`;
}

/** Returns the key. Throws UserError when a header cannot contain it; `where` names its source for the message. */
export function checkKey(key: string, where: string): string {
  if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key;
  throw new UserError(
    'authentication_failed',
    `The value in ${where} is not an API key: it contains spaces or other characters that keys do not have.`,
    {
      hint: 'Copy the key again, without quotes or spaces.',
    },
  );
}

/** Replaces all tokens in the file, after a new sign-in. */
export function withTokens(file: CredentialsFile, tokens: OauthTokens): CredentialsFile {
  const { access_token, refresh_token, expires_at, scope, token_type, ...others } = file.oauth ?? { access_token: '' };
  return { ...file, oauth: { ...others, ...tokens } };
}

/** Updates the tokens in the file. A refresh token or scope that the server did not return again remains valid. */
export function withRefreshed(file: CredentialsFile, tokens: OauthTokens): CredentialsFile {
  const { refresh_token, scope } = file.oauth ?? {};
  return withTokens(file, {
    ...given({ refresh_token, scope }),
    ...tokens,
  });
}

/** Throws UserError `credentials_invalid`, whose message never quotes the content of the file. */
export function parseCredentials(text: string, path: string): CredentialsFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of JSON.parse quotes the text around the error, which may be a secret.
    throw invalid(path, 'is not valid JSON', firstErrorPosition(text));
  }
  if (!isObject(value)) throw invalid(path, 'must contain a JSON object');
  const wrong = firstWrongMember(value);
  if (wrong !== undefined) throw invalid(path, wrong);
  return value;
}

function firstErrorPosition(text: string): { line: number; column: number } {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  return lineAndColumn(text, errors[0]?.offset ?? 0);
}

function firstWrongMember(file: Record<string, unknown>): string | undefined {
  const { api_key, oauth, user } = file;
  if (api_key !== undefined && typeof api_key !== 'string') return 'is invalid: api_key must be a string';
  if (user !== undefined && !isObject(user)) return 'is invalid: user must be an object';
  if (oauth === undefined) return undefined;
  if (!isObject(oauth)) return 'is invalid: oauth must be an object';
  if (typeof oauth.access_token !== 'string' || oauth.access_token === '')
    return 'is invalid: oauth.access_token must be a non-empty string';
  for (const name of ['refresh_token', 'scope', 'token_type']) {
    if (oauth[name] !== undefined && typeof oauth[name] !== 'string')
      return `is invalid: oauth.${name} must be a string`;
  }
  if (oauth.expires_at !== undefined && typeof oauth.expires_at !== 'number')
    return 'is invalid: oauth.expires_at must be a number';
  return undefined;
}

function invalid(path: string, what: string, place?: { line: number; column: number }): UserError {
  return new UserError('credentials_invalid', `The credentials file ${path} ${what}.`, {
    hint: 'Fix it, or delete it and run framework auth login.',
    place: { file: path, ...place },
  });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
