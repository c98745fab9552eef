// Sign-in without a browser on this machine: the user types a code on another device, while the server is polled.
import { setTimeout } from 'node:timers/promises';
import * as oauth from 'oauth4webapi';
import { UserError } from '../../../renderer-core/errors.ts';
import { maySendSecrets, printable } from '../apiUrl.ts';
import { cancelled, retryDelayMs } from '../retry.ts';
import type { OauthTokens } from './credentials.ts';
import type { DeviceCode } from './deviceCode.ts';
import {
  clientAuth,
  type OauthServer,
  oauthClient,
  requestOptions,
  tokensOf,
  wantedScope,
  withServerErrors,
} from './oauthClient.ts';

export type DeviceSignIn = {
  server: OauthServer;
  onCode: (code: DeviceCode) => void;
  signal: AbortSignal;
  /** Unix milliseconds. */
  now: () => number;
  /** Replaced in tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** Both from RFC 8628: the polling interval without `interval`, and its increase after `slow_down`. */
const defaultIntervalSeconds = 5;
const slowDownSeconds = 5;

/** Throws UserError `sign_in_failed`, `cancelled`, and the errors of `withServerErrors`. */
export async function signInWithDevice(options: DeviceSignIn): Promise<OauthTokens> {
  const { server, onCode, signal, now, sleep = (ms, stop) => setTimeout(ms, undefined, { signal: stop }) } = options;
  const { device_code, interval = defaultIntervalSeconds, expires_in, ...code } = await requestCode(server, signal);
  const until = now() + expires_in * 1000;
  onCode({
    userCode: printable(code.user_code),
    url: shownUrl(code.verification_uri),
    ...(code.verification_uri_complete ? { completeUrl: shownUrl(code.verification_uri_complete) } : {}),
    expiresIn: expires_in,
  });
  let seconds = interval;
  for (;;) {
    // Rejects only when the signal aborts.
    await sleep(seconds * 1000, signal).catch(() => undefined);
    if (signal.aborted) throw cancelled(signal.reason);
    if (now() >= until) throw expired();
    const result = await poll(server, device_code, signal, now);
    if (typeof result === 'object') return result;
    if (result === 'slower') seconds += slowDownSeconds;
  }
}

function requestCode(server: OauthServer, signal: AbortSignal): Promise<oauth.DeviceAuthorizationResponse> {
  const { metadata, origin } = server;
  if (metadata.device_authorization_endpoint === undefined) {
    throw new UserError('sign_in_failed', `${origin.origin} does not support sign-in with a code.`, {
      hint: 'Use framework auth login without --device, or with --api-key.',
    });
  }
  const scope = wantedScope(metadata);
  return withServerErrors(origin, signal, async () => {
    const parameters: Record<string, string> = scope === undefined ? {} : { scope };
    const options = requestOptions(server, signal);
    const response = await oauth.deviceAuthorizationRequest(metadata, oauthClient, clientAuth, parameters, options);
    return oauth.processDeviceAuthorizationResponse(metadata, oauthClient, response);
  });
}

/** One request. After a temporary error, the server is polled less often. */
async function poll(
  server: OauthServer,
  deviceCode: string,
  signal: AbortSignal,
  now: () => number,
): Promise<OauthTokens | 'again' | 'slower'> {
  const { metadata, origin } = server;
  try {
    return await withServerErrors(origin, signal, async () => {
      const options = requestOptions(server, signal);
      const response = await oauth.deviceCodeGrantRequest(metadata, oauthClient, clientAuth, deviceCode, options);
      return tokensOf(await oauth.processDeviceCodeResponse(metadata, oauthClient, response), now());
    });
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    const code = cause instanceof oauth.ResponseBodyError ? cause.error : undefined;
    if (code === 'authorization_pending') return 'again';
    if (code === 'slow_down' || retryDelayMs(error) !== undefined) return 'slower';
    if (code === 'expired_token' || code === 'invalid_grant') throw expired();
    if (code !== 'access_denied') throw error;
    throw new UserError('sign_in_failed', 'Access was denied on the sign-in page.', { hint: retryHint });
  }
}

const retryHint = 'Run framework auth login --device to try again.';

function expired(): UserError {
  return new UserError('sign_in_failed', 'The code expired before it was used.', { hint: retryHint });
}

/** Users click links in a terminal, so only web pages are shown. */
function shownUrl(url: string): string {
  if (URL.canParse(url) && maySendSecrets(new URL(url))) return new URL(url).href;
  throw new UserError(
    'service_answer_invalid',
    `The service returned an invalid address of its sign-in page: ${printable(url)}.`,
  );
}
