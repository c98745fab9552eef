// `framework serve` and the commands that manage its accounts, keys and credits.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CliIo } from '../../../cli/command.ts';
import { readServeSettings } from '../../../cli/commands/serve/serveSettings.ts';
import { importOptional } from '../../../cli/importOptional.ts';
import { runCli } from '../../../cli/runCli.ts';
import { program } from '../../support/programs.ts';
import { type CliRun, cli, stream } from '../cli.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'serve-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('refuses to start with an ffmpeg that does not start', async () => {
  const env = { FRAMEWORK_FFMPEG: program(join(folder(), 'ffmpeg'), 'echo "libx264.so: not found" >&2; exit 127') };
  const args = ['serve', '--port', '0', '--data', folder(), '--allow-root'];
  expect(await cli(args, { env, signal: AbortSignal.timeout(30_000) })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('did not start: libx264.so: not found'),
  });
});

test.runIf(process.getuid?.() === 0)('refuses to start as root, also with bubblewrap', async () => {
  const options = { signal: AbortSignal.timeout(30_000) };
  expect(await cli(['serve', '--port', '0', '--data', folder()], options)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('The service runs as root'),
  });
});

/** Runs commands on one data folder. */
function operator() {
  const data = folder();
  const run = (line: string, stdin = ''): Promise<CliRun> => cli([...line.split(' '), '--data', data], { stdin });
  return { data, run };
}

