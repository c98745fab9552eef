// A program that signs in with a third-party OAuth client library, and the browser of its user.
import * as oauth from 'oauth4webapi';
import { onTestFinished } from 'vitest';
import type { ServiceSettings } from '../../../cloud/service/settings.ts';
import { type Browser, createBrowser, password, startWebService, type WebService } from './webService.ts';

export type SignInRequest = { verifier: string; state: string; url: URL };
export type Tokens = oauth.TokenEndpointResponse;

/** What a program needs of a service. */
export type SignInService = { url: string; addAccount(email: string): Promise<{ id: string }> };

export type Program<Service extends SignInService = WebService> = {
  service: Service;
  /** A browser without a signed-in user. */
  browser: Browser;
  email: string;
  accountId: string;
  server: oauth.AuthorizationServer;
  /** `changes`: overrides of the request's parameters; undefined removes one. */
  begin(changes?: Record<string, string | undefined>): Promise<SignInRequest>;
  /** Signs in and allows or denies access. Returns the URL that the program's loopback port receives. */
  answer(request: SignInRequest, choice?: 'allow' | 'deny'): Promise<URL>;
  redeem(request: SignInRequest, callback: URL): Promise<Tokens>;
  /** The complete sign-in. */
  signIn(): Promise<Tokens>;
  refresh(token: string | undefined): Promise<Tokens>;
  revoke(token: string): Promise<void>;
  beginDevice(): Promise<oauth.DeviceAuthorizationResponse>;
  /** The tokens, or the error code. */
  pollDevice(device: oauth.DeviceAuthorizationResponse): Promise<Tokens | string>;
  tokenRequest(fields: Record<string, string>): Promise<{ status: number; error?: string }>;
};

export const client: oauth.Client = { client_id: 'framework-cli' };
export const redirectUri = 'http://127.0.0.1:49152/callback';
const none = oauth.None();
const insecure = { [oauth.allowInsecureRequests]: true };

/** With a service of its own, for tests that move the clock, guess codes or restart the service. */
export async function ownProgram(settings: Partial<ServiceSettings> = {}): Promise<Program> {
  const service = await startWebService(settings);
  onTestFinished(() => service.close());
  return createProgram(service);
}

let accounts = 0;

/** Creates a program with a new account. */
export async function createProgram<Service extends SignInService>(service: Service): Promise<Program<Service>> {
  const browser = createBrowser(service.url);
  accounts += 1;
  const email = `ann${accounts}@example.com`;
  const { id: accountId } = await service.addAccount(email);
  const issuer = new URL(service.url);
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const program: Program<Service> = {
    service,
    browser,
    email,
    accountId,
    server,
    begin: (changes = {}) => begin(server, changes),
    answer: (request, choice = 'allow') => agree(browser, email, request.url, choice),
    async redeem({ state, verifier }, callback) {
      const parameters = oauth.validateAuthResponse(server, client, callback, state);
      return oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(server, client, none, parameters, redirectUri, verifier, insecure),
      );
    },
    async signIn() {
      const request = await program.begin();
      return program.redeem(request, await program.answer(request));
    },
    async refresh(token = 'none') {
      const response = await oauth.refreshTokenGrantRequest(server, client, none, token, insecure);
      return oauth.processRefreshTokenResponse(server, client, response);
    },
    async revoke(token) {
      await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, none, token, insecure));
    },
    async beginDevice() {
      const parameters = new URLSearchParams({ scope: 'renders' });
      const response = await oauth.deviceAuthorizationRequest(server, client, none, parameters, insecure);
      return oauth.processDeviceAuthorizationResponse(server, client, response);
    },
    async pollDevice(device) {
      const response = await oauth.deviceCodeGrantRequest(server, client, none, device.device_code, insecure);
      try {
        return await oauth.processDeviceCodeResponse(server, client, response);
      } catch (error) {
        if (error instanceof oauth.ResponseBodyError) return error.error;
        throw error;
      }
    },
    async tokenRequest(fields) {
      const response = await fetch(server.token_endpoint ?? '', { method: 'POST', body: new URLSearchParams(fields) });
      return { status: response.status, ...((await response.json()) as { error?: string }) };
    },
  };
  return program;
}

async function begin(
  server: oauth.AuthorizationServer,
  changes: Record<string, string | undefined>,
): Promise<SignInRequest> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? '');
  const parameters = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'renders',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return { verifier, state, url };
}

/** Opens the authorization URL, signs in and allows or denies access. Returns the URL of the final redirect. */
export async function agree(browser: Browser, email: string, url: URL, choice: 'allow' | 'deny'): Promise<URL> {
  let page = await browser.get(url.href);
  if (page.text.includes('action="/sign-in"')) page = await browser.submit(page, { email, password }, '/sign-in');
  const done = await browser.submit(page, { answer: choice }, new URL(page.url).pathname);
  return new URL(done.headers.get('location') ?? '');
}
