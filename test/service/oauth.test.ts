// Signing in a program, as a client library made by others does it: in the browser, and on a device without one.
import * as oauth from 'oauth4webapi';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Browser, createBrowser, password, startWebService, type WebService } from '../support/webService.ts';

let shared: WebService;
let service: WebService;
let browser: Browser;
let server: oauth.AuthorizationServer;
let accountId: string;
let email: string;

const client: oauth.Client = { client_id: 'framework-cli' };
const none = oauth.None();
const insecure = { [oauth.allowInsecureRequests]: true };
const redirectUri = 'http://127.0.0.1:49152/callback';

beforeAll(async () => {
  shared = await startWebService();
});
afterAll(() => shared.close());
beforeEach(() => use(shared));
afterEach(async () => {
  if (service !== shared) await service.close();
});

let accounts = 0;

async function use(chosen: WebService): Promise<void> {
  service = chosen;
  browser = createBrowser(service.url);
  accounts += 1;
  email = `ann${accounts}@example.com`;
  accountId = (await service.addAccount(email)).id;
  const issuer = new URL(service.url);
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  server = await oauth.processDiscoveryResponse(issuer, found);
}

/** For a test that moves the clock, guesses or starts the service again. */
async function useOwn(): Promise<void> {
  await use(await startWebService());
}

type Request = { verifier: string; state: string; url: URL };

async function begin(changes: Record<string, string | undefined> = {}): Promise<Request> {
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

/** Signs in and agrees, or not; what the program's loopback port is called with. */
async function answer(request: Request, choice: 'allow' | 'deny' = 'allow'): Promise<URL> {
  let page = await browser.get(request.url.href);
  if (page.text.includes('action="/sign-in"')) {
    page = await browser.submit(page, { email, password }, '/sign-in');
  }
  const action = new URL(page.url).pathname;
  const done = await browser.submit(page, { answer: choice }, action);
  return new URL(done.headers.get('location') ?? '');
}

async function redeem(request: Request, callback: URL): Promise<oauth.TokenEndpointResponse> {
  const parameters = oauth.validateAuthResponse(server, client, callback, request.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    none,
    parameters,
    redirectUri,
    request.verifier,
    insecure,
  );
  return oauth.processAuthorizationCodeResponse(server, client, response);
}

test('in the browser: sign in, agree, and the code becomes tokens', async () => {
  const request = await begin();
  const callback = await answer(request);
  expect(callback.origin + callback.pathname).toBe(redirectUri);
  expect(callback.searchParams.get('iss')).toBe(service.url);
  const tokens = await redeem(request, callback);
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'renders' });
  expect(tokens.refresh_token).toBeTypeOf('string');
  expect(await service.accountOf(tokens.access_token)).toBe(accountId);
});

test('a refresh token is good for once, and its time begins anew', async () => {
  const request = await begin();
  const first = await redeem(request, await answer(request));
  const second = await refresh(first.refresh_token);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await service.accountOf(second.access_token)).toBe(accountId);
});

