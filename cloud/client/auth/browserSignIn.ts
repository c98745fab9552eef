// Sign-in in the browser: authorization code with PKCE, redirected to a port of this machine.
import { setTimeout as sleep } from 'node:timers/promises';
import * as oauth from 'oauth4webapi';
import { UserError } from '../../../renderer-core/errors.ts';
import { maySendSecrets, printable } from '../apiUrl.ts';
import { cancelled } from '../retry.ts';
import { type Callback, listenForCallback } from './callbackServer.ts';
import type { OauthTokens } from './credentials.ts';
import {
  clientAuth,
  type OauthServer,
  oauthClient,
  requestOptions,
  tokensOf,
  wantedScope,
  withServerErrors,
} from './oauthClient.ts';

export type BrowserSignIn = {
  server: OauthServer;
  /** Receives the address of the sign-in page. The caller opens it. */
  onUrl: (url: string) => void;
  signal: AbortSignal;
  /** Time for the user to sign in. Default 5 minutes. */
  timeoutMs?: number;
  /** Unix milliseconds. */
  now: () => number;
};

const defaultTimeoutMs = 5 * 60_000;

/** Throws UserError `sign_in_failed`, `cancelled`, and the errors of `withServerErrors`. */
export async function signInWithBrowser(options: BrowserSignIn): Promise<OauthTokens> {
  const { server, onUrl, signal, now, timeoutMs = defaultTimeoutMs } = options;
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const callbacks = await listenForCallback(state);
  try {
    const { redirectUri } = callbacks;
    onUrl(await authorizationUrl(server, { redirectUri, verifier, state }));
    const callback = await withTimeout(callbacks.answer, timeoutMs, signal);
    const tokens = await redeem(server, { callback, redirectUri, verifier, state, signal, now });
    await callback.show({ ok: true, message: 'You can close this page and return to the terminal.' });
    return tokens;
  } finally {
    callbacks.close();
  }
}

type Redemption = {
  callback: Callback;
  redirectUri: string;
  verifier: string;
  state: string;
  signal: AbortSignal;
  now: () => number;
};

/** Checks the response (state, issuer, errors) and exchanges its code for tokens. The browser shows any error. */
async function redeem(server: OauthServer, redemption: Redemption): Promise<OauthTokens> {
  const { callback, redirectUri, verifier, state, signal, now } = redemption;
  const { metadata, origin } = server;
  try {
    return await withServerErrors(origin, signal, async () => {
      const parameters = checkResponse(metadata, callback.parameters, state);
      const options = requestOptions(server, signal);
      const response = await oauth.authorizationCodeGrantRequest(
        metadata,
        oauthClient,
        clientAuth,
        parameters,
        redirectUri,
        verifier,
        options,
      );
      return tokensOf(await oauth.processAuthorizationCodeResponse(metadata, oauthClient, response), now());
    });
  } catch (error) {
    if (!signal.aborted) await callback.show({ ok: false, message: (error as Error).message });
    throw error;
  }
}

async function authorizationUrl(
  { metadata, origin }: OauthServer,
  { redirectUri, verifier, state }: { redirectUri: string; verifier: string; state: string },
): Promise<string> {
  const { authorization_endpoint: endpoint = '' } = metadata;
  // The system opens this address, and would start other programs for other protocols.
  if (!URL.canParse(endpoint) || !maySendSecrets(new URL(endpoint))) {
    throw new UserError('service_answer_invalid', `${origin.origin} has no valid address of a sign-in page.`, {
      hint: 'Use framework auth login --device, or --api-key.',
    });
  }
  const url = new URL(endpoint);
  const scope = wantedScope(metadata);
  const parameters = {
    client_id: oauthClient.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...(scope === undefined ? {} : { scope }),
    // The server grants offline access only after explicit consent.
    ...(scope?.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function checkResponse(metadata: oauth.AuthorizationServer, response: URLSearchParams, state: string): URLSearchParams {
  try {
    return oauth.validateAuthResponse(metadata, oauthClient, response, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied') {
      throw new UserError('sign_in_failed', 'Access was denied on the sign-in page.', {
        hint: 'Run framework auth login to try again.',
      });
    }
    const reason =
      error instanceof oauth.AuthorizationResponseError
        ? (error.error_description ?? error.error)
        : (error as Error).message;
    throw new UserError('sign_in_failed', `The sign-in page returned an error: ${printable(reason)}.`, {
      hint: 'Run framework auth login to try again.',
      cause: error,
    });
  }
}

async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T> {
  const settled = new AbortController();
  const limit = sleep(timeoutMs, undefined, { signal: AbortSignal.any([signal, settled.signal]) }).then(
    () => {
      throw new UserError(
        'sign_in_failed',
        `The sign-in was not completed within ${Math.round(timeoutMs / 60_000)} minutes.`,
        { hint: 'Run framework auth login again. If your browser cannot reach this machine, add --device.' },
      );
    },
    () => {
      throw cancelled(signal.reason);
    },
  );
  try {
    return await Promise.race([promise, limit]);
  } finally {
    settled.abort();
  }
}
