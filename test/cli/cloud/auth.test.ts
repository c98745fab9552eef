// `framework auth` against a real OAuth server: what each command stores and prints. Secrets are never printed.
import { existsSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { statusText } from '../../../cli/commands/auth/authStatus.ts';
import { colorsFor } from '../../../cli/output/colors.ts';
import { runCli } from '../../../cli/runCli.ts';
import { makeHome } from '../../cloud/client/home.ts';
import { answering, closedAddress } from '../../cloud/client/httpServer.ts';
import { approveDevice, browse, type OauthService, startOauthService } from '../../cloud/client/oauthServer.ts';
import { cli, stream } from '../cli.ts';

const key = 'key_0123456789abcdef';
const nowhere = await closedAddress();

type Stored = { api_key?: string; oauth?: { access_token: string; refresh_token: string }; [other: string]: unknown };

/** A home directory with credentials for a service, and the command with its environment. */
async function atService(credentials?: unknown, service?: OauthService) {
  const running = service ?? (await startOauthService());
  const home = makeHome(credentials, { SERVICE_API_URL: running.url });
  const run = (argv: string[], more: Parameters<typeof cli>[1] = {}) =>
    cli(['auth', ...argv], { ...more, env: { ...home.env, ...more.env } });
  return { ...home, service: running, run, stored: () => home.read() as Stored };
}

/** Signs in at the printed address, as a browser would. */
const visiting = {
  onStderr(text: string) {
    const address = /http:\S+authorize\S+/.exec(text)?.[0];
    if (address) void browse(address);
  },
};

test('login in the browser stores the tokens and prints the user', async () => {
  const { run, stored, path, service } = await atService({ api_key: 'old', sibling: 1 });
  const { status, stdout, stderr } = await run(['login', '--no-browser'], visiting);
  expect({ status, stdout }).toEqual({ status: 0, stdout: `Signed in as Ada <ada@example.com>; stored in ${path}.\n` });
  expect(stderr).toMatch(/^To sign in, go to\n {2}http:\S+\nWaiting for you to sign in\. Press Ctrl\+C to cancel\.\n$/);
  expect(stored()).toEqual({
    sibling: 1,
    oauth: {
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_at: expect.any(Number),
      scope: 'renders offline_access',
      token_type: 'bearer',
    },
    user: { user_id: 'u1', email: 'ada@example.com', name: 'Ada' },
  });
  expect(service.asked).toContain('POST /oauth/token authorization_code');
});

test('login with a device code prints JSON without secrets', async () => {
  const service = await startOauthService({ deviceInterval: 1 });
  const { run, stored, path } = await atService(undefined, service);
  const { stdout, stderr } = await run(['login', '--device', '--json'], {
    onStderr(text) {
      const code = /enter the code (\S+)/.exec(text)?.[1];
      if (code) void approveDevice(service, code);
    },
  });
  expect(JSON.parse(stdout)).toEqual({
    signedIn: true,
    kind: 'oauth',
    apiUrl: service.url,
    source: { kind: 'file', path },
    user: { user_id: 'u1', email: 'ada@example.com', name: 'Ada' },
  });
  expect(stderr).toContain(`Go to ${service.url}/device\n`);
  expect(stderr).toContain('The code is valid for 10 min 00 s');
  expect(stdout + stderr).not.toContain(stored().oauth?.access_token);
});

test('login with a device code prints events with ndjson', async () => {
  const service = await startOauthService({ deviceInterval: 1 });
  const { run } = await atService(undefined, service);
  const events: Record<string, unknown>[] = [];
  const { status, stderr } = await run(['login', '--device', '--json', '--progress=ndjson'], {
    onStderr(text) {
      const event = JSON.parse(text);
      events.push(event);
      if (event.type === 'code') void approveDevice(service, event.userCode);
    },
    env: { FRAMEWORK_API_KEY: 'another_key_0123456789' },
  });
  expect([status, stderr.trim().split('\n').length]).toEqual([0, 2]);
  expect(events).toEqual([
    {
      type: 'code',
      userCode: expect.any(String),
      url: `${service.url}/device`,
      completeUrl: expect.stringContaining(`${service.url}/device?`),
      expiresIn: 600,
    },
    { type: 'warning', message: expect.stringContaining('FRAMEWORK_API_KEY is set and takes precedence') },
  ]);
});

test('login prints the address of the sign-in page as an event', async () => {
  const { run, service } = await atService();
  const { status } = await run(['login', '--no-browser', '--json', '--progress=ndjson'], {
    onStderr: (text) => void browse(JSON.parse(text).url),
  });
  expect(status).toBe(0);
  expect(service.asked).toContain('POST /oauth/token authorization_code');
});

test('status --stored does not contact the service', async () => {
  const user = { user_id: 'u1', email: 'ada@example.com', name: 'Ada' };
  const { run, path } = await atService({ api_key: key, user });
  const offline = { env: { SERVICE_API_URL: nowhere } };
  const { status, stdout } = await run(['status', '--stored', '--json'], offline);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    signedIn: true,
    kind: 'api_key',
    file: path,
    source: { kind: 'file', path },
    user,
    billing: null,
    error: null,
  });
  const environment = await run(['status', '--stored', '--json'], { env: { SERVICE_API_KEY: key } });
  expect(JSON.parse(environment.stdout)).toMatchObject({
    signedIn: true,
    source: { kind: 'environment', name: 'SERVICE_API_KEY' },
    user: null,
  });
  const out = await (await atService()).run(['status', '--stored', '--json'], offline);
  expect([out.status, JSON.parse(out.stdout)]).toMatchObject([1, { signedIn: false, error: { code: 'signed_out' } }]);
});