test('a refresh token that is used twice ends all that came from it', async () => {
  const request = await begin();
  const first = await redeem(request, await answer(request));
  const second = await refresh(first.refresh_token);
  await expect(refresh(first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  await expect(refresh(second.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(await service.accountOf(first.access_token)).toBeUndefined();
  expect(await service.accountOf(second.access_token)).toBeUndefined();
});

test('of two that use one refresh token at once, one wins, and neither keeps what it got', async () => {
  const request = await begin();
  const first = await redeem(request, await answer(request));
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => refresh(first.refresh_token)));
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  expect(won.length).toBeLessThanOrEqual(1);
  for (const { access_token: token } of won) expect(await service.accountOf(token)).toBeUndefined();
  await expect(refresh(won[0]?.refresh_token)).rejects.toThrow();
});

test('a code that is used twice ends what the first use was given', async () => {
  const request = await begin();
  const callback = await answer(request);
  const tokens = await redeem(request, callback);
  await expect(redeem(request, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(await service.accountOf(tokens.access_token)).toBeUndefined();
  await expect(refresh(tokens.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('of two that use one code at once, one wins, and neither keeps what it got', async () => {
  const request = await begin();
  const callback = await answer(request);
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => redeem(request, callback)));
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  expect(won.length).toBeLessThanOrEqual(1);
  for (const { access_token: token } of won) expect(await service.accountOf(token)).toBeUndefined();
});

test('a stolen code is worth nothing without its verifier, its client and its redirect URI', async () => {
  const request = await begin();
  const code = (await answer(request)).searchParams.get('code') ?? '';
  const fields = {
    grant_type: 'authorization_code',
    client_id: 'framework-cli',
    code,
    redirect_uri: redirectUri,
    code_verifier: request.verifier,
  };
  const wrong: Record<string, Record<string, string>> = {
    'another verifier': { ...fields, code_verifier: oauth.generateRandomCodeVerifier() },
    'the challenge as verifier': { ...fields, code_verifier: request.url.searchParams.get('code_challenge') ?? '' },
    'another port': { ...fields, redirect_uri: 'http://127.0.0.1:1/callback' },
    'another client': { ...fields, client_id: 'somebody-else' },
  };
  for (const [what, body] of Object.entries(wrong)) {
    const { status, error } = await tokenRequest(body);
    expect({ what, refused: status >= 400 && status < 500, error }).toEqual({
      what,
      refused: true,
      error: what === 'another client' ? 'invalid_client' : 'invalid_grant',
    });
  }
  const { code_verifier: _, ...without } = fields;
  expect((await tokenRequest(without)).error).toBe('invalid_grant');
  expect((await tokenRequest(fields)).status).toBe(200);
});

test('an old code is refused', async () => {
  const request = await begin();
  const callback = await answer(request);
  await service.context.database
    .updateTable('oauth_records')
    .set(({ fn, val }) => ({ payload: fn('replace', ['payload', val('"exp":'), val('"exp":1,"was":')]) }))
    .where('model', '=', 'AuthorizationCode')
    .execute();
  await expect(redeem(request, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('PKCE is required, with S256', async () => {
  for (const changes of [
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge_method: undefined },
  ]) {
    const page = await browser.get((await begin(changes)).url.href);
    const location = new URL(page.headers.get('location') ?? '');
    expect(location.searchParams.get('error')).toBe('invalid_request');
    expect(location.searchParams.get('code')).toBeNull();
  }
});

test('nobody is sent to an address that is not on this computer', async () => {
  for (const uri of [
    'https://evil.example/callback',
    'http://localhost:49152/callback',
    'http://127.0.0.1:49152/other',
    'http://127.0.0.1:49152/callback/../x',
    'http://127.0.0.1:49152/callback?x=1',
    'http://127.0.0.1:49152/callback#x',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1@evil.example/callback',
    'http://evil@127.0.0.1/callback',
    'http://127.0.0.1:49152\\@evil.example/callback',
    'https://127.0.0.1/callback',
    '//127.0.0.1/callback',
    'javascript:alert(1)',
    '',
    undefined,
  ]) {
    const { url } = await begin({ redirect_uri: uri });
    const page = await browser.get(url.href);
    expect({ uri, location: page.headers.get('location'), status: page.status }).toEqual({
      uri,
      location: null,
      status: 400,
    });
    expect(page.text).toContain('This sign-in cannot go on');
  }
  const twice = await begin();
  twice.url.searchParams.append('redirect_uri', 'https://evil.example/');
  expect((await browser.get(twice.url.href)).headers.get('location')).toBeNull();
});

test('what the program did not ask for in a way that is allowed is told to it, with its state', async () => {
  const asked: Record<string, Record<string, string>> = {
    invalid_scope: { scope: 'everything' },
    interaction_required: { prompt: 'none' },
  };
  for (const [error, changes] of Object.entries(asked)) {
    const request = await begin(changes);
    const location = new URL((await browser.get(request.url.href)).headers.get('location') ?? '');
    expect([location.searchParams.get('error'), location.searchParams.get('state')]).toEqual([error, request.state]);
    expect(location.searchParams.get('iss')).toBe(service.url);
  }
});

test('denying tells the program so, and leaves no tokens', async () => {
  const request = await begin();
  const callback = await answer(request, 'deny');
  expect(callback.searchParams.get('error')).toBe('access_denied');
  expect(callback.searchParams.get('state')).toBe(request.state);
  expect(() => oauth.validateAuthResponse(server, client, callback, request.state)).toThrow(/access_denied|error/);
});

test('revoking a refresh token ends its access tokens; revoking an access token ends that one', async () => {
  const request = await begin();
  const first = await redeem(request, await answer(request));
  await revoke(first.access_token);
  expect(await service.accountOf(first.access_token)).toBeUndefined();
  const second = await refresh(first.refresh_token);
  expect(await service.accountOf(second.access_token)).toBe(accountId);
  await revoke(second.refresh_token ?? '');
  expect(await service.accountOf(second.access_token)).toBeUndefined();
  await expect(refresh(second.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  // RFC 7009: nothing to revoke is no error.
  await revoke('unknown');
});

test('signing out on one machine leaves the others signed in', async () => {
  const one = await begin();
  const first = await redeem(one, await answer(one));
  const two = await begin();
  const second = await redeem(two, await answer(two));
  await revoke(first.refresh_token ?? '');
  expect(await service.accountOf(first.access_token)).toBeUndefined();
  expect(await service.accountOf(second.access_token)).toBe(accountId);
});

test('an access token ends after an hour; nothing else is one', async () => {
  await useOwn();
  const request = await begin();
  const tokens = await redeem(request, await answer(request));
  for (const none of ['', 'x', tokens.refresh_token ?? '', tokens.access_token.slice(1)]) {
    expect(await service.accountOf(none)).toBeUndefined();
  }
  service.wait(3590);
  expect(await service.accountOf(tokens.access_token)).toBe(accountId);
  service.wait(20);
  expect(await service.accountOf(tokens.access_token)).toBeUndefined();
});

test('tokens and sessions are there after a restart', async () => {
  await useOwn();
  const request = await begin();
  const tokens = await redeem(request, await answer(request));
  await service.restart();
  expect(await service.accountOf(tokens.access_token)).toBe(accountId);
  const next = await refresh(tokens.refresh_token);
  expect(await service.accountOf(next.access_token)).toBe(accountId);
  expect((await browser.get('/sign-in')).url).toBe(`${service.url}/`);
});

test('a code that was given before a restart is good after it, once', async () => {
  await useOwn();
  const request = await begin();
  const callback = await answer(request);
  await service.restart();
  const tokens = await redeem(request, callback);
  expect(await service.accountOf(tokens.access_token)).toBe(accountId);
  await expect(redeem(request, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('the database holds no token that somebody could use', async () => {
  const request = await begin();
  const callback = await answer(request);
  const tokens = await redeem(request, callback);
  const rows = JSON.stringify(await service.context.database.selectFrom('oauth_records').selectAll().execute());
  const sessions = JSON.stringify(await service.context.database.selectFrom('sessions').selectAll().execute());
  const secrets = [tokens.access_token, tokens.refresh_token ?? '', callback.searchParams.get('code') ?? ''];
  for (const secret of secrets) expect(rows.includes(secret)).toBe(false);
  for (const [name, value] of browser.cookies) expect([name, (rows + sessions).includes(value)]).toEqual([name, false]);
});

test('a page of another origin gets nothing from the token endpoint', async () => {
  const request = await begin();
  const code = (await answer(request)).searchParams.get('code') ?? '';
  const response = await fetch(server.token_endpoint ?? '', {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'framework-cli',
      code,
      redirect_uri: redirectUri,
      code_verifier: request.verifier,
    }),
  });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(response.status).toBe(400);
  const preflight = await fetch(server.token_endpoint ?? '', { method: 'OPTIONS' });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, null]);
});

test('URLs begin with the public address, whatever host a request names', async () => {
  const { url } = await begin();
  const response = await fetch(`${service.url}/oauth/device_authorization`, {
    method: 'POST',
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
    body: new URLSearchParams({ client_id: 'framework-cli' }),
  });
  expect(await response.json()).toMatchObject({ verification_uri: `${service.url}/device` });
  const page = await fetch(url, { redirect: 'manual', headers: { 'x-forwarded-host': 'evil.example' } });
  expect(page.headers.get('location')).toMatch(/^\/oauth\/consent\//);
});

test('guessing tokens becomes slow', async () => {
  await useOwn();
  const statuses: number[] = [];
  for (let guess = 0; guess < 25; guess += 1) {
    const fields = { grant_type: 'refresh_token', client_id: 'framework-cli', refresh_token: `guess${guess}` };
    statuses.push((await tokenRequest(fields)).status);
  }
  expect(statuses[0]).toBe(400);
  expect(statuses.at(-1)).toBe(429);
});

test('on a device: a code is shown, typed in elsewhere, and becomes tokens', async () => {
  const device = await beginDevice();
  expect(device).toMatchObject({ verification_uri: `${service.url}/device`, expires_in: 600 });
  expect(device.user_code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
  expect(await pollDevice(device)).toBe('authorization_pending');
  await browser.signIn(email);
  const confirm = await browser.submit(await browser.get('/device'), {
    user_code: device.user_code.toLowerCase().replace('-', ' '),
  });
  expect(confirm.text).toContain(device.user_code);
  const done = await browser.submit(confirm, { answer: 'allow' });
  expect(done.text).toContain('Your device is signed in');
  const tokens = await pollDevice(device);
  if (typeof tokens === 'string') throw new Error(tokens);
  expect(await service.accountOf(tokens.access_token)).toBe(accountId);
  const next = await refresh(tokens.refresh_token);
  expect(await service.accountOf(next.access_token)).toBe(accountId);
  expect(await pollDevice(device)).toBe('invalid_grant');
  expect(await service.accountOf(next.access_token)).toBeUndefined();
});

test('a device that is denied is told so; its code cannot be used again', async () => {
  const device = await beginDevice();
  await browser.signIn(email);
  const confirm = await browser.submit(await browser.get(`/device?user_code=${device.user_code}`), {
    user_code: device.user_code,
  });
  await browser.submit(confirm, { answer: 'deny' });
  expect(await pollDevice(device)).toBe('access_denied');
  const again = await browser.submit(await browser.get('/device'), { user_code: device.user_code, answer: 'allow' });
  expect(again.status).toBe(422);
});

test('a link to a device code does not sign it in: somebody has to agree', async () => {
  const device = await beginDevice();
  await browser.signIn(email);
  await browser.get(`/device?user_code=${device.user_code}`);
  expect(await pollDevice(device)).toBe('authorization_pending');
});

test('an expired device code is refused', async () => {
  await useOwn();
  const device = await beginDevice();
  await browser.signIn(email);
  service.wait(601);
  const page = await browser.submit(await browser.get('/device'), { user_code: device.user_code, answer: 'allow' });
  expect(page.text).toContain('There is no such code');
});

test('guessing device codes becomes slow', async () => {
  await useOwn();
  await browser.signIn(email);
  const form = await browser.get('/device');
  const pages = [];
  for (let guess = 0; guess < 15; guess += 1) pages.push(await browser.submit(form, { user_code: `BCDF-GH${guess}` }));
  expect(pages[0]?.status).toBe(422);
  expect(pages.at(-1)?.status).toBe(429);
  expect(Number(pages.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('agreeing needs the browser that the sign-in began in', async () => {
  const request = await begin();
  const page = await browser.get(request.url.href);
  const consent = await browser.submit(page, { email, password }, '/sign-in');
  const other = createBrowser(service.url);
  await other.signIn(email);
  const seen = await other.get(consent.url);
  expect(seen.status).toBe(400);
  expect(seen.text).toContain('This sign-in has expired');
});

async function refresh(token: string | undefined): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.refreshTokenGrantRequest(server, client, none, token ?? 'none', insecure);
  return oauth.processRefreshTokenResponse(server, client, response);
}

async function revoke(token: string): Promise<void> {
  await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, none, token, insecure));
}

async function beginDevice(): Promise<oauth.DeviceAuthorizationResponse> {
  const parameters = new URLSearchParams({ scope: 'renders' });
  const response = await oauth.deviceAuthorizationRequest(server, client, none, parameters, insecure);
  return oauth.processDeviceAuthorizationResponse(server, client, response);
}

/** Tokens, or the code of the error. */
async function pollDevice(device: oauth.DeviceAuthorizationResponse): Promise<oauth.TokenEndpointResponse | string> {
  const response = await oauth.deviceCodeGrantRequest(server, client, none, device.device_code, insecure);
  try {
    return await oauth.processDeviceCodeResponse(server, client, response);
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) return error.error;
    throw error;
  }
}

async function tokenRequest(fields: Record<string, string>): Promise<{ status: number; error?: string }> {
  const response = await fetch(server.token_endpoint ?? '', { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, ...((await response.json()) as { error?: string }) };
}
