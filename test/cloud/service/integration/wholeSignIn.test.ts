// Signing in to a service on this machine with the built command line, and rendering with new and expired tokens.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { CredentialsFile } from '../../../../cloud/client/auth/credentials.ts';
import { openDatabase } from '../../../../cloud/service/storage/database.ts';
import { agree } from '../../../support/oauthProgram.ts';
import { runProgram, type StartedProgram, startProgram } from '../../../support/program.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { operate, type ServedProgram, serveProgram } from '../../../support/serveProgram.ts';
import { describeVideo } from '../../../support/video.ts';
import { createBrowser, password } from '../../../support/webService.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'service-'));
let service: ServedProgram;
beforeAll(async () => {
  service = await serveProgram(dataDir, ['--workers', '1']);
});
afterAll(async () => {
  await service?.end();
  rmSync(dataDir, { recursive: true, force: true });
});

let accounts = 0;

/** An account, a browser that is not signed in, and a home folder for the client. */
async function person() {
  const email = `ann${++accounts}@example.com`;
  await operate(dataDir, ['account', 'add', '--email', email], `${password}\n`);
  const home = temporaryFolder();
  const env = { HOME: home, SERVICE_API_URL: service.url, SERVICE_API_KEY: '', FRAMEWORK_API_KEY: '' };
  const file = join(home, '.service/credentials');
  return {
    email,
    file,
    browser: createBrowser(service.url),
    run: (...args: string[]) => runProgram(args, env),
    start: (...args: string[]) => startProgram(args, env),
    stored: (): CredentialsFile => JSON.parse(readFileSync(file, 'utf8')),
  };
}

type Person = Awaited<ReturnType<typeof person>>;

/** The first group of the match in standard error. */
function printed({ texts }: StartedProgram, pattern: RegExp): Promise<string> {
  return vi.waitFor(() => pattern.exec(texts.stderr)?.[1] ?? expect.fail(texts.stderr), { timeout: 30_000 });
}

/** In the browser, up to the redirect to the program's own port. */
async function signIn({ browser, email, start }: Person): Promise<void> {
  const login = start('auth', 'login', '--no-browser');
  const callback = await agree(browser, email, new URL(await printed(login, /(http\S+authorize\S+)/)), 'allow');
  expect(callback.hostname).toBe('127.0.0.1');
  const page = await fetch(callback);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('close this page')]);
  expect(await login.done).toMatchObject({ status: 0, stdout: expect.stringContaining(`Signed in as ${email}`) });
}

const statusOf = async (token: string | undefined): Promise<number> =>
  (await fetch(`${service.url}/v3/users/me`, { headers: { authorization: `Bearer ${token}` } })).status;

test('signs in with the browser, renders with an expired token, and signs out', async () => {
  const ann = await person();
  await signIn(ann);
  const first = ann.stored();
  expect(first).toMatchObject({
    user: { email: ann.email },
    oauth: { token_type: expect.stringMatching(/^bearer$/i) },
  });
  const status = JSON.parse((await ann.run('auth', 'status', '--json')).stdout);
  expect(status).toMatchObject({ signedIn: true, kind: 'oauth', user: { email: ann.email }, error: null });
  expect(status.billing.credits_remaining).toBe(600);

  // The service treats the token as expired although the credentials file does not, as with a wrong clock.
  await expireTokens();
  expect(await statusOf(first.oauth?.access_token)).toBe(401);
  const output = join(temporaryFolder(), 'out.mp4');
  const folder = project(composition('', { width: 64, height: 36, duration: 0.2 }));
  const asked = ['--fps', '10', '--quality', 'draft', '--width', '64', '--poll-interval', '1s', '-o', output];
  expect(await ann.run('cloud', 'render', folder, ...asked)).toMatchObject({ status: 0 });
  expect((await describeVideo(output)).stream).toContain('64x36');
  // One refresh; the project was sent again.
  expect(service.requests('/v3/assets')).toEqual(['POST /v3/assets 401', 'POST /v3/assets 200']);
  const second = ann.stored();
  expect(second.oauth?.refresh_token).not.toBe(first.oauth?.refresh_token);
  expect(await statusOf(second.oauth?.access_token)).toBe(200);

  expect(await ann.run('auth', 'logout')).toMatchObject({ status: 0 });
  expect(existsSync(ann.file)).toBe(false);
  expect(await statusOf(second.oauth?.access_token)).toBe(401);
  expect(await refreshError(second.oauth?.refresh_token)).toBe('invalid_grant');
  expect(await ann.run('cloud', 'list')).toMatchObject({ status: 1, stderr: expect.stringContaining('not signed in') });
});

test('revokes the sign-in when a copied refresh token is used, and the client reports it', async () => {
  const ann = await person();
  await signIn(ann);
  const stolen = ann.stored().oauth?.refresh_token;
  expect(await ann.run('auth', 'refresh')).toMatchObject({ status: 0 });
  expect(await refreshError(stolen)).toBe('invalid_grant');
  expect(await ann.run('cloud', 'list')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('framework auth login'),
  });
});

test('signs in with a code that is entered on another device', async () => {
  const ann = await person();
  const login = ann.start('auth', 'login', '--device', '--json');
  const code = await printed(login, /the code (\S+)/);
  const page = new URL(await printed(login, /Go to (\S+)/));
  await ann.browser.signIn(ann.email);
  const confirm = await ann.browser.submit(await ann.browser.get(page.pathname), { user_code: code });
  await ann.browser.submit(confirm, { answer: 'allow' });
  const { status, stdout } = await login.done;
  expect([status, JSON.parse(stdout).user.email]).toEqual([0, ann.email]);
  expect(await statusOf(ann.stored().oauth?.access_token)).toBe(200);
});

/** Moves the expiry of all access tokens into the past. */
async function expireTokens(): Promise<void> {
  const database = await openDatabase({ dataDir, databaseUrl: undefined });
  onTestFinished(() => database.destroy());
  await database
    .updateTable('oauth_records')
    .set({ expires_at: Date.now() - 1000 })
    .where('model', '=', 'AccessToken')
    .execute();
}

async function refreshError(token = ''): Promise<string | undefined> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'framework-cli', refresh_token: token });
  return (await (await fetch(`${service.url}/oauth/token`, { method: 'POST', body })).json()).error;
}
