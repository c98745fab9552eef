// Expired and rejected tokens are refreshed once for all processes that share the file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { ApiRequest } from '../../../../cloud/client/apiClient.ts';
import { signInWithBrowser } from '../../../../cloud/client/auth/browserSignIn.ts';
import type { OauthTokens } from '../../../../cloud/client/auth/credentials.ts';
import { discoverServer, refreshTokens } from '../../../../cloud/client/auth/oauthClient.ts';
import { refreshCredential } from '../../../../cloud/client/auth/session.ts';
import { errorToJson, UserError } from '../../../../renderer-core/errors.ts';
import { createApiClient } from '../../../../sdk/services.ts';
import { makeHome } from '../home.ts';
import { browse, type OauthService, startOauthService } from '../oauthServer.ts';

const whoAmI: ApiRequest = { method: 'GET', path: '/v3/users/me' };

/** A home in which somebody is signed in; `tokens` changes what is stored. */
async function signedIn(service: OauthService, tokens: Partial<OauthTokens> = {}) {
  const { signal } = new AbortController();
  const server = await discoverServer(service.url);
  const given = await signInWithBrowser({ server, signal, now: Date.now, onUrl: (url) => void browse(url) });
  service.asked.length = 0;
  const file = { sibling: { keeps: 'this' }, oauth: { ...given, ...tokens, extra: 1 } };
  const home = makeHome(file, { SERVICE_API_URL: service.url });
  const retry = { firstMs: 1, longestMs: 1 };
  return { ...home, given, client: createApiClient({ env: home.env, version: '1', retry }) };
}

const refreshes = ({ asked }: OauthService) => asked.filter((one) => one === 'POST /oauth/token refresh_token').length;

async function fault(promise: Promise<unknown>) {
  const error = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof UserError) return errorToJson(error);
  throw new Error(`expected a UserError, got ${String(error)}`);
}

test('refreshes a token before the request when it has expired or is about to', async () => {
  const service = await startOauthService();
  const { client, given, read } = await signedIn(service, { expires_at: Math.floor(Date.now() / 1000) + 10 });
  expect(await client.send(whoAmI)).toMatchObject({ data: { email: 'ada@example.com' } });
  expect(refreshes(service)).toBe(1);
  const stored = read() as { oauth: OauthTokens; sibling: unknown };
  expect(stored).toMatchObject({ sibling: { keeps: 'this' }, oauth: { extra: 1, scope: 'renders offline_access' } });
  expect(stored.oauth.access_token).not.toBe(given.access_token);
  expect(stored.oauth.refresh_token).not.toBe(given.refresh_token);
  await client.send(whoAmI);
  expect(refreshes(service)).toBe(1);
});

test('refreshes a rejected token once and sends the request again, with its streamed body', async () => {
  const service = await startOauthService();
  const { client, given } = await signedIn(service);
  service.refused.add(given.access_token);
  let opened = 0;
  const open = () => {
    opened++;
    return Readable.from([Buffer.alloc(100_000), Buffer.alloc(200_000)]);
  };
  const body = { contentType: 'application/zip', length: 300_000, open };
  expect(await client.send({ method: 'POST', path: '/v3/assets', body })).toMatchObject({ data: { asset_id: 'a1' } });
  expect([opened, service.uploads, refreshes(service)]).toEqual([2, [300_000], 1]);
});

test('does not refresh a second time when the new token is rejected', async () => {
  const service = await startOauthService();
  const { client, path } = await signedIn(service);
  service.refusesAll = true;
  expect(await fault(client.send(whoAmI))).toEqual({
    code: 'authentication_failed',
    message: `The service rejected the sign-in in ${path}: The token is not valid.`,
    hint: 'Sign in again: framework auth login.',
  });
  expect(refreshes(service)).toBe(1);
});

test('uses tokens that another process has refreshed', async () => {
  const service = await startOauthService();
  const { env, given, read } = await signedIn(service);
  const stale = { kind: 'oauth' as const, tokens: given, source: { kind: 'file' as const, path: '' } };
  const options = { env, apiUrl: service.url, now: Date.now };
  await refreshCredential(options, stale);
  const after = read();
  expect(await refreshCredential(options, stale)).toMatchObject({ tokens: after.oauth });
  expect(refreshes(service)).toBe(1);
});

test('refreshes once for many concurrent requests', async () => {
  const service = await startOauthService({ tokenDelayMs: 100 });
  const { client, given } = await signedIn(service);
  service.refused.add(given.access_token);
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.send<{ data: { email: string } }>(whoAmI)));
  expect(answers.map(({ data }) => data.email)).toEqual(Array(8).fill('ada@example.com'));
  expect(refreshes(service)).toBe(1);
});

test('refreshes once for two processes, and stores valid tokens', async () => {
  const service = await startOauthService({ tokenDelayMs: 300 });
  const { env, read } = await signedIn(service, { expires_at: 1 });
  const children = [0, 1].map(() => {
    const script = fileURLToPath(new URL('../refreshChild.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script], {
      env: { ...process.env, SERVICE_API_KEY: '', FRAMEWORK_API_KEY: '', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
  });
  for (const { lines } of children) expect((await lines.next()).value).toBe('ready');
  for (const { child } of children) child.stdin.write('go\n');
  for (const { lines } of children) expect((await lines.next()).value).toBe('ada@example.com');
  await Promise.all(children.map(({ child }) => child.exitCode ?? once(child, 'exit')));
  expect(refreshes(service)).toBe(1);
  const { oauth } = read() as { oauth: { refresh_token: string } };
  await refreshTokens(await discoverServer(service.url), oauth.refresh_token, Date.now);
});

test('does not cancel a running refresh, which would lose its token', async () => {
  const service = await startOauthService({ tokenDelayMs: 200 });
  const { client, read, given } = await signedIn(service, { expires_at: 1 });
  const stop = new AbortController();
  const sent = fault(client.send({ ...whoAmI, signal: stop.signal }));
  while (refreshes(service) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  expect(await sent).toMatchObject({ code: 'cancelled' });
  const { oauth } = read() as { oauth: OauthTokens };
  expect(oauth.refresh_token).not.toBe(given.refresh_token);
});

test('keeps the file when the refresh token is rejected, and asks to sign in again', async () => {
  const service = await startOauthService();
  const { client, read } = await signedIn(service, { expires_at: 1, refresh_token: 'used-up' });
  const before = read();
  expect(await fault(client.send(whoAmI))).toMatchObject({
    code: 'authentication_failed',
    hint: 'Sign in again: framework auth login.',
  });
  expect(read()).toEqual(before);
});

test('sends an expired token when there is no refresh token', async () => {
  const service = await startOauthService();
  const { client, read } = await signedIn(service, { expires_at: 1 });
  const { oauth, ...others } = read() as { oauth: OauthTokens };
  const { refresh_token: _, ...rest } = oauth;
  const home = makeHome({ ...others, oauth: rest }, { SERVICE_API_URL: service.url });
  const alone = createApiClient({ env: home.env, version: '1' });
  expect(await alone.send(whoAmI)).toMatchObject({ data: { email: 'ada@example.com' } });
  service.refused.add(rest.access_token);
  expect(await fault(alone.send(whoAmI))).toMatchObject({ code: 'authentication_failed' });
  await client.send(whoAmI);
});
