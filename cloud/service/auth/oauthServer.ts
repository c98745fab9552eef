// The OAuth server: PKCE, device flow, rotated refresh tokens, revocation, metadata.
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type Provider from 'oidc-provider';
import type { AdapterPayload } from 'oidc-provider';
import { ApiError } from './apiErrors.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import { clientAddress } from './clientAddress.ts';
import { mountConsentPages } from './consentPages.ts';
import type { ServiceContext } from './context.ts';
import { secretHash } from './ids.ts';
import { findRecord } from './oauthAdapter.ts';
import { createProvider, oauthPaths, oauthScopes } from './oauthProvider.ts';
import { securityHeaders } from './pageSecurity.ts';
import { createRateLimiter, type RateLimiter } from './rateLimit.ts';

export type OauthServer = {
  /** `/.well-known/oauth-authorization-server`, `/oauth/*` and `/device`. */
  mount(app: Hono): void;
  /** The account that an access token belongs to; undefined when it is not or no longer valid. */
  accountOf(accessToken: string): Promise<string | undefined>;
};

/** Sign-ins that one address may begin. */
const beginningsPerMinute = 60;

type Guesses = {
  attempts: Attempts;
  /** Requests of devices that wait. */
  polls: WeakSet<IncomingMessage>;
};

export async function createOauthServer(context: ServiceContext): Promise<OauthServer> {
  const provider = createProvider(context);
  return {
    mount(app) {
      const answer = answerWith(provider, context.settings.publicUrl);
      const guesses: Guesses = {
        attempts: createAttempts({ free: 20, firstWait: 1, longestWait: 60 }, context.now),
        polls: new WeakSet(),
      };
      provider.on('grant.error', ({ req }, { error }) => {
        if (error === 'authorization_pending') guesses.polls.add(req);
      });
      const guarded = (c: Context) => guard(context, guesses, c, answer);
      const requests = createRateLimiter(beginningsPerMinute, context.now);
      const limited = (c: Context) => limit(context, requests, c, answer);
      app.get(oauthPaths.metadata, (c) => c.json(metadata(context.settings.publicUrl)));
      app.get(oauthPaths.authorize, limited);
      app.get(`${oauthPaths.authorize}/:uid`, answer);
      app.post(oauthPaths.token, guarded);
      app.post(oauthPaths.revoke, guarded);
      app.post(oauthPaths.deviceAuthorization, limited);
      mountConsentPages(app, context, provider);
    },
    accountOf: (accessToken) => accountOf(context, accessToken),
  };
}

/** Tokens hold only together with their grant: one that is written while the grant is revoked is worth nothing. */
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

/** Hands a request over to the OAuth server as Node's own objects. */
function answerWith(provider: Provider, publicUrl: string): (c: Context) => Promise<Response> {
  const handle = provider.callback();
  const { host, protocol } = new URL(publicUrl);
  return async (c) => {
    const { incoming, outgoing } = c.env as HttpBindings;
    // URLs that it makes begin with the public URL, whatever host a client names.
    delete incoming.headers['x-forwarded-for'];
    incoming.headers.host = host;
    incoming.headers['x-forwarded-host'] = host;
    incoming.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    for (const [name, value] of Object.entries(securityHeaders())) outgoing.setHeader(name, value);
    await handle(incoming as never, outgoing as never);
    // Tells the server that it is answered, and whoever counts answers how.
    return new Response(null, { status: outgoing.statusCode, headers: { 'x-hono-already-sent': 'true' } });
  };
}

/** What begins a sign-in is kept in the database, without anybody having signed in. */
async function limit(
  context: ServiceContext,
  requests: RateLimiter,
  c: Context,
  answer: (c: Context) => Promise<Response>,
): Promise<Response> {
  try {
    requests.take(clientAddress(c, context.settings));
  } catch (error) {
    if (error instanceof ApiError) return tooMany(c, error.retryAfter ?? 60);
    throw error;
  }
  return answer(c);
}

/** A device that asks again and again whether somebody has agreed does not guess anything. */
async function guard(
  context: ServiceContext,
  guesses: Guesses,
  c: Context,
  answer: (c: Context) => Promise<Response>,
): Promise<Response> {
  const { incoming, outgoing } = c.env as HttpBindings;
  const address = clientAddress(c, context.settings);
  const wait = guesses.attempts.begin(address);
  if (wait > 0) return tooMany(c, wait);
  const response = await answer(c);
  if (outgoing.statusCode < 400 || guesses.polls.has(incoming)) guesses.attempts.succeeded(address);
  return response;
}

function tooMany(c: Context, wait: number): Response {
  c.header('Retry-After', String(wait));
  return c.json({ error: 'temporarily_unavailable', error_description: `Try again in ${wait} s.` }, 429) as Response;
}