test('login with an API key from stdin stores it only if the service accepts it', async () => {
  const { run, stored, path } = await atService({ oauth: { access_token: 'a' }, sibling: 1 });
  const accepted = await run(['login', '--api-key'], { stdin: `${key}\n` });
  expect(accepted).toEqual({
    status: 0,
    stderr: '',
    stdout: `Signed in as Ada <ada@example.com>; stored in ${path}.\n`,
  });
  expect(stored()).toEqual({
    api_key: key,
    sibling: 1,
    user: { user_id: 'u1', email: 'ada@example.com', name: 'Ada' },
  });
  const refused = await run(['login', '--api-key'], { stdin: 'another_key_entirely' });
  expect(refused).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('rejected the API key') });
  expect(refused.stderr).not.toContain('another_key');
  expect(stored().api_key).toBe(key);
});

test('login stores nothing for an invalid API key or an unreachable service', async () => {
  const { run, path } = await atService();
  const check = async (stdin: string, message: string) => {
    expect((await run(['login', '--api-key'], { stdin })).stderr).toContain(message);
    expect(existsSync(path)).toBe(false);
  };
  await check('', 'no API key was given on stdin');
  await check('\n\n', 'no API key was given on stdin');
  await check('one\ntwo', 'more than one line was given on stdin');
  await check('se cret', 'is not an API key');
  await check('x'.repeat(100_000), 'too long');
  const offline = await run(['login', '--api-key'], { stdin: key, env: { SERVICE_API_URL: nowhere } });
  expect(offline).toMatchObject({ status: 1, stderr: expect.stringContaining('Cannot reach the service') });
  expect(existsSync(path)).toBe(false);
  expect((await run(['login', '--api-key', '--device'])).status).toBe(2);
});

test.each([
  ['login', '--api-key', key],
  ['login', `--api-key=${key}`],
  ['login', key],
  ['login', '--api-key', '--progress', key],
  ['login', `--api_key=${key}`],
])('does not print an API key that is passed as an argument: %s %s', async (...argv) => {
  const { run, path } = await atService();
  const { status, stdout, stderr } = await run(argv);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/takes no (arguments|value)|must be auto or ndjson\n|unknown option --api_key\n/);
  expect((await run([...argv, '--json'])).stdout).not.toContain(key);
  expect(stderr).not.toContain(key);
  expect(existsSync(path)).toBe(false);
});

