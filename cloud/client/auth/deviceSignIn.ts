// Signing in where there is no browser: a code to type on another device, and asking the server until that is done.
import { setTimeout } from 'node:timers/promises';
import * as oauth from 'oauth4webapi';
import { UserError } from '../errors.ts';
import { maySendSecrets, printable } from './apiUrl.ts';
import type { OauthTokens } from './credentials.ts';
import { atServer, clientAuth, type OauthServer, oauthClient, requestOptions, tokensOf, wantedScope } from './oauth.ts';
import { cancelled, passesAfter } from './retry.ts';

/** What the user needs. `completeUrl` has the code in it; `expiresIn` in seconds. */
export type DeviceCode = { userCode: string; url: string; completeUrl: string | undefined; expiresIn: number };

export type DeviceSignIn = {
  server: OauthServer;
  onCode: (code: DeviceCode) => void;
  signal: AbortSignal;
  now?: () => number;
  /** Milliseconds. Replaced in tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

const defaultIntervalSeconds = 5;
/** What a server that finds us too fast wants to be added. */
const slowDownSeconds = 5;

/** Throws UserError `sign_in_failed`, `cancelled`, and what the server's faults are put into. */
export async function signInWithDevice({ server, onCode, signal, ...options }: DeviceSignIn): Promise<OauthTokens> {
  const { now = Date.now, sleep = (ms, stop) => setTimeout(ms, undefined, { signal: stop }) } = options;
  const { device_code, interval = defaultIntervalSeconds, expires_in, ...code } = await askForCode(server, signal);
  const until = now() + expires_in * 1000;
  onCode({
    userCode: printable(code.user_code),
    url: shownUrl(code.verification_uri),
    completeUrl: code.verification_uri_complete && shownUrl(code.verification_uri_complete),
    expiresIn: expires_in,
  });
  let seconds = interval;
  for (;;) {
    await sleep(seconds * 1000, signal).catch(() => undefined);
    if (signal.aborted) throw cancelled(signal.reason);
    if (now() >= until) throw expired();
    const answer = await poll(server, device_code, signal, now);
    if (typeof answer === 'object') return answer;
    if (answer === 'slower') seconds += slowDownSeconds;
  }
}

function askForCode(server: OauthServer, signal: AbortSignal): Promise<oauth.DeviceAuthorizationResponse> {
  const { metadata, origin } = server;
  if (metadata.device_authorization_endpoint === undefined) {
    throw new UserError('sign_in_failed', `${origin.origin} does not offer sign-in with a code.`, {
      hint: 'Use framework auth login without --device, or with --api-key.',
    });
  }
  const scope = wantedScope(metadata);
  return atServer(origin, signal, async () => {
    const parameters: Record<string, string> = scope === undefined ? {} : { scope };
    const options = requestOptions(server, signal);
    const response = await oauth.deviceAuthorizationRequest(metadata, oauthClient, clientAuth, parameters, options);
    return oauth.processDeviceAuthorizationResponse(metadata, oauthClient, response);
  });
}

/** One question. A server that cannot be reached for a moment is asked again, less often. */
async function poll(
  server: OauthServer,
  deviceCode: string,
  signal: AbortSignal,
  now: () => number,
): Promise<OauthTokens | 'again' | 'slower'> {
  const { metadata, origin } = server;
  try {
    return await atServer(origin, signal, async () => {
      const options = requestOptions(server, signal);
      const response = await oauth.deviceCodeGrantRequest(metadata, oauthClient, clientAuth, deviceCode, options);
      return tokensOf(await oauth.processDeviceCodeResponse(metadata, oauthClient, response), now());
    });
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    const said = cause instanceof oauth.ResponseBodyError ? cause.error : undefined;
    if (said === 'authorization_pending') return 'again';
    if (said === 'slow_down' || passesAfter(error) !== undefined) return 'slower';
    if (said === 'expired_token' || said === 'invalid_grant') throw expired();
    if (said !== 'access_denied') throw error;
    throw new UserError('sign_in_failed', 'Access was not granted on the sign-in page.', { hint: again });
  }
}

const again = 'Run framework auth login --device to try again.';

function expired(): UserError {
  return new UserError('sign_in_failed', 'The code has expired before it was used.', { hint: again });
}

/** A link in a terminal is clicked: only web pages may be behind it. */
function shownUrl(url: string): string {
  if (URL.canParse(url) && maySendSecrets(new URL(url))) return new URL(url).href;
  throw new UserError(
    'service_answer_invalid',
    `The service names ${printable(url)} as its sign-in page, which is none.`,
  );
}
