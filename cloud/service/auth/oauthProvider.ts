// Configuration of the OAuth server: one public client, PKCE, opaque tokens, rotated refresh tokens.

import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { errors, interactionPolicy, Provider } from 'oidc-provider';
import { ApiError } from '../api/apiErrors.ts';
import { isCutOff } from '../api/cutOff.ts';
import type { ServiceContext } from '../context.ts';
import { errorPage } from '../pages/pageLayout.ts';
import { securityHeaders } from '../pages/pageSecurity.ts';
import { rejectSuspended } from './accounts.ts';
import { extendGrant, oauthAdapter } from './oauthAdapter.ts';

/** The command line. A public client, because it cannot keep a secret on the user's machine. */
export const cliClientId = 'framework-cli';

/** `offline_access` is accepted but has no effect: a refresh token is always issued. */
export const oauthScopes = { renders: 'Upload projects, and create, view and delete your renders' } as const;
const defaultScope = 'renders';

/** In seconds. The lifetime of a refresh token starts again with each use. */
export const oauthLifetimes = {
  accessToken: 3600,
  authorizationCode: 60,
  deviceCode: 600,
  interaction: 3600,
  /** From consent until the client has fetched its tokens. Afterwards the grant lives as long as the refresh token. */
  unusedGrant: 1200,
  refreshToken: 60 * 24 * 3600,
};

/** The algorithm of the key in the secrets. There are no ID tokens, but the library requires an algorithm. */
const signingAlgorithm = 'ES256';

export const oauthPaths = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  deviceAuthorization: '/oauth/device_authorization',
  /** Followed by the ID of the request. */
  consent: '/oauth/consent',
  device: '/device',
};

export function createProvider(context: ServiceContext): Provider {
  const { settings, database, secrets, now, log } = context;
  const https = settings.publicUrl.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure: https, signed: true, path: '/' } as const;
  const keepGrant = async (grantId: string | undefined): Promise<void> => {
    if (grantId !== undefined) await extendGrant(database, grantId, now() + oauthLifetimes.refreshToken * 1000);
  };
  const configuration: Configuration = {
    adapter: oauthAdapter(context),
    clients: [
      {
        client_id: cliClientId,
        client_name: 'Framework command line',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code'],
        response_modes: ['query'],
        redirect_uris: ['http://127.0.0.1/callback'],
        scope: `${Object.keys(oauthScopes).join(' ')} offline_access`,
        id_token_signed_response_alg: signingAlgorithm,
      },
    ],
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['none'],
    clientBasedCORS: () => false,
    cookies: { keys: secrets.cookieKeys, names: cookieNames(https), long: cookie, short: cookie },
    enabledJWA: { idTokenSigningAlgValues: [signingAlgorithm] },
    expiresWithSession: () => false,
    extraParams: { scope: checkScope } as never,
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true, deviceInfo: () => ({}) },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    findAccount: async (_, accountId) => {
      await rejectSuspended(database, accountId).catch(asOauthError);
      return { accountId, claims: async () => ({ sub: accountId }) };
    },
    interactions: { policy: alwaysAskForConsent(), url: (_, { uid }) => `${oauthPaths.consent}/${uid}` },
    issueRefreshToken: async (_, client, { grantId }) => {
      await keepGrant(grantId);
      return client.grantTypeAllowed('refresh_token');
    },
    jwks: secrets.jwks as never,
    // Every sign-in has a grant of its own, so signing out on one machine does not affect the others.
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    pkce: { methods: ['S256'], required: () => true },
    renderError: (ctx, out) => renderError(ctx, out.error, out.error_description),
    responseTypes: ['code'],
    rotateRefreshToken: async ({ oidc }) => {
      await keepGrant(oidc.entities.RefreshToken?.grantId);
      return true;
    },
    routes: {
      authorization: oauthPaths.authorize,
      token: oauthPaths.token,
      revocation: oauthPaths.revoke,
      device_authorization: oauthPaths.deviceAuthorization,
      code_verification: oauthPaths.device,
    },
    scopes: [...Object.keys(oauthScopes), 'offline_access'],
    ttl: {
      AccessToken: oauthLifetimes.accessToken,
      AuthorizationCode: oauthLifetimes.authorizationCode,
      DeviceCode: oauthLifetimes.deviceCode,
      Grant: oauthLifetimes.unusedGrant,
      IdToken: oauthLifetimes.accessToken,
      Interaction: oauthLifetimes.interaction,
      RefreshToken: oauthLifetimes.refreshToken,
      Session: oauthLifetimes.interaction,
    },
  };
  const provider = new Provider(settings.publicUrl, configuration);
  // URLs are built from the `x-forwarded-*` headers, which `oauthServer.ts` sets from the public URL.
  provider.proxy = true;
  // The library allows cross-origin reads of some responses. No page of another origin needs them.
  provider.use(async (ctx, next) => {
    // Otherwise the stack of each error is printed, also when a client disconnects. `server_error` reports those of the service.
    ctx.app.silent = true;
    await next();
    for (const name of Object.keys(ctx.response.headers)) if (name.startsWith('access-control-')) ctx.remove(name);
  });
  provider.on('server_error', (ctx, error) => {
    if (!isCutOff(error, ctx.req)) log('error', 'oauth request failed', { path: ctx.path, error: error.message });
  });
  return provider;
}