test('login does not show an API key typed on a terminal', async () => {
  const { env, stored } = await atService();
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 80 });
  let shown = '';
  stderr.on('data', (text: string) => {
    // Answer after the prompt appears.
    if (shown === '') setTimeout(() => stdin.write(`${key}\r`), 20);
    shown += text;
  });
  const stdout = stream(true);
  const { signal } = new AbortController();
  const io = { stdout, writeStdout: async () => undefined, stderr, stdin, env, signal };
  const status = await runCli(['auth', 'login', '--api-key'], io);
  expect(status).toBe(0);
  expect(stored().api_key).toBe(key);
  expect(shown).toContain('API key (hidden)');
  expect(shown + stdout.text()).not.toContain(key.slice(0, 5));
});

test('login changes nothing when cancelled, or with an invalid credentials file', async () => {
  const { run, path } = await atService();
  const cancelled = await run(['login', '--no-browser'], { signal: AbortSignal.timeout(300) });
  expect(cancelled).toMatchObject({
    status: 130,
    stderr: expect.stringMatching(/\nThe sign-in was cancelled; no credential was stored\.\n$/),
  });
  expect(existsSync(path)).toBe(false);
  const broken = await atService('{');
  const { status, stderr } = await broken.run(['login', '--no-browser'], visiting);
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('is not valid JSON') });
  expect(broken.service.asked).toEqual([]);
});

test('login and logout warn about an API key in the environment', async () => {
  const { run } = await atService();
  const env = { FRAMEWORK_API_KEY: key };
  const login = await run(['login', '--api-key'], { stdin: key, env });
  expect(login.stderr).toBe(
    'warning: FRAMEWORK_API_KEY is set and takes precedence: commands use it instead of this sign-in.\n',
  );
  const logout = await run(['logout'], { env });
  expect(logout.stderr).toBe('warning: FRAMEWORK_API_KEY is still set, and commands continue to use it.\n');
});

test('status prints the user, the credential, its expiry and the credits', async () => {
  const { run, stored, path, service } = await atService();
  await run(['login', '--no-browser'], visiting);
  const { access_token: token = '' } = stored().oauth ?? {};
  const { status, stdout } = await run(['status']);
  expect(status).toBe(0);
  expect(stdout.replace(/valid until .*/, 'valid until …')).toBe(`✔ Signed in as Ada <ada@example.com>
  Service     ${service.url}
  Credential  sign-in ${token.slice(0, 6)}…, from ${path}
  Token       valid until …
  Plan        free
  Credits     600 left; resets at 2027-01-15 08:00 UTC
`);
  const json = JSON.parse((await run(['status', '--json'])).stdout);
  expect(json).toEqual({
    signedIn: true,
    apiUrl: service.url,
    file: path,
    kind: 'oauth',
    source: { kind: 'file', path },
    credential: `${token.slice(0, 6)}…`,
    expiresAt: expect.any(Number),
    scope: 'renders offline_access',
    user: { user_id: 'u1', email: 'ada@example.com', name: 'Ada' },
    billing: { plan: 'free', credits_remaining: 600, resets_at: 1_800_000_000 },
    error: null,
  });
});

test('status exits with 1 when signed out, rejected or offline, and prints the known facts', async () => {
  const { run, service, path } = await atService();
  const out = await run(['status']);
  expect(out).toEqual({
    status: 1,
    stderr: '',
    stdout: `✖ You are not signed in to the service.\n  Service  ${service.url}\nhint: Run framework auth login, or set SERVICE_API_KEY.\n`,
  });
  const refused = await run(['status', '--json'], { env: { SERVICE_API_KEY: 'some_other_key_12345' } });
  expect(refused.status).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    signedIn: false,
    source: { kind: 'environment', name: 'SERVICE_API_KEY' },
    credential: 'some_o…',
    error: { code: 'authentication_failed' },
  });
  await run(['login', '--api-key'], { stdin: key });
  const offline = await run(['status'], { env: { SERVICE_API_URL: nowhere } });
  expect(offline).toEqual({
    status: 1,
    stderr: '',
    stdout: `✖ Cannot reach the service at ${nowhere}: the connection was refused.
  Service       ${nowhere}
  Credential    API key key_01…, from ${path}
  Signed in as  Ada <ada@example.com>
hint: Start the service with framework serve, or set SERVICE_API_URL to the address of a service.
`,
  });
});

