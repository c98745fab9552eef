// How the OAuth server is set up: one public client, PKCE, opaque tokens, rotated refresh tokens, and no more than that.

import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { errors, interactionPolicy, Provider } from 'oidc-provider';
import type { ServiceContext } from './context.ts';
import { extendGrant, oauthAdapter } from './oauthAdapter.ts';
import { errorPage } from './pageLayout.ts';
import { securityHeaders } from './pageSecurity.ts';

/** The command line. It has no secret: it runs on people's machines. */
export const cliClientId = 'framework-cli';

/** What a client may ask for. `offline_access` changes nothing: a refresh token is always given. */
export const oauthScopes = { renders: 'Upload projects, and make, see and delete your renders' } as const;
const defaultScope = 'renders';

/** Seconds. A refresh token's time begins anew with each use. */
export const oauthLifetimes = {
  accessToken: 3600,
  authorizationCode: 60,
  deviceCode: 600,
  interaction: 3600,
  /** Of what was agreed to, until the program has fetched its tokens. Then it lives as long as they do. */
  unusedGrant: 1200,
  refreshToken: 60 * 24 * 3600,
};

/** Of the key in the secrets. Never used, as there are no ID tokens: the library wants one nonetheless. */
const signingAlgorithm = 'ES256';

export const oauthPaths = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  deviceAuthorization: '/oauth/device_authorization',
  /** With the id of the request behind it. */
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
    adapter: oauthAdapter(database, now),
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
    findAccount: async (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    interactions: { policy: alwaysAsk(), url: (_, { uid }) => `${oauthPaths.consent}/${uid}` },
    issueRefreshToken: async (_, client, { grantId }) => {
      await keepGrant(grantId);
      return client.grantTypeAllowed('refresh_token');
    },
    jwks: secrets.jwks as never,
    // Every sign-in is a grant of its own, so that signing out on one machine leaves the others alone.
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
  // Host and scheme of every URL come from `x-forwarded-*`, which `oauth.ts` sets from the public URL.
  provider.proxy = true;
  // The library would let pages of any origin read what was asked for without one. None may read anything.
  provider.use(async (ctx, next) => {
    await next();
    for (const name of Object.keys(ctx.response.headers)) if (name.startsWith('access-control-')) ctx.remove(name);
  });
  provider.on('server_error', (ctx, error) =>
    log('error', 'oauth request failed', { path: ctx.path, error: error.message }),
  );
  return provider;
}

/** The scopes that are granted of those that were asked for, separated by spaces. */
export function grantedScope(asked: unknown): string {
  const known = [...Object.keys(oauthScopes), 'offline_access'];
  const scopes = typeof asked === 'string' ? asked.split(' ').filter((scope) => known.includes(scope)) : [];
  return scopes.includes(defaultScope) || scopes.length === 0 ? [...new Set([defaultScope, ...scopes])].join(' ') : '';
}

function cookieNames(https: boolean): { session: string; interaction: string; resume: string } {
  const prefix = https ? '__Secure-framework' : 'framework';
  return { session: `${prefix}_oauth`, interaction: `${prefix}_request`, resume: `${prefix}_resume` };
}

/** A person agrees to every request: another program on the same machine could pass itself off as the client. */
function alwaysAsk(): interactionPolicy.Prompt[] {
  const { Check, Prompt } = interactionPolicy;
  const asked = new Check('not_agreed', 'somebody has to agree', 'interaction_required', ({ oidc }) =>
    oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  return [new Prompt({ name: 'consent', requestable: true }, asked)];
}

function checkScope({ oidc }: KoaContextWithOIDC, value: string | undefined): void {
  const params = oidc.params as Record<string, unknown>;
  for (const scope of value?.split(' ') ?? []) {
    if (scope !== 'offline_access' && !(scope in oauthScopes)) {
      throw new errors.InvalidScope('there is no such scope', scope);
    }
  }
  if (value === undefined || value === 'offline_access') params.scope = [defaultScope, value].filter(Boolean).join(' ');
}

function renderError(ctx: KoaContextWithOIDC, code: string, description: string | undefined): void {
  for (const [name, value] of Object.entries(securityHeaders())) ctx.set(name, value);
  ctx.type = 'html';
  ctx.body = errorPage({
    title: 'This sign-in cannot go on',
    text: 'The program that sent you here asked for something that this service does not allow, or too late. Go back to it and start the sign-in again.',
    detail: description === undefined ? code : `${code}: ${description}`,
  });
}
