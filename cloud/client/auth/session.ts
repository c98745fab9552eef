// The credential of a request. It is looked up for each request, and refreshed once for all processes that share its file.
import { UserError } from '../../../renderer-core/errors.ts';
import {
  type Credential,
  credentialsPath,
  environmentCredential,
  fileCredential,
  signedOut,
  sourceText,
  withRefreshed,
} from './credentials.ts';
import { readCredentials, updateCredentials } from './credentialsFile.ts';
import { discoverServer, refreshTokens } from './oauthClient.ts';

export type Session = {
  /** The credential to send; expired tokens are refreshed first. Throws UserError, for example `signed_out`. */
  credential(signal?: AbortSignal): Promise<Credential>;
  /** A new credential in place of one that the service refused; undefined when it cannot be refreshed. */
  renewed(refused: Credential, signal?: AbortSignal): Promise<Credential | undefined>;
};

/** `now` is in unix milliseconds. */
export type SessionOptions = { env: NodeJS.ProcessEnv; apiUrl: string; now: () => number };

/** Tokens are refreshed this long before they expire: clocks differ, and requests take time. */
const skewSeconds = 30;

export function createSession({ env, apiUrl, now }: SessionOptions): Session {
  const isExpired = (credential: Credential): boolean =>
    credential.kind === 'oauth' &&
    credential.tokens.expires_at !== undefined &&
    credential.tokens.expires_at - skewSeconds <= now() / 1000;
  return {
    async credential(signal) {
      const credential = await findCredential(env);
      if (credential === undefined) throw signedOut();
      if (credential.kind !== 'oauth' || !isExpired(credential) || !credential.tokens.refresh_token) return credential;
      return refreshCredential({ env, apiUrl, now }, credential, signal);
    },
    async renewed(refused, signal) {
      if (refused.kind !== 'oauth' || !refused.tokens.refresh_token) return undefined;
      return refreshCredential({ env, apiUrl, now }, refused, signal);
    },
  };
}

/** Looks at two environment variables, then at the file. */
export async function findCredential(env: NodeJS.ProcessEnv): Promise<Credential | undefined> {
  const path = credentialsPath(env);
  return environmentCredential(env) ?? fileCredential(await readCredentials(path), path);
}

/**
 * Replaces the tokens `used`: by those that another process has stored since, or by refreshed ones. The file stays locked
 * from reading to writing, so that no refresh token is used twice.
 */
export async function refreshCredential(
  { env, apiUrl, now }: SessionOptions,
  used: Credential | undefined,
  signal?: AbortSignal,
): Promise<Credential> {
  const path = credentialsPath(env);
  const file = await updateCredentials(
    path,
    async (current) => {
      const { oauth } = current;
      if (!oauth) throw signedOut();
      if (used?.kind === 'oauth' && oauth.access_token !== used.tokens.access_token) return current;
      if (!oauth.refresh_token) throw notRefreshable(path);
      const server = await discoverServer(apiUrl, signal);
      return withRefreshed(current, await refreshTokens(server, oauth.refresh_token, now));
    },
    { now, signal },
  );
  const credential = fileCredential(file, path);
  if (credential === undefined) throw signedOut();
  return credential;
}

function notRefreshable(path: string): UserError {
  return new UserError('authentication_failed', `The credentials file ${path} contains no refresh token.`, {
    hint: 'Sign in again: framework auth login.',
  });
}

/** The error for a credential that the service refuses. It names the source of the credential, never its value. */
export function refusedCredential(credential: Credential, message: string): UserError {
  const { kind, source } = credential;
  const what = kind === 'oauth' ? 'sign-in' : 'API key';
  const hint =
    source.kind === 'environment'
      ? `Set ${source.name} to a valid key, or unset it to use the credential that framework auth login stores.`
      : 'Sign in again: framework auth login.';
  return new UserError(
    'authentication_failed',
    `The service rejected the ${what} in ${sourceText(source)}: ${message}`,
    { hint },
  );
}