test('status rejects an invalid response of the service', async () => {
  const { url } = await answering(() => ({ body: { data: [] } }));
  const { run } = await atService({ api_key: key });
  const { status, stdout } = await run(['status', '--json'], { env: { SERVICE_API_URL: url } });
  expect([status, JSON.parse(stdout).error.code]).toEqual([1, 'service_answer_invalid']);
});

test('status prints an expired token, in colors', () => {
  const colors = colorsFor({ write: () => 0, isTTY: true }, {});
  const status = {
    signedIn: false,
    apiUrl: 'u',
    file: 'f',
    kind: null,
    source: null,
    credential: null,
    scope: null,
    user: null,
    billing: null,
  };
  const text = statusText({ ...status, expiresAt: 60, error: { code: 'x', message: 'No.' } }, colors, 61_000);
  expect(text).toBe('\x1b[31m✖\x1b[39m No.\n  Service  u\n  Token    expired 1970-01-01 00:01 UTC\n');
});

test('refresh stores new tokens, and rejects an API key', async () => {
  const { run, stored } = await atService();
  expect((await run(['refresh'])).stderr).toContain('You are not signed in');
  await run(['login', '--no-browser'], visiting);
  const before = stored().oauth;
  const { status, stdout } = await run(['refresh']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Tokens refreshed; the new ones are valid until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/);
  expect(stored().oauth?.refresh_token).not.toBe(before?.refresh_token);
  expect(JSON.parse((await run(['refresh', '--json'])).stdout)).toEqual({
    refreshed: true,
    expiresAt: expect.any(Number),
  });
  const withKey = await run(['refresh'], { env: { SERVICE_API_KEY: key } });
  expect(withKey).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'error: An API key cannot be refreshed: the credential is the API key in SERVICE_API_KEY.\n' +
      'hint: API keys do not expire like tokens. To use a sign-in instead, unset SERVICE_API_KEY.\n',
  });
});

test('logout revokes and deletes the tokens, and keeps unknown fields', async () => {
  const { run, stored, path, service } = await atService({ sibling: 1 });
  await run(['login', '--no-browser'], visiting);
  const { access_token = '', refresh_token = '' } = stored().oauth ?? {};
  expect(await run(['logout'])).toEqual({ status: 0, stderr: '', stdout: 'Signed out.\n' });
  expect(stored()).toEqual({ sibling: 1 });
  expect(await service.provider.AccessToken.find(access_token)).toBeUndefined();
  expect(await service.provider.RefreshToken.find(refresh_token)).toBeUndefined();
  expect((await run(['logout'])).stdout).toBe('You were not signed in.\n');
  const alone = await atService({ api_key: key, user: {} }, service);
  expect((await alone.run(['logout'])).stdout).toContain('remains valid until you revoke it');
  expect(existsSync(alone.path)).toBe(false);
  expect(existsSync(path)).toBe(true);
});

test('logout deletes the tokens and warns if the service is unreachable', async () => {
  const { run, path } = await atService({ oauth: { access_token: 'a', refresh_token: 'r' } });
  const { status, stdout, stderr } = await run(['logout', '--json'], { env: { SERVICE_API_URL: nowhere } });
  const warning = `the tokens were deleted here, but the service did not revoke them: Cannot reach the service at ${nowhere}: the connection was refused.`;
  expect([status, JSON.parse(stdout)]).toEqual([0, { signedOut: true, warnings: [warning] }]);
  expect(stderr).toBe(`warning: ${warning}\n`);
  expect(existsSync(path)).toBe(false);
});