/** Returns the granted scopes out of the requested ones, separated by spaces. */
export function grantedScope(requested: unknown): string {
  const known = [...Object.keys(oauthScopes), 'offline_access'];
  const scopes = typeof requested === 'string' ? requested.split(' ').filter((scope) => known.includes(scope)) : [];
  return scopes.includes(defaultScope) || scopes.length === 0 ? [...new Set([defaultScope, ...scopes])].join(' ') : '';
}

function cookieNames(https: boolean): { session: string; interaction: string; resume: string } {
  const prefix = https ? '__Secure-framework' : 'framework';
  return { session: `${prefix}_oauth`, interaction: `${prefix}_request`, resume: `${prefix}_resume` };
}

/** Asks for consent to every request, because another program on the same machine could impersonate the client. */
function alwaysAskForConsent(): interactionPolicy.Prompt[] {
  const { Check, Prompt } = interactionPolicy;
  const consent = new Check('not_agreed', 'the user must give consent', 'interaction_required', ({ oidc }) =>
    oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  return [new Prompt({ name: 'consent', requestable: true }, consent)];
}

/** Reads what was sent, because the library has removed unknown scopes from `value`. */
function checkScope(ctx: KoaContextWithOIDC, value: string | undefined): void {
  const params = ctx.oidc.params as Record<string, unknown>;
  const sent = ctx.method === 'POST' ? ctx.oidc.body?.scope : ctx.query.scope;
  const scopes = typeof sent === 'string' ? sent.split(' ').filter((scope) => scope !== '') : [];
  for (const scope of scopes) {
    if (scope !== 'offline_access' && !Object.hasOwn(oauthScopes, scope)) {
      throw new errors.InvalidScope('unknown scope', scope);
    }
  }
  if (!value || value === 'offline_access') params.scope = [defaultScope, value].filter(Boolean).join(' ');
}

/** A suspended account gets no tokens. Those that it has stay valid for when it is resumed. */
function asOauthError(error: unknown): never {
  throw error instanceof ApiError ? new errors.AccessDenied(error.message) : error;
}

function renderError(ctx: KoaContextWithOIDC, code: string, description: string | undefined): void {
  for (const [name, value] of Object.entries(securityHeaders())) ctx.set(name, value);
  ctx.type = 'html';
  ctx.body = errorPage({
    title: 'This sign-in failed',
    text: 'The request of the program that sent you here is invalid or has expired. Go back to the program and start signing in again.',
    detail: description === undefined ? code : `${code}: ${description}`,
  });
}
