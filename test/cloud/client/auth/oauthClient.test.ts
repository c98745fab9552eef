// Sign-in against a real OAuth server: in the browser, with a code, and attacks that must fail.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { type BrowserSignIn, signInWithBrowser } from '../../../../cloud/client/auth/browserSignIn.ts';
import { signInWithDevice } from '../../../../cloud/client/auth/deviceSignIn.ts';
import { discoverServer, refreshTokens, revokeToken } from '../../../../cloud/client/auth/oauthClient.ts';
import { errorToJson, UserError } from '../../../../renderer-core/errors.ts';
import { answering, closedAddress } from '../httpServer.ts';
import { approveDevice, browse, startOauthService } from '../oauthServer.ts';

const signal = new AbortController().signal;

async function fault(promise: Promise<unknown>) {
  const error = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof UserError) return errorToJson(error);
  throw new Error(`expected a UserError, got ${String(error)}`);
}

/** Signs in with what the browser does at the address; gives what came of both. */
async function signIn<T>(url: string, visit: (url: string) => Promise<T>, more: Partial<BrowserSignIn> = {}) {
  let visited: Promise<T> | undefined;
  const server = await discoverServer(url);
  const signedIn = signInWithBrowser({
    server,
    signal,
    now: Date.now,
    ...more,
    onUrl: (address) => {
      visited = visit(address);
    },
  });
  const ended = await signedIn.catch((error: unknown) => error);
  return { ended, page: await visited };
}

const refused = (ended: unknown) => (ended instanceof UserError ? `${ended.code}: ${ended.message}` : ended);

test('signs in with the browser, using PKCE and a free port of 127.0.0.1', async () => {
  const { url, asked } = await startOauthService();
  let address = new URL(url);
  const { ended, page } = await signIn(
    url,
    (opened) => {
      address = new URL(opened);
      return browse(opened);
    },
    { now: () => 1_000_000_000_000 },
  );
  const { redirect_uri, state, code_challenge, ...rest } = Object.fromEntries(address.searchParams);
  expect(redirect_uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect([state?.length, code_challenge?.length]).toEqual([43, 43]);
  expect(rest).toEqual({
    client_id: 'framework-cli',
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'renders offline_access',
    prompt: 'consent',
  });
  expect(ended).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_at: 1_000_003_600,
    scope: 'renders offline_access',
    token_type: 'bearer',
  });
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<h1>You are signed in</h1>') });
  expect(page?.headers.get('referrer-policy')).toBe('no-referrer');
  expect(asked.at(-1)).toBe('POST /oauth/token authorization_code');
  // The port was released.
  await expect(fetch(redirect_uri ?? '')).rejects.toThrow();
});

test('refuses responses to other sign-ins, and then accepts the right one', async () => {
  const { url } = await startOauthService();
  const { ended, page } = await signIn(url, async (opened) => {
    const redirect = new URL(opened).searchParams.get('redirect_uri') ?? '';
    const state = new URL(opened).searchParams.get('state') ?? '';
    const status = async (address: string, init = {}) => (await fetch(address, init)).status;
    const statuses = [
      await status(`${redirect}?code=stolen`),
      await status(`${redirect}?code=stolen&state=${state}x`),
      await status(`${redirect}?code=stolen&state=${state}`, { method: 'POST' }),
      await status(`${new URL(redirect).origin}/favicon.ico`),
      await statusWithHost(`${redirect}?code=stolen&state=${state}`, 'attacker.example'),
    ];
    return { statuses, last: await browse(opened) };
  });
  expect(page?.statuses).toEqual([400, 400, 405, 404, 421]);
  expect(page?.last.status).toBe(200);
  expect(ended).toMatchObject({ access_token: expect.any(String) });
});

