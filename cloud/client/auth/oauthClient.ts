// The OAuth client: server metadata, refreshing and revoking tokens, and error messages.

import * as oauth from 'oauth4webapi';
import { UserError } from '../../../renderer-core/errors.ts';
import { given } from '../../../renderer-core/model/variables/given.ts';
import { isLoopback, maySendSecrets, printable } from '../apiUrl.ts';
import { unreachable } from '../httpExchange.ts';
import { cancelled, markRetryable } from '../retry.ts';
import type { OauthTokens } from './credentials.ts';

/** A public client without a secret; PKCE proves that a code is redeemed by the client that requested it. */
export const oauthClient: oauth.Client = { client_id: 'framework-cli' };
export const clientAuth = oauth.None();

/** `origin` is the origin of the API. */
export type OauthServer = { metadata: oauth.AuthorizationServer; origin: URL };

const requestTimeoutMs = 30_000;

export function requestOptions({ origin }: { origin: URL }, signal?: AbortSignal) {
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  return {
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    // Plain http is only allowed to this machine, regardless of the metadata.
    [oauth.allowInsecureRequests]: isLoopback(origin),
    [oauth.customFetch]: (url: string, init: object) =>
      maySendSecrets(new URL(url))
        ? fetch(url, init)
        : Promise.reject(
            new UserError(
              'service_answer_invalid',
              `The service expects tokens at ${printable(url)}, which is not encrypted.`,
            ),
          ),
  };
}

/** Reads the metadata at `/.well-known/oauth-authorization-server` of the API's origin. Throws UserError. */
export async function discoverServer(apiUrl: string, signal?: AbortSignal): Promise<OauthServer> {
  const origin = new URL(new URL(apiUrl).origin);
  return withServerErrors(origin, signal, async () => {
    const response = await oauth.discoveryRequest(origin, {
      ...requestOptions({ origin }, signal),
      algorithm: 'oauth2',
    });
    return { metadata: await oauth.processDiscoveryResponse(origin, response), origin };
  });
}

/**
 * Exchanges a refresh token for new tokens. Throws UserError `authentication_failed` when the server rejects it.
 * Cannot be cancelled: the server invalidates the old token, so the new one must be stored.
 */
export async function refreshTokens(
  server: OauthServer,
  refreshToken: string,
  now: () => number,
): Promise<OauthTokens> {
  return withServerErrors(server.origin, undefined, async () => {
    const { metadata } = server;
    const response = await oauth.refreshTokenGrantRequest(
      metadata,
      oauthClient,
      clientAuth,
      refreshToken,
      requestOptions(server),
    );
    return tokensOf(await oauth.processRefreshTokenResponse(metadata, oauthClient, response), now());
  });
}

/** Throws UserError. */
export async function revokeToken(
  server: OauthServer,
  token: string,
  kind: 'refresh_token' | 'access_token',
  signal?: AbortSignal,
) {
  await withServerErrors(server.origin, signal, async () => {
    const options = { ...requestOptions(server, signal), additionalParameters: { token_type_hint: kind } };
    const response = await oauth.revocationRequest(server.metadata, oauthClient, clientAuth, token, options);
    await oauth.processRevocationResponse(response);
  });
}

/** The stored part of a token response; `now` is in milliseconds. */
export function tokensOf(response: oauth.TokenEndpointResponse, now: number): OauthTokens {
  const { access_token, refresh_token, expires_in, scope, token_type } = response;
  if (token_type !== 'bearer') {
    throw new UserError(
      'service_answer_invalid',
      `The service returned a token of type ${printable(token_type)}; expected bearer.`,
    );
  }
  return {
    access_token,
    ...given({ refresh_token, scope }),
    ...(expires_in === undefined ? {} : { expires_at: Math.floor(now / 1000) + expires_in }),
    token_type,
  };
}

/** Rendering, and refresh tokens. */
const scopes = ['renders', 'offline_access'];

/** The needed scopes that the server supports; undefined leaves the choice to the server. */
export function wantedScope({ scopes_supported: known }: oauth.AuthorizationServer): string | undefined {
  return scopes.filter((scope) => known?.includes(scope)).join(' ') || undefined;
}

/** Runs requests to the sign-in server. Throws UserError for every error that the server or the network causes. */
export async function withServerErrors<T>(
  origin: URL,
  signal: AbortSignal | undefined,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (signal?.aborted) throw cancelled(error);
    throw toServerError(origin, error);
  }
}

function toServerError(origin: URL, error: unknown): unknown {
  if (error instanceof UserError) return error;
  if (error instanceof oauth.ResponseBodyError) return refused(error);
  if (error instanceof oauth.OperationProcessingError) return invalidServer(origin, error);
  if (error instanceof oauth.UnsupportedOperationError) {
    return new UserError(
      'service_answer_invalid',
      `${origin.origin} requires a feature that this program does not support: ${printable(error.message)}.`,
      { cause: error },
    );
  }
  // Errors of fetch: no connection, or a timeout.
  if (error instanceof TypeError || error instanceof DOMException) return unreachable(origin, error);
  return error;
}

/** For a response such as `{"error": "invalid_grant", "error_description": …}`. */
function refused(error: oauth.ResponseBodyError): UserError {
  const reason = printable(error.error_description ?? error.error);
  if (error.error === 'invalid_grant') {
    return new UserError('authentication_failed', `The sign-in is no longer valid: ${reason}.`, {
      hint: 'Sign in again: framework auth login.',
      cause: error,
    });
  }
  const refusal = new UserError(
    'sign_in_failed',
    `The service refused the sign-in: ${reason} (${printable(error.error)}).`,
    {
      hint: 'Try again with framework auth login, or use an API key: framework auth login --api-key.',
      cause: error,
    },
  );
  return error.status === 429 || error.status >= 500 ? markRetryable(refusal) : refusal;
}

function invalidServer(origin: URL, error: oauth.OperationProcessingError): UserError {
  const { cause } = error as { cause?: { status?: unknown; body?: { issuer?: unknown } } };
  if (error.code === oauth.JSON_ATTRIBUTE_COMPARISON && typeof cause?.body?.issuer === 'string') {
    return new UserError(
      'service_answer_invalid',
      `The service at ${origin.origin} identifies itself as ${printable(cause.body.issuer)}.`,
      {
        hint: 'Set SERVICE_API_URL to that address, or ask the operator to set the public URL of the service.',
        cause: error,
      },
    );
  }
  const status = typeof cause?.status === 'number' ? cause.status : undefined;
  const invalid = new UserError(
    'service_answer_invalid',
    `${origin.origin} does not respond like a sign-in server${status === undefined ? '' : ` (HTTP ${status})`}: ${printable(error.message)}.`,
    { hint: 'Check that SERVICE_API_URL is the address of the service.', cause: error },
  );
  return status !== undefined && (status === 429 || status >= 500) ? markRetryable(invalid) : invalid;
}
