// A real OAuth server (oidc-provider, in memory) with one user who grants every request, and the API's first endpoint.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Configuration, Provider } from 'oidc-provider';
import { vi } from 'vitest';
import { listenInTest } from '../../support/servers/listen.ts';

export type OauthService = {
  url: string;
  provider: Provider;
  /** `POST /oauth/token refresh_token` and the like, in order. */
  asked: string[];
  /** Access tokens that the API refuses although they have not expired. */
  refused: Set<string>;
  refusesAll: boolean;
  /** Uploads that the API took: number of bytes. */
  uploads: number[];
};

const configuration: Configuration = {
  clients: [
    {
      client_id: 'framework-cli',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      redirect_uris: ['http://127.0.0.1/callback'],
    },
  ],
  scopes: ['renders', 'offline_access'],
  pkce: { required: () => true, methods: ['S256'] },
  rotateRefreshToken: true,
  issueRefreshToken: async () => true,
  features: { devInteractions: { enabled: false }, deviceFlow: { enabled: true }, revocation: { enabled: true } },
  findAccount: async (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  interactions: { url: (_, { uid }) => `/agree/${uid}` },
  routes: {
    authorization: '/oauth/authorize',
    token: '/oauth/token',
    revocation: '/oauth/revoke',
    device_authorization: '/oauth/device_authorization',
  },
  ttl: { AccessToken: 3600 },
};

/**
 * Closed when the test ends. `tokenDelayMs`: delay of the token endpoint, so that concurrent requests overlap.
 * `deviceInterval`: the polling interval in seconds.
 */
export async function startOauthService({
  tokenDelayMs = 0,
  deviceInterval,
}: {
  tokenDelayMs?: number;
  deviceInterval?: number;
} = {}): Promise<OauthService> {
  const server = createServer();
  const url = await listenInTest(server);
  // Its warning about in-memory storage is meant for production.
  for (const method of ['warn', 'info'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
  const provider = new Provider(url, configuration);
  provider.use(async (context, next) => {
    await next();
    if (deviceInterval !== undefined && context.path === '/oauth/device_authorization') {
      context.body = { ...(context.body as object), interval: deviceInterval };
    }
  });
  const service: OauthService = { url, provider, asked: [], refused: new Set(), refusesAll: false, uploads: [] };
  const app = provider.callback();
  server.on('request', async (request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/v3/')) return answerApi(service, request, response);
    if (path.startsWith('/agree/')) return agree(provider, request, response);
    const body = await readBody(request);
    service.asked.push([request.method, path.split('?')[0], body.get('grant_type')].filter(Boolean).join(' '));
    if (path === '/oauth/token') await new Promise((resolve) => setTimeout(resolve, tokenDelayMs));
    // oidc-provider serves its metadata under OpenID's name.
    if (path.startsWith('/.well-known/')) request.url = '/.well-known/openid-configuration';
    // oidc-provider accepts a body that was already parsed.
    Object.assign(request, { body: Object.fromEntries(body) });
    await app(request, response);
  });
  return service;
}

async function readBody(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

async function agree(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grantId = await makeGrant(provider, String(params.scope));
  await provider.interactionFinished(request, response, { login: { accountId: 'ada' }, consent: { grantId } });
}

async function makeGrant(provider: Provider, scope: string): Promise<string> {
  const grant = new provider.Grant({ accountId: 'ada', clientId: 'framework-cli' });
  grant.addOIDCScope(scope);
  return grant.save();
}

/** Types the code on another device and grants access. */
export async function approveDevice({ provider }: OauthService, userCode: string): Promise<void> {
  const code = await provider.DeviceCode.findByUserCode(userCode.replaceAll('-', ''));
  if (!code) throw new Error(`no such code: ${userCode}`);
  const scope = String(code.params?.scope ?? '');
  Object.assign(code, { accountId: 'ada', grantId: await makeGrant(provider, scope), scope, authTime: 1 });
  await code.save();
}

async function answerApi(service: OauthService, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const known = await service.provider.AccessToken.find(token);
  const isKey = request.headers['x-api-key'] === 'key_0123456789abcdef';
  if (!isKey && (!known || service.refusesAll || service.refused.has(token))) {
    send(401, { error: { code: 'authentication_failed', message: 'The token is not valid.' } });
    request.resume();
    return;
  }
  let size = 0;
  for await (const chunk of request) size += chunk.length;
  if (request.url === '/v3/assets') {
    service.uploads.push(size);
    send(200, { data: { asset_id: 'a1', size_bytes: size, sha256: '' } });
    return;
  }
  const billing = { plan: 'free', credits_remaining: 600, resets_at: 1_800_000_000 };
  send(200, { data: { user_id: 'u1', email: 'ada@example.com', name: 'Ada', billing } });
}

/** A browser: follows redirects and keeps cookies, until a page is shown. */
export async function browse(url: string): Promise<{ url: string; status: number; text: string; headers: Headers }> {
  const cookies = new Map<string, string>();
  let at = url;
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: cookie ? { cookie } : {} });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    const location = response.headers.get('location');
    if (location === null)
      return { url: at, status: response.status, text: await response.text(), headers: response.headers };
    at = new URL(location, at).href;
  }
  throw new Error('too many redirects');
}