function statusWithHost(address: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(address, { headers: { host } }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

test('ends the sign-in after a wrong issuer, a refusal or a wrong code, and shows the reason', async () => {
  const { url } = await startOauthService();
  const answer = async (parameters: Record<string, string>) => {
    const { ended, page } = await signIn(url, (opened) => {
      const { redirect_uri = '', state = '' } = Object.fromEntries(new URL(opened).searchParams);
      return browse(`${redirect_uri}?${new URLSearchParams({ state, iss: url, ...parameters })}`);
    });
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining('<h1>Sign-in failed</h1>') });
    return { said: refused(ended), text: page?.text };
  };
  expect((await answer({ code: 'c', iss: 'https://other.example' })).said).toMatch(/^sign_in_failed: .*iss/);
  expect((await answer({ error: 'access_denied' })).said).toBe(
    'sign_in_failed: Access was denied on the sign-in page.',
  );
  expect((await answer({ code: 'not-a-code' })).said).toMatch(/^authentication_failed: /);
  const { text } = await answer({ error: 'server_error', error_description: '<script>alert("1")</script>' });
  expect(text).not.toContain('<script>');
  expect(text).toContain('&#60;script&#62;');
});

test('accepts only one response', async () => {
  const { url } = await startOauthService({ tokenDelayMs: 200 });
  const { ended, page } = await signIn(url, async (opened) => {
    const { redirect_uri = '', state = '' } = Object.fromEntries(new URL(opened).searchParams);
    const first = browse(opened);
    // The second comes while the first one's code is being redeemed.
    for (;;) {
      const second = await fetch(`${redirect_uri}?code=c&state=${state}x`);
      if (second.status === 410) return { second: second.status, first: await first };
    }
  });
  expect(page).toMatchObject({ second: 410, first: { status: 200 } });
  expect(ended).toMatchObject({ access_token: expect.any(String) });
});

test('ends when the time is up or the user cancels', async () => {
  const { url } = await startOauthService();
  const late = await signIn(url, async () => undefined, { timeoutMs: 50 });
  expect(refused(late.ended)).toBe('sign_in_failed: The sign-in was not completed within 0 minutes.');
  const ended = await signIn(url, async () => undefined, { signal: AbortSignal.timeout(50) });
  expect(refused(ended.ended)).toBe('cancelled: The request was cancelled.');
});

test('rejects a server with another issuer, and one without metadata', async () => {
  const issuer = 'https://api.example.com';
  const other = await answering(() => ({ body: { issuer } }));
  expect(await fault(discoverServer(other.url))).toEqual({
    code: 'service_answer_invalid',
    message: `The service at ${other.url} identifies itself as ${issuer}.`,
    hint: 'Set SERVICE_API_URL to that address, or ask the operator to set the public URL of the service.',
  });
  expect(other.asked[0]?.url).toBe('/.well-known/oauth-authorization-server');
  const none = await answering(() => 404);
  expect(await fault(discoverServer(none.url))).toMatchObject({ code: 'service_answer_invalid' });
  expect(await fault(discoverServer(await closedAddress()))).toMatchObject({ code: 'service_unreachable' });
});

test('refuses addresses that are not web pages or not encrypted', async () => {
  const metadata = (more: object) => {
    const server = answering(() => ({ body: { issuer: '', ...more } }));
    return server.then(async ({ url }) => ({ metadata: { issuer: url, ...more }, origin: new URL(url) }));
  };
  const onUrl = () => {
    throw new Error('must not be opened');
  };
  for (const authorization_endpoint of ['file:///etc/passwd', 'http://example.com/login', 'calc.exe']) {
    const server = await metadata({ authorization_endpoint });
    expect(await fault(signInWithBrowser({ server, signal, now: Date.now, onUrl }))).toMatchObject({
      code: 'service_answer_invalid',
    });
  }
  const server = await metadata({ token_endpoint: 'http://example.com/token' });
  expect(await fault(refreshTokens(server, 'r', Date.now))).toEqual({
    code: 'service_answer_invalid',
    message: 'The service expects tokens at http://example.com/token, which is not encrypted.',
  });
});

