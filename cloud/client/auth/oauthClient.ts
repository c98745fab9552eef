// The OAuth client: where the service's server is, refreshing and revoking tokens, and its faults put into words.
import * as oauth from 'oauth4webapi';
import { UserError } from '../errors.ts';
import { isLoopback, maySendSecrets, printable } from './apiUrl.ts';
import type { OauthTokens } from './credentials.ts';
import { unreachable } from './httpExchange.ts';
import { cancelled, mayPass } from './retry.ts';

/** A public client: it has no secret, so PKCE proves that who redeems a code is who asked for it. */
export const oauthClient: oauth.Client = { client_id: 'framework-cli' };
export const clientAuth = oauth.None();

/** The server that signs in for an API, and what every request to it needs. */
export type OauthServer = { metadata: oauth.AuthorizationServer; origin: URL };

/** No request to the server may take longer. */
const requestMs = 30_000;

export function requestOptions({ origin }: { origin: URL }, signal?: AbortSignal) {
  const limit = AbortSignal.timeout(requestMs);
  return {
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    // Over http only within this machine, whatever the metadata says.
    [oauth.allowInsecureRequests]: isLoopback(origin),
    [oauth.customFetch]: (url: string, init: object) =>
      maySendSecrets(new URL(url))
        ? fetch(url, init)
        : Promise.reject(
            new UserError(
              'service_answer_invalid',
              `The service sends tokens over ${printable(url)}, which is not encrypted.`,
            ),
          ),
  };
}

/** Reads the metadata at `/.well-known/oauth-authorization-server` of the API's origin. Throws UserError. */
export async function discoverServer(apiUrl: string, signal?: AbortSignal): Promise<OauthServer> {
  const origin = new URL(new URL(apiUrl).origin);
  return atServer(origin, signal, async () => {
    const response = await oauth.discoveryRequest(origin, {
      ...requestOptions({ origin }, signal),
      algorithm: 'oauth2',
    });
    return { metadata: await oauth.processDiscoveryResponse(origin, response), origin };
  });
}

/**
 * New tokens for a refresh token, which is used up by that. Throws UserError `authentication_failed` when the server does
 * not take it any more. No signal: a token that is rotated and not kept is lost.
 */
export async function refreshTokens(
  server: OauthServer,
  refreshToken: string,
  now: () => number,
): Promise<OauthTokens> {
  return atServer(server.origin, undefined, async () => {
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

/** Ends a token. Throws UserError. */
export async function revokeToken(
  server: OauthServer,
  token: string,
  kind: 'refresh_token' | 'access_token',
  signal?: AbortSignal,
) {
  await atServer(server.origin, signal, async () => {
    const options = { ...requestOptions(server, signal), additionalParameters: { token_type_hint: kind } };
    const response = await oauth.revocationRequest(server.metadata, oauthClient, clientAuth, token, options);
    await oauth.processRevocationResponse(response);
  });
}

/** What is kept of a token response; `now` in milliseconds. */
export function tokensOf(response: oauth.TokenEndpointResponse, now: number): OauthTokens {
  const { access_token, refresh_token, expires_in, scope, token_type } = response;
  if (token_type !== 'bearer') {
    throw new UserError(
      'service_answer_invalid',
      `The service gives tokens of the kind ${printable(token_type)}, not bearer.`,
    );
  }
  return {
    access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(expires_in === undefined ? {} : { expires_at: Math.floor(now / 1000) + expires_in }),
    ...(scope === undefined ? {} : { scope }),
    token_type,
  };
}

/** What these commands need: their work, and to go on with it without asking again. */
const scopes = ['renders', 'offline_access'];

/** The scope to ask for: of what is needed, what the server knows; undefined leaves it to the server. */
export function wantedScope({ scopes_supported: known }: oauth.AuthorizationServer): string | undefined {
  return scopes.filter((scope) => known?.includes(scope)).join(' ') || undefined;
}

/** Runs what talks to the server, and puts its faults into words. */
export async function atServer<T>(origin: URL, signal: AbortSignal | undefined, talk: () => Promise<T>): Promise<T> {
  try {
    return await talk();
  } catch (error) {
    if (signal?.aborted) throw cancelled(error);
    throw serverFault(origin, error);
  }
}

function serverFault(origin: URL, error: unknown): unknown {
  if (error instanceof UserError) return error;
  if (error instanceof oauth.ResponseBodyError) return refusal(error);
  if (error instanceof oauth.OperationProcessingError) return notConform(origin, error);
  if (error instanceof oauth.UnsupportedOperationError) {
    return new UserError(
      'service_answer_invalid',
      `${origin.origin} asks for what this program cannot do: ${printable(error.message)}.`,
      { cause: error },
    );
  }
  // What is left is fetch's: no connection, or the time was up.
  if (error instanceof TypeError || error instanceof DOMException) return unreachable(origin, error);
  return error;
}

/** An answer of the form `{"error": "invalid_grant", "error_description": …}`. */
function refusal(error: oauth.ResponseBodyError): UserError {
  const said = printable(error.error_description ?? error.error);
  if (error.error === 'invalid_grant') {
    return new UserError('authentication_failed', `The sign-in has ended: ${said}.`, {
      hint: 'Sign in again: framework auth login.',
      cause: error,
    });
  }
  const fault = new UserError(
    'sign_in_failed',
    `The service refuses to sign in: ${said} (${printable(error.error)}).`,
    {
      hint: 'Try again with framework auth login, or use an API key: framework auth login --api-key.',
      cause: error,
    },
  );
  return error.status === 429 || error.status >= 500 ? mayPass(fault) : fault;
}

function notConform(origin: URL, error: oauth.OperationProcessingError): UserError {
  const { cause } = error as { cause?: { status?: unknown; body?: { issuer?: unknown } } };
  if (error.code === oauth.JSON_ATTRIBUTE_COMPARISON && typeof cause?.body?.issuer === 'string') {
    return new UserError(
      'service_answer_invalid',
      `The service at ${origin.origin} calls itself ${printable(cause.body.issuer)}.`,
      {
        hint: 'Set SERVICE_API_URL to that, or have its operator set its public URL.',
        cause: error,
      },
    );
  }
  const status = typeof cause?.status === 'number' ? cause.status : undefined;
  const fault = new UserError(
    'service_answer_invalid',
    `${origin.origin} does not answer as a sign-in server does${status === undefined ? '' : ` (HTTP ${status})`}: ${printable(error.message)}.`,
    { hint: 'Check that SERVICE_API_URL names the service.', cause: error },
  );
  return status !== undefined && (status === 429 || status >= 500) ? mayPass(fault) : fault;
}