test('manages an account, its API keys and its credits', async () => {
  const { data, run } = operator();
  const made = await run('serve account add --email Ann@Example.com --credits 5', 'correct horse\n');
  expect([made.status, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toBe(
    `Created the account ann@example.com with 5 credits.\nTo create an API key: framework serve key add --email ann@example.com --data ${data}\n`,
  );
  const key = await run('serve key add --email ann@example.com --name ci');
  expect(key.stdout).toMatch(/^fk_[\w-]{43}\n$/);
  expect(key.stderr).toBe('Store this key now: it is not shown again.\n');
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
  ['serve account add --email ann', 'correct horse', '"ann" is not a valid e-mail address.'],
  ['serve account add --email ann@example.com', 'too short', 'Choose a password of at least 10 characters.'],
  ['serve account add --email ann@example.com', '', 'no password was given on stdin'],
  ['serve account add --email ann@example.com', 'one password\ntwo', 'more than one line was given on stdin'],
  [
    'serve account add --email ann@example.com',
    'aaaaaaaaaaaa',
    'Choose a password of more than three different characters.',
  ],
  ['serve key add --email nobody@example.com', '', 'there is no account for nobody@example.com'],
  ['serve key revoke --email nobody@example.com', '', 'the key id is missing'],
  ['serve credits --email nobody@example.com --add x', '', '--add must be a number of credits (got "x")'],
])('rejects %s with the input "%s"', async (line, stdin, message) => {
  const { run } = operator();
  const { status, stdout, stderr } = await run(`${line} --json`, stdin);
  expect(status).toBe(2);
  expect(JSON.parse(stdout).error.message).toBe(message);
  expect(stderr).toContain(message);
});

test('rejects a second account for an email address', async () => {
  const { run } = operator();
  expect((await run('serve account add --email ann@example.com', 'correct horse')).status).toBe(0);
  const again = await run('serve account add --email ANN@example.com', 'correct horse');
  expect([again.status, again.stderr]).toEqual([2, 'error: An account for ann@example.com already exists.\n']);
});

test.each([
  ['--public-url render.example.com', '--public-url must be a URL without a path (got "render.example.com")'],
  [
    '--public-url https://render.example.com/api',
    '--public-url must be a URL without a path (got "https://render.example.com/api")',
  ],
  ['--port 70000', '--port must be a whole number from 0 to 65535 (got "70000")'],
  ['--operator ann', '--operator must be the e-mail address of an account (got "ann")'],
  ['--engine local --stack-name own', '--stack-name needs --engine serverless'],
  ['--allow-host https://a.com', '--allow-host must be a host (got "https://a.com")'],
  ['--engine serverless --allow-host a.com', '--allow-host cannot be combined with --engine serverless'],
  ['--engine cloud', '--engine must be local or serverless (got "cloud")'],
  ['--workers -1', '--workers needs a value, but "-1" looks like an option'],
  ['--retention-days 0', '--retention-days must be a whole number, at least 1 (got "0")'],
  ['here', 'unknown command "serve here"'],
])('rejects serve %s', async (line, message) => {
  const { run } = operator();
  const { status, stderr } = await run(`serve ${line}`);
  expect([status, stderr.split('\n')[0]]).toEqual([2, `error: ${message}`]);
});

test('rejects a DATABASE_URL that is not PostgreSQL', async () => {
  const { status, stderr } = await cli(['serve', '--data', folder()], { env: { DATABASE_URL: 'mysql://x' } });
  expect([status, stderr.split('\n')[0]]).toEqual([2, 'error: DATABASE_URL must be a PostgreSQL URL']);
});

test.each([
  [{ SERVICE_SMTP_URL: 'smtp://ann:s3cret@mail' }, 'SERVICE_SMTP_URL is set, but SERVICE_MAIL_FROM is not'],
  [{ SERVICE_MAIL_FROM: 'a@example.com' }, 'SERVICE_MAIL_FROM is set, but SERVICE_SMTP_URL is not'],
  [
    { SERVICE_SMTP_URL: 'mail.example.com:s3cret', SERVICE_MAIL_FROM: 'a@example.com' },
    'SERVICE_SMTP_URL must be the URL of a mail server',
  ],
])('rejects a wrong setting for mail, without showing its password: %j', async (env, message) => {
  const { status, stderr } = await cli(['serve', '--data', folder()], { env });
  expect([status, stderr.split('\n')[0]]).toEqual([2, `error: ${message}`]);
  expect(stderr).not.toContain('s3cret');
});

test('reads the settings from options, environment and defaults', () => {
  const values = new Map([
    ['data', '/srv/framework'],
    ['public-url', 'https://render.example.com/'],
    ['workers', '0'],
    ['sign-up', 'open'],
  ]);
  const lists = new Map([
    ['operator', ['Ann@example.com']],
    ['allow-host', ['CDN.example.com', '*.b.de']],
  ]);
  const input = { positionals: [], values, lists, flags: new Set(['allow-private-targets']) };
  const env = {
    DATABASE_URL: 'postgres://localhost/x',
    SERVICE_METRICS_TOKEN: 't',
    FRAMEWORK_BROWSER: '/bin/chrome',
    SERVICE_SMTP_URL: 'smtps://mail.example.com',
    SERVICE_MAIL_FROM: 'no-reply@example.com',
  };
  expect(readServeSettings(input, env)).toEqual({
    dataDir: '/srv/framework',
    databaseUrl: 'postgres://localhost/x',
    host: '127.0.0.1',
    port: 8787,
    publicUrl: 'https://render.example.com',
    objects: { kind: 'disk' },
    workers: 0,
    maxRunningRenders: 2,
    maxFrameSeconds: 60,
    maxRenderDiskBytes: 20_480 * 1024 ** 2,
    drainSeconds: 30,
    engine: 'local',
    stackName: undefined,
    allowPrivateTargets: true,
    allowHosts: ['cdn.example.com', '*.b.de'],
    openSignUp: true,
    operators: ['ann@example.com'],
    initialCredits: 600,
    requestsPerMinute: 600,
    retentionDays: 30,
    quotas: { storedBytes: 10_737_418_240, uploads: 4, renders: 200 },
    reservedDiskBytes: 2_147_483_648,
    maxConnections: 1000,
    uploadPace: { bytesPerSecond: 10_000, windowMs: 30_000 },
    urlLifetime: 3600,
    metricsToken: 't',
    mail: { smtpUrl: 'smtps://mail.example.com', from: 'no-reply@example.com' },
    browserPath: '/bin/chrome',
    ffmpegPath: undefined,
  });
});

/** Runs the service until `until` is done, then cancels it as Ctrl+C does. */
async function serving(line: string, until: (stdout: string) => Promise<void>): Promise<CliRun> {
  const stdout = stream(false);
  const stderr = stream(false);
  const controller = new AbortController();
  const stdin = (async function* () {})();
  const writeStdout = async () => undefined;
  const io: CliIo = { stdout, writeStdout, stderr, stdin, env: {}, signal: controller.signal };
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

test('prints its address and the first steps, and exits with 0 when cancelled', async () => {
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

test('warns when it listens to other machines without TLS, and prints its address as JSON', async () => {
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

test('reports a command that this copy of the CLI does not include', async () => {
  const missing = () =>
    Promise.reject(Object.assign(new Error('Cannot find module'), { code: 'ERR_MODULE_NOT_FOUND' }));
  await expect(importOptional(missing)).rejects.toMatchObject({
    code: 'usage',
    message: 'This copy of framework does not include this command',
  });
  await expect(importOptional(() => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError);
});
