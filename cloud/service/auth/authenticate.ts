// Who asks: an API key in `x-api-key`, or an access token in `Authorization: Bearer`.
import type { MiddlewareHandler } from 'hono';
import { ApiError } from './apiErrors.ts';
import { accountOfKey } from './apiKeys.ts';
import { clientAddress } from './clientAddress.ts';
import type { ServiceContext } from './context.ts';
import type { OauthServer } from './oauth.ts';
import type { RateLimiter } from './rateLimit.ts';
import type { ServiceEnv } from './requestEnv.ts';

export type Authentication = { context: ServiceContext; oauth: OauthServer; limiter: RateLimiter };

/** Sets `accountId`. Throws ApiError `authentication_failed`, `invalid_parameter` or `rate_limit_exceeded`. */
export function authenticate(parts: Authentication): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const key = c.req.header('x-api-key');
    const authorization = c.req.header('authorization');
    if (key !== undefined && authorization !== undefined)
      throw new ApiError('invalid_parameter', 'Send x-api-key or Authorization, not both.', { param: 'Authorization' });
    const accountId = await accountOf(parts, key, authorization);
    // Whoever guesses is slowed down by their address; whoever is known, by their account.
    parts.limiter.take(accountId ?? `address ${clientAddress(c, parts.context.settings)}`);
    if (accountId === undefined) throw refused(key, authorization);
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

function refused(key: string | undefined, authorization: string | undefined): ApiError {
  const given = key !== undefined || authorization !== undefined;
  const message =
    key !== undefined
      ? 'This API key is unknown or was revoked.'
      : authorization !== undefined
        ? 'This access token is unknown or has expired. An API key goes into the header x-api-key.'
        : 'Send an API key in the header x-api-key, or an access token as Authorization: Bearer.';
  const challenge = `Bearer realm="framework"${given ? ', error="invalid_token"' : ''}`;
  return new ApiError('authentication_failed', message, { headers: { 'www-authenticate': challenge } });
}
