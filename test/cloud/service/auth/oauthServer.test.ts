// The authorization code flow: consent, PKCE, redirects, and attacks on them.
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client, createProgram, redirectUri } from '../../../support/service/oauthProgram.ts';
import { createBrowser, password, startWebService, type WebService } from '../../../support/service/webService.ts';

let shared: WebService;
beforeAll(async () => {
  shared = await startWebService();
});
afterAll(() => shared.close());

test('issues tokens for a code after sign-in and consent', async () => {
  const program = await createProgram(shared);
  const request = await program.begin();
  const callback = await program.answer(request);
  expect(callback.origin + callback.pathname).toBe(redirectUri);
  expect(callback.searchParams.get('iss')).toBe(program.service.url);
  const tokens = await program.redeem(request, callback);
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'renders' });
  expect(tokens.refresh_token).toBeTypeOf('string');
  expect(await program.service.accountOf(tokens.access_token)).toBe(program.accountId);
});

test('revokes the tokens of a code that is used twice', async () => {
  const program = await createProgram(shared);
  const request = await program.begin();
  const callback = await program.answer(request);
  const tokens = await program.redeem(request, callback);
  await expect(program.redeem(request, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(await program.service.accountOf(tokens.access_token)).toBeUndefined();
  await expect(program.refresh(tokens.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('lets only one of two parallel uses of a code succeed, and revokes its tokens', async () => {
  const program = await createProgram(shared);
  const request = await program.begin();
  const callback = await program.answer(request);
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => program.redeem(request, callback)));
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  expect(won).toHaveLength(1);
  for (const { access_token: token } of won) expect(await program.service.accountOf(token)).toBeUndefined();
});

test('rejects a stolen code without its verifier, client and redirect URI', async () => {
  const program = await createProgram(shared);
  const request = await program.begin();
  const code = (await program.answer(request)).searchParams.get('code') ?? '';
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
    const { status, error } = await program.tokenRequest(body);
    expect({ what, refused: status >= 400 && status < 500, error }).toEqual({
      what,
      refused: true,
      error: what === 'another client' ? 'invalid_client' : 'invalid_grant',
    });
  }
  const { code_verifier: _, ...without } = fields;
  expect((await program.tokenRequest(without)).error).toBe('invalid_grant');
  expect((await program.tokenRequest(fields)).status).toBe(200);
});

test('rejects an expired code', async () => {
  const program = await createProgram(shared);
  const request = await program.begin();
  const callback = await program.answer(request);
  await program.service.context.database
    .updateTable('oauth_records')
    .set(({ fn, val }) => ({ payload: fn('replace', ['payload', val('"exp":'), val('"exp":1,"was":')]) }))
    .where('model', '=', 'AuthorizationCode')
    .execute();
  await expect(program.redeem(request, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('requires PKCE with S256', async () => {
  const program = await createProgram(shared);
  for (const changes of [
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge_method: undefined },
  ]) {
    const page = await program.browser.get((await program.begin(changes)).url.href);
    const location = new URL(page.headers.get('location') ?? '');
    expect(location.searchParams.get('error')).toBe('invalid_request');
    expect(location.searchParams.get('code')).toBeNull();
  }
});

test('redirects only to addresses of this computer', async () => {
  const program = await createProgram(shared);
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
    const { url } = await program.begin({ redirect_uri: uri });
    const page = await program.browser.get(url.href);
    expect({ uri, location: page.headers.get('location'), status: page.status }).toEqual({
      uri,
      location: null,
      status: 400,
    });
    expect(page.text).toContain('This sign-in failed');
  }
  const twice = await program.begin();
  twice.url.searchParams.append('redirect_uri', 'https://evil.example/');
  expect((await program.browser.get(twice.url.href)).headers.get('location')).toBeNull();
});

test('reports invalid requests to the program, with its state', async () => {
  const program = await createProgram(shared);
  const asked: Record<string, Record<string, string>> = {
    invalid_scope: { scope: 'everything' },
    interaction_required: { prompt: 'none' },
  };
  for (const [error, changes] of Object.entries(asked)) {
    const request = await program.begin(changes);
    const location = new URL((await program.browser.get(request.url.href)).headers.get('location') ?? '');
    expect([location.searchParams.get('error'), location.searchParams.get('state')]).toEqual([error, request.state]);
    expect(location.searchParams.get('iss')).toBe(program.service.url);
  }
});

test('rejects unknown scopes at every endpoint', async () => {
  const program = await createProgram(shared);
  const { refresh_token: token = '' } = await program.signIn();
  for (const scope of ['everything', 'renders admin', 'renders toString', 'constructor']) {
    const { url } = await program.begin({ scope });
    const page = await program.browser.get(url.href);
    const location = new URL(page.headers.get('location') ?? 'data:none');
    const device = await fetch(program.server.device_authorization_endpoint ?? '', {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'framework-cli', scope }),
    });
    const fields = { grant_type: 'refresh_token', client_id: 'framework-cli', refresh_token: token, scope };
    expect({
      scope,
      authorize: location.searchParams.get('error'),
      device: [device.status, (await device.json()).error],
      token: await program.tokenRequest(fields),
    }).toMatchObject({
      scope,
      authorize: 'invalid_scope',
      device: [400, 'invalid_scope'],
      token: { status: 400, error: 'invalid_scope' },
    });
  }
  expect(await program.service.accountOf((await program.refresh(token)).access_token)).toBe(program.accountId);
});

test('reports a denied request to the program, and issues no tokens', async () => {
  const program = await createProgram(shared);
  const request = await program.begin();
  const callback = await program.answer(request, 'deny');
  expect(callback.searchParams.get('error')).toBe('access_denied');
  expect(callback.searchParams.get('state')).toBe(request.state);
  expect(() => oauth.validateAuthResponse(program.server, client, callback, request.state)).toThrow(
    /access_denied|error/,
  );
});

test('builds URLs from the public URL, whatever host a request names', async () => {
  const program = await createProgram(shared);
  const { url } = await program.begin();
  const response = await fetch(`${program.service.url}/oauth/device_authorization`, {
    method: 'POST',
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
    body: new URLSearchParams({ client_id: 'framework-cli' }),
  });
  expect(await response.json()).toMatchObject({ verification_uri: `${program.service.url}/device` });
  const page = await fetch(url, { redirect: 'manual', headers: { 'x-forwarded-host': 'evil.example' } });
  expect(page.headers.get('location')).toMatch(/^\/oauth\/consent\//);
});

test('requires consent in the browser that started the sign-in', async () => {
  const program = await createProgram(shared);
  const request = await program.begin();
  const page = await program.browser.get(request.url.href);
  const consent = await program.browser.submit(page, { email: program.email, password }, '/sign-in');
  const other = createBrowser(program.service.url);
  await other.signIn(program.email);
  const seen = await other.get(consent.url);
  expect(seen.status).toBe(400);
  expect(seen.text).toContain('This sign-in has expired');
});
