// The routes of the OAuth server: PKCE, device flow, rotated refresh tokens, revocation, metadata.
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type Provider from 'oidc-provider';
import type { AdapterPayload } from 'oidc-provider';
import { ApiError } from '../api/apiErrors.ts';
import { clientAddress } from '../api/clientAddress.ts';
import { createRateLimiter, type RateLimiter } from '../api/rateLimit.ts';
import type { ServiceContext } from '../context.ts';
import { mountConsentPages } from '../pages/consentPages.ts';
import { securityHeaders, transportSecurity } from '../pages/pageSecurity.ts';
import { secretHash } from '../storage/ids.ts';
import { audit } from './auditLog.ts';
import { createThrottle, type Throttle } from './loginThrottle.ts';
import { findRecord } from './oauthAdapter.ts';
import { createProvider, oauthPaths, oauthScopes } from './oauthProvider.ts';

export type OauthServer = {
  /** `/.well-known/oauth-authorization-server`, `/oauth/*` and `/device`. */
  mount(app: Hono): void;
  /** Returns the ID of the account that an access token belongs to, or undefined if the token is invalid or expired. */
  accountOf(accessToken: string): Promise<string | undefined>;
};

/** Sign-ins that one address may start per minute. */
const signInsPerMinute = 60;

type TokenGuard = {
  throttle: Throttle;
  /** Requests of devices that poll for an approval. */
  polls: WeakSet<IncomingMessage>;
  /** The accounts of requests that revoked a sign-in. */
  revoked: WeakMap<IncomingMessage, string>;
};

export async function createOauthServer(context: ServiceContext): Promise<OauthServer> {
  const provider = createProvider(context);
  return {
    mount(app) {
      const handle = providerHandler(provider, context.settings.publicUrl);
      const guard: TokenGuard = {
        throttle: createThrottle(context, { name: 'tokens', free: 20, firstWait: 1, maxWait: 60 }),
        polls: new WeakSet(),
        revoked: new WeakMap(),
      };
      provider.on('grant.error', ({ req }, { error }) => {
        if (error === 'authorization_pending' || error === 'slow_down') guard.polls.add(req);
      });
      provider.on('grant.revoked', ({ req, oidc: { entities } }) => {
        if (entities.RefreshToken) guard.revoked.set(req, entities.RefreshToken.accountId);
      });
      const throttled = (c: Context) => throttleFailures(context, guard, c, handle);
      const requests = createRateLimiter(context, { name: 'sign-ins', perMinute: signInsPerMinute });
      const limited = (c: Context) => limitSignIns(context, requests, c, handle);
      app.get(oauthPaths.metadata, (c) => c.json(metadata(context.settings.publicUrl)));
      app.get(oauthPaths.authorize, limited);
      app.get(`${oauthPaths.authorize}/:uid`, handle);
      app.post(oauthPaths.token, throttled);
      app.post(oauthPaths.revoke, throttled);
      app.post(oauthPaths.deviceAuthorization, limited);
      mountConsentPages(app, context, provider);
    },
    accountOf: (accessToken) => accountOf(context, accessToken),
  };
}

/** A token is only valid together with its grant: one that is written while the grant is being revoked is invalid. */
async function accountOf({ database, now }: ServiceContext, accessToken: string): Promise<string | undefined> {
  const record = await findRecord(database, 'AccessToken', accessToken);
  if (record?.grant_id == null || record.expires_at === null || record.expires_at <= now()) return undefined;
  const { accountId = '' } = JSON.parse(record.payload) as AdapterPayload;
  const account = await database
    .selectFrom('accounts')
    .innerJoin('oauth_records', (join) =>
      join.on('oauth_records.model', '=', 'Grant').on('oauth_records.id', '=', secretHash(record.grant_id ?? '')),
    )
    .select('accounts.id')
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  return account?.id;
}

/** RFC 8414. */
function metadata(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: issuer + oauthPaths.authorize,
    token_endpoint: issuer + oauthPaths.token,
    revocation_endpoint: issuer + oauthPaths.revoke,
    device_authorization_endpoint: issuer + oauthPaths.deviceAuthorization,
    scopes_supported: Object.keys(oauthScopes),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Passes a request to the OAuth server as Node's own request and response. */
function providerHandler(provider: Provider, publicUrl: string): (c: Context) => Promise<Response> {
  const callback = provider.callback();
  const { host, protocol } = new URL(publicUrl);
  return async (c) => {
    const { incoming, outgoing } = c.env as HttpBindings;
    // Generated URLs begin with the public URL, whatever host the client sent.
    delete incoming.headers['x-forwarded-for'];
    incoming.headers.host = host;
    incoming.headers['x-forwarded-host'] = host;
    incoming.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    const security = { ...securityHeaders(), ...transportSecurity(publicUrl) };
    for (const [name, value] of Object.entries(security)) outgoing.setHeader(name, value);
    await callback(incoming as never, outgoing as never);
    // The header tells the server adapter that the response is sent. The status is for logs and metrics.
    return new Response(null, { status: outgoing.statusCode, headers: { 'x-hono-already-sent': 'true' } });
  };
}

/** Limits the start of sign-ins, because each one writes to the database before the user has signed in. */
async function limitSignIns(
  context: ServiceContext,
  requests: RateLimiter,
  c: Context,
  handle: (c: Context) => Promise<Response>,
): Promise<Response> {
  try {
    await requests.take(clientAddress(c, context.settings));
  } catch (error) {
    if (error instanceof ApiError) return tooMany(c, error.retryAfter ?? 60);
    throw error;
  }
  return handle(c);
}

/** Throttles failed requests, except those of a device that polls for an approval. */
async function throttleFailures(
  context: ServiceContext,
  guard: TokenGuard,
  c: Context,
  handle: (c: Context) => Promise<Response>,
): Promise<Response> {
  const { incoming, outgoing } = c.env as HttpBindings;
  const address = clientAddress(c, context.settings);
  const wait = await guard.throttle.begin(address);
  if (wait > 0) return tooMany(c, wait);
  const response = await handle(c);
  if (outgoing.statusCode < 400 || guard.polls.has(incoming)) await guard.throttle.succeeded(address);
  const accountId = guard.revoked.get(incoming);
  if (accountId !== undefined) await auditRevocation(context, accountId, address, outgoing.statusCode < 400);
  return response;
}

/** A refresh token that is used a second time also revokes the sign-in, because it may have been stolen. */
async function auditRevocation(
  context: ServiceContext,
  accountId: string,
  address: string,
  isSignOut: boolean,
): Promise<void> {
  const detail = isSignOut ? undefined : 'its token was used twice';
  await audit(context, {
    accountId,
    actor: isSignOut ? 'user' : 'unknown',
    address,
    action: 'consent_revoked',
    detail,
  });
}

function tooMany(c: Context, wait: number): Response {
  c.header('Retry-After', String(wait));
  return c.json({ error: 'temporarily_unavailable', error_description: `Try again in ${wait} s.` }, 429) as Response;
}
