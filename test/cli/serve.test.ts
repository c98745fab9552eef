// `framework serve` and what operators do beside it: accounts, keys, credits.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CliIo } from '../../renderer-core/cli/command.ts';
import { runCli } from '../../renderer-core/cli/runCli.ts';
import { load } from '../../renderer-core/cli/serveCommands.ts';
import { readServeSettings } from '../../renderer-core/cli/serveSettings.ts';
import { type CliRun, cli, stream } from './cli.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'serve-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** An operator's commands on one data folder. */
function operator() {
  const data = folder();
  const run = (line: string, stdin = ''): Promise<CliRun> => cli([...line.split(' '), '--data', data], { stdin });
  return { data, run };
}

test('an account, a key for it, and its credits', async () => {
  const { data, run } = operator();
  const made = await run('serve account add --email Ann@Example.com --credits 5', 'correct horse\n');
  expect([made.status, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toBe(
    `Made the account ann@example.com with 5 credits.\nA key for it: framework serve key add --email ann@example.com --data ${data}\n`,
  );
  const key = await run('serve key add --email ann@example.com --name ci');
  expect(key.stdout).toMatch(/^fk_[\w-]{43}\n$/);
  expect(key.stderr).toBe('Keep this key: it is not shown again.\n');
  const listed = await run('serve key list --email ann@example.com --json');
  const [row] = JSON.parse(listed.stdout);
  expect(row).toMatchObject({ name: 'ci', prefix: key.stdout.slice(0, 11), last_used_at: null, revoked_at: null });
  expect(listed.stdout).not.toContain(key.stdout.trim());
  expect((await run(`serve key revoke ${row.id} --email ann@example.com`)).stdout).toBe(`Revoked ${row.id}.\n`);
  expect((await run(`serve key revoke ${row.id} --email ann@example.com`)).status).toBe(2);
  expect((await run('serve key list --email ann@example.com')).stdout).toMatch(/ {2}revoked \d{4}-\d\d-\d\d {2}ci\n$/);
  expect((await run('serve credits --email ann@example.com --add 2.5 --json')).stdout).toContain('"credits":7.5}');
  expect((await run('serve credits --email ann@example.com --add=-10')).stdout).toBe(
    'ann@example.com has -2.5 credits.\n',
  );
});

test.each([
  ['serve account add', 'correct horse', '--email is missing'],
  ['serve account add --email ann', 'correct horse', '"ann" is no e-mail address.'],
  ['serve account add --email ann@example.com', 'too short', 'Choose a password of at least 10 characters.'],
  ['serve account add --email ann@example.com', '', 'there is no password on standard input'],
  ['serve account add --email ann@example.com', 'one password\ntwo', 'there is more than one line on standard input'],
  [
    'serve account add --email ann@example.com',
    'aaaaaaaaaaaa',
    'Choose a password of more than three different characters.',
  ],
  ['serve key add --email nobody@example.com', '', 'there is no account for nobody@example.com'],
  ['serve key revoke --email nobody@example.com', '', 'the id of the key is missing'],
  ['serve credits --email nobody@example.com --add x', '', '--add cannot be "x"'],
])('%s, with "%s"', async (line, stdin, message) => {
  const { run } = operator();
  const { status, stdout, stderr } = await run(`${line} --json`, stdin);
  expect(status).toBe(2);
  expect(JSON.parse(stdout).error.message).toBe(message);
  expect(stderr).toContain(message);
});

test('no second account for an address', async () => {
  const { run } = operator();
  expect((await run('serve account add --email ann@example.com', 'correct horse')).status).toBe(0);
  const again = await run('serve account add --email ANN@example.com', 'correct horse');
  expect([again.status, again.stderr]).toEqual([2, 'error: There is an account for ann@example.com already.\n']);
});

test.each([
  ['--public-url render.example.com', '--public-url cannot be "render.example.com"'],
  ['--public-url https://render.example.com/api', '--public-url cannot be "https://render.example.com/api"'],
  ['--port 70000', '--port cannot be 70000'],
  ['--engine local --stack-name own', '--stack-name needs --engine serverless'],
  ['--engine cloud', '--engine cannot be "cloud"'],
  ['--workers -1', '--workers needs a value, and "-1" looks like an option'],
  ['--retention-days 0', '--retention-days cannot be "0"'],
  ['here', 'unknown command "serve here"'],
])('serve %s', async (line, message) => {
  const { run } = operator();
  const { status, stderr } = await run(`serve ${line}`);
  expect([status, stderr.split('\n')[0]]).toEqual([2, `error: ${message}`]);
});

test('a database that is none', async () => {
  const { status, stderr } = await cli(['serve', '--data', folder()], { env: { DATABASE_URL: 'mysql://x' } });
  expect([status, stderr.split('\n')[0]]).toEqual([2, 'error: DATABASE_URL is no URL of PostgreSQL']);
});

test('settings come from options, environment and what is usual', () => {
  const values = new Map([
    ['data', '/srv/framework'],
    ['public-url', 'https://render.example.com/'],
    ['workers', '0'],
    ['sign-up', 'open'],
  ]);
  const input = { positionals: [], values, lists: new Map(), switches: new Set(['allow-private-targets']) };
  const env = { DATABASE_URL: 'postgres://localhost/x', SERVICE_METRICS_TOKEN: 't', FRAMEWORK_BROWSER: '/bin/chrome' };
  expect(readServeSettings(input, env)).toEqual({
    dataDir: '/srv/framework',
    databaseUrl: 'postgres://localhost/x',
    host: '127.0.0.1',
    port: 8787,
    publicUrl: 'https://render.example.com',
    objects: { kind: 'disk' },
    workers: 0,
    engine: 'local',
    stackName: undefined,
    allowPrivateTargets: true,
    openSignUp: true,
    initialCredits: 600,
    requestsPerMinute: 600,
    retentionDays: 30,
    urlLifetime: 3600,
    metricsToken: 't',
    browserPath: '/bin/chrome',
    ffmpegPath: undefined,
  });
});

/** Runs until `until` has been done, then asks for the end as Ctrl-C does. */
async function serving(line: string, until: (stdout: string) => Promise<void>): Promise<CliRun> {
  const stdout = stream(false);
  const stderr = stream(false);
  const controller = new AbortController();
  const io: CliIo = { stdout, stderr, stdin: (async function* () {})(), env: {}, signal: controller.signal };
  const status = runCli(['serve', ...line.split(' '), '--port', '0', '--workers', '0'], io);
  try {
    await vi.waitFor(() => expect(stdout.text() + stderr.text()).toMatch(/Serving at|"url"|error/), {
      timeout: 30_000,
    });
    await until(stdout.text());
  } finally {
    controller.abort();
  }
  return { status: await status, stdout: stdout.text(), stderr: stderr.text() };
}

test('it says where it is, and what to do first; asked to end, it ends well', async () => {
  const data = folder();
  const { status, stdout, stderr } = await serving(`--data ${data}`, async (text) => {
    const url = /Serving at (\S+)/.exec(text)?.[1];
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
  expect(status).toBe(0);
  expect(stdout).toContain(`Data in ${data}\n`);
  expect(stdout).toContain(`framework serve account add --email you@example.com --data ${data}\n`);
  for (const line of stderr.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ level: 'info' });
});

test('without TLS it is heard by others only with a warning; JSON says where it is', async () => {
  const data = folder();
  const { stdout, stderr } = await serving(`--data ${data} --host 0.0.0.0 --json`, async (text) => {
    const { url } = JSON.parse(text);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
  expect(JSON.parse(stdout)).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    dataDir: data,
    database: 'sqlite',
  });
  expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({ level: 'warn', host: '0.0.0.0' });
});

test("the editor's copy of the command line says what it comes without", async () => {
  const missing = () =>
    Promise.reject(Object.assign(new Error('Cannot find module'), { code: 'ERR_MODULE_NOT_FOUND' }));
  await expect(load(missing)).rejects.toMatchObject({
    code: 'usage',
    message: 'This copy of framework comes without this command',
  });
  await expect(load(() => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError);
});
