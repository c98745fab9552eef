// Signing in with the browser: authorization code with PKCE, the answer caught on a port of this machine.
import { setTimeout as sleep } from 'node:timers/promises';
import * as oauth from 'oauth4webapi';
import { UserError } from '../errors.ts';
import { maySendSecrets, printable } from './apiUrl.ts';
import { type Callback, listenForCallback } from './callbackServer.ts';
import type { OauthTokens } from './credentials.ts';
import { atServer, clientAuth, type OauthServer, oauthClient, requestOptions, tokensOf, wantedScope } from './oauth.ts';
import { cancelled } from './retry.ts';

export type BrowserSignIn = {
  server: OauthServer;
  /** Told the address of the sign-in page; opening it is the caller's part, and may fail. */
  onUrl: (url: string) => void;
  signal: AbortSignal;
  /** How long the user may take. */
  patienceMs?: number;
  now?: () => number;
};

const defaultPatienceMs = 5 * 60_000;

/** Throws UserError `sign_in_failed`, `cancelled`, and what the server's faults are put into. */
export async function signInWithBrowser({ server, onUrl, signal, ...options }: BrowserSignIn): Promise<OauthTokens> {
  const { patienceMs = defaultPatienceMs, now = Date.now } = options;
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const callbacks = await listenForCallback(state);
  try {
    const { redirectUri } = callbacks;
    onUrl(await authorizationUrl(server, { redirectUri, verifier, state }));
    const callback = await inTime(callbacks.answer, patienceMs, signal);
    const tokens = await redeem(server, { callback, redirectUri, verifier, state, signal, now });
    await callback.show({ ok: true, message: 'You can close this page and go back to the terminal.' });
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

/** Checks the answer (state, issuer, errors) and trades its code for tokens. The browser is told what went wrong. */
async function redeem(server: OauthServer, redemption: Redemption): Promise<OauthTokens> {
  const { callback, redirectUri, verifier, state, signal, now } = redemption;
  const { metadata, origin } = server;
  try {
    return await atServer(origin, signal, async () => {
      const parameters = checkAnswer(metadata, callback.parameters, state);
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
  // It is handed to the system, which would open a program for some other kind of address.
  if (!URL.canParse(endpoint) || !maySendSecrets(new URL(endpoint))) {
    throw new UserError('service_answer_invalid', `${origin.origin} names no page to sign in with a browser.`, {
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
    // Access that outlives the visit is only given to those who were asked.
    ...(scope?.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function checkAnswer(metadata: oauth.AuthorizationServer, answer: URLSearchParams, state: string): URLSearchParams {
  try {
    return oauth.validateAuthResponse(metadata, oauthClient, answer, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied') {
      throw new UserError('sign_in_failed', 'Access was not granted on the sign-in page.', {
        hint: 'Run framework auth login to try again.',
      });
    }
    const said =
      error instanceof oauth.AuthorizationResponseError
        ? (error.error_description ?? error.error)
        : (error as Error).message;
    throw new UserError('sign_in_failed', `The sign-in page answered with a fault: ${printable(said)}.`, {
      hint: 'Run framework auth login to try again.',
      cause: error,
    });
  }
}

async function inTime<T>(promise: Promise<T>, patienceMs: number, signal: AbortSignal): Promise<T> {
  const over = new AbortController();
  const limit = sleep(patienceMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }).then(
    () => {
      throw new UserError('sign_in_failed', `Nobody signed in within ${Math.round(patienceMs / 60_000)} minutes.`, {
        hint: 'Run framework auth login again; where no browser can reach this machine, add --device.',
      });
    },
    () => {
      throw cancelled(signal.reason);
    },
  );
  try {
    return await Promise.race([promise, limit]);
  } finally {
    over.abort();
    limit.catch(() => undefined);
  }
}
