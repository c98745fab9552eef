// Authenticates API requests: an API key in `x-api-key`, or an access token in `Authorization: Bearer`.
import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../api/apiErrors.ts';
import { clientAddress } from '../api/clientAddress.ts';
import type { RateLimiter } from '../api/rateLimit.ts';
import type { ServiceEnv } from '../api/requestEnv.ts';
import type { ServiceContext } from '../context.ts';
import { rejectSuspended } from './accounts.ts';
import { accountOfKey } from './apiKeys.ts';
import type { OauthServer } from './oauthServer.ts';

export type Authentication = { context: ServiceContext; oauth: OauthServer; limiter: RateLimiter };

/**
 * Sets `accountId`. Throws ApiError `authentication_failed`, `permission_denied`, `invalid_parameter` or
 * `rate_limit_exceeded`.
 */
export function authenticate(parts: Authentication): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const key = c.req.header('x-api-key');
    const authorization = c.req.header('authorization');
    if (key !== undefined && authorization !== undefined)
      throw new ApiError('invalid_parameter', 'Send either x-api-key or Authorization, not both.', {
        param: 'Authorization',
      });
    const accountId = await accountOf(parts, key, authorization);
    // Requests without a valid credential are limited by address, the others by account.
    await parts.limiter.take(accountId ?? `address ${clientAddress(c, parts.context.settings)}`);
    if (accountId === undefined) throw unauthenticated(key, authorization);
    await rejectSuspended(parts.context.database, accountId);
    c.set('accountId', accountId);
    await next();
  };
}

async function accountOf(
  { context, oauth }: Authentication,
  key: string | undefined,
  authorization: string | undefined,
): Promise<string | undefined> {
  if (key !== undefined) return key === '' ? undefined : accountOfKey(context.database, key, context.now());
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
  return token === undefined ? undefined : oauth.accountOf(token);
}

function unauthenticated(key: string | undefined, authorization: string | undefined): ApiError {
  const given = key !== undefined || authorization !== undefined;
  const message =
    key !== undefined
      ? 'The API key is unknown or was revoked.'
      : authorization !== undefined
        ? 'The access token is unknown or has expired. Send API keys in the x-api-key header instead.'
        : 'Send an API key in the x-api-key header, or an access token as Authorization: Bearer.';
  const challenge = `Bearer realm="framework"${given ? ', error="invalid_token"' : ''}`;
  return new ApiError('authentication_failed', message, { headers: { 'www-authenticate': challenge } });
}
