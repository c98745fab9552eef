// The credential that a command uses: found anew for each request, refreshed once for all processes that share its file.
import { UserError } from '../errors.ts';
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
import { discoverServer, refreshTokens } from './oauth.ts';

export type Session = {
  /** The credential to send now; tokens that have expired are refreshed before. Throws UserError, `signed_out` for one. */
  credential(signal?: AbortSignal): Promise<Credential>;
  /** Another credential in place of one that was refused; undefined when there is none to be had. */
  renewed(refused: Credential, signal?: AbortSignal): Promise<Credential | undefined>;
};

export type SessionOptions = { env: NodeJS.ProcessEnv; apiUrl: string; now?: () => number };

/** So long before its end a token is not worth sending any more: clocks differ, and requests take time. */
const skewSeconds = 30;

export function createSession({ env, apiUrl, now = Date.now }: SessionOptions): Session {
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

/** The first that there is: two environment variables, then the file. */
export async function findCredential(env: NodeJS.ProcessEnv): Promise<Credential | undefined> {
  const path = credentialsPath(env);
  return environmentCredential(env) ?? fileCredential(await readCredentials(path), path);
}

/**
 * Tokens in place of `used`: those that another process has put into the file meanwhile, else newly refreshed ones.
 * The file stays locked from reading to writing, so that no refresh token is sent twice.
 */
export async function refreshCredential(
  { env, apiUrl, now = Date.now }: SessionOptions,
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
    signal,
  );
  const credential = fileCredential(file, path);
  if (credential === undefined) throw signedOut();
  return credential;
}

function notRefreshable(path: string): UserError {
  return new UserError('authentication_failed', `There is no refresh token in ${path}.`, {
    hint: 'Sign in again: framework auth login.',
  });
}

/** What to say when the service refuses a credential: where it comes from, never what it is. */
export function refusedCredential(credential: Credential, message: string): UserError {
  const { kind, source } = credential;
  const what = kind === 'oauth' ? 'sign-in' : 'API key';
  const hint =
    source.kind === 'environment'
      ? `Put a key that is in force into ${source.name}, or unset it to use what framework auth login stores.`
      : 'Sign in again: framework auth login.';
  return new UserError(
    'authentication_failed',
    `The service refuses the ${what} in ${sourceText(source)}: ${message}`,
    { hint },
  );
}