test('signs in with a code on another device', async () => {
  const service = await startOauthService();
  const waits: number[] = [];
  const shown: string[] = [];
  const tokens = await signInWithDevice({
    server: await discoverServer(service.url),
    signal,
    now: Date.now,
    onCode: ({ userCode, url, completeUrl }) => shown.push(userCode, url, completeUrl ?? ''),
    sleep: async (ms) => {
      waits.push(ms);
      if (waits.length === 3) await approveDevice(service, shown[0] ?? '');
    },
  });
  expect(shown[0]).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
  expect(shown[1]).toBe(`${service.url}/device`);
  expect(shown[2]).toBe(`${service.url}/device?user_code=${shown[0]}`);
  expect(waits).toEqual([5000, 5000, 5000]);
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'renders offline_access' });
});

test('polls at the interval of the server until the code expires', async () => {
  let now = 0;
  const answers: [number, string][] = [];
  const server = await answering(({ url: path }) => {
    if (path === '/device') {
      const body = {
        device_code: 'd',
        user_code: 'U',
        verification_uri: 'https://example.com/d',
        expires_in: 100,
        interval: 2,
      };
      return { body };
    }
    const [status, error] = answers.shift() ?? [400, 'authorization_pending'];
    return { status, body: { error } };
  });
  const metadata = {
    issuer: server.url,
    token_endpoint: `${server.url}/token`,
    device_authorization_endpoint: `${server.url}/device`,
  };
  const run = async (...given: [number, string][]) => {
    answers.splice(0, answers.length, ...given);
    const waits: number[] = [];
    const said = await fault(
      signInWithDevice({
        server: { metadata, origin: new URL(server.url) },
        signal,
        onCode: () => undefined,
        now: () => now,
        sleep: async (ms) => {
          waits.push(ms / 1000);
          now += ms;
        },
      }),
    );
    return `${waits.join(' ')}: ${said.message}`;
  };
  const pending: [number, string] = [400, 'authorization_pending'];
  expect(await run(pending, [400, 'slow_down'], pending, [503, 'oops'], [400, 'access_denied'])).toBe(
    '2 2 7 7 12: Access was denied on the sign-in page.',
  );
  expect(await run([400, 'expired_token'])).toBe('2: The code expired before it was used.');
  expect(await run(...Array(9).fill([400, 'slow_down']))).toBe(
    '2 7 12 17 22 27 32: The code expired before it was used.',
  );
});

test('rotates tokens on refresh, and rejects used and revoked tokens', async () => {
  const service = await startOauthService();
  const { ended } = await signIn(service.url, browse);
  const first = ended as { access_token: string; refresh_token: string };
  const server = await discoverServer(service.url);
  const second = await refreshTokens(server, first.refresh_token, Date.now);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await fault(refreshTokens(server, first.refresh_token, Date.now))).toMatchObject({
    code: 'authentication_failed',
    hint: 'Sign in again: framework auth login.',
  });
  const other = (await signIn(service.url, browse)).ended as typeof first;
  await revokeToken(server, other.refresh_token, 'refresh_token');
  expect(await fault(refreshTokens(server, other.refresh_token, Date.now))).toMatchObject({
    code: 'authentication_failed',
  });
});

test('survives an invalid request to its port', async () => {
  const { url } = await startOauthService();
  const { ended, page } = await signIn(url, async (opened) => {
    const back = new URL(new URL(opened).searchParams.get('redirect_uri') ?? '');
    const status = await new Promise((resolve, reject) => {
      const asked = request({ port: back.port, host: back.hostname, path: '//' }, ({ statusCode }) =>
        resolve(statusCode),
      );
      asked.on('error', reject).end();
    });
    await browse(opened);
    return status;
  });
  expect(page).toBe(404);
  expect(ended).toMatchObject({ access_token: expect.any(String) });
});
