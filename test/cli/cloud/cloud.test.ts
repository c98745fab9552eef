// `framework cloud` against a local service: output and exit statuses.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { runCli } from '../../../cli/runCli.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { newRecord, startCloudService } from '../../support/service/cloudService.ts';
import { cli } from '../cli.ts';

const page = composition('<p>Hello</p>', { width: 1920, height: 1080 });

async function start(files: string | Record<string, string> = page) {
  const service = await startCloudService();
  const dir = project(files);
  const output = join(temporaryFolder(), 'out.mp4');
  const cloud = (...argv: string[]) => cli(['cloud', ...argv], { env: service.env });
  return { service, dir, output, cloud, onlyId: () => [...service.renders.keys()][0] ?? '' };
}

test('render prints the path on the first line, and progress to stderr', async () => {
  const { service, dir, output, cloud, onlyId } = await start();
  service.script = [{ status: 'completed', credits: 4 }];
  const { status, stdout, stderr } = await cloud('render', dir, '-o', output);
  expect(status).toBe(0);
  expect(stdout.split('\n')).toEqual([
    output,
    `${onlyId()}, 4 s, 30 fps, mp4, 1080p, 16:9, standard, 41 kB, 4 credits`,
    expect.stringMatching(/^to render this project again without uploading it: --asset-id asset_\w+$/),
    '',
  ]);
  expect(stderr.split('\n')).toEqual([
    'Checking the project',
    'Packing 1 file',
    'Uploading 1 kB',
    'Submitting the render',
    `Submitted as ${onlyId()}`,
    `Rendering ${onlyId()}`,
    'completed (0 s)',
    'Downloading the video',
    '',
  ]);
  expect(readFileSync(output)).toEqual(service.video);
});

test('render supports --quiet, --json and --no-wait', async () => {
  const { service, dir, output, cloud } = await start();
  expect(await cloud('render', dir, '-o', output, '--quiet')).toEqual({ status: 0, stdout: `${output}\n`, stderr: '' });
  const { stdout, stderr } = await cloud('render', dir, '-o', output, '--json', '--progress=none');
  expect(stderr).toBe('');
  const [, second = ''] = service.renders.keys();
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ render_id: second, status: 'completed', output, bytes: service.video.length },
    ...{ asset_id: expect.stringMatching('asset_'), video_url: expect.stringMatching('http') },
  });
  const early = await cloud('render', dir, '--no-wait', '-o', 'my video.mp4');
  const [, , third = ''] = service.renders.keys();
  expect(early.stdout.split('\n').slice(0, 2)).toEqual([
    third,
    `to download the video: framework cloud get ${third} --wait -o 'my video.mp4'`,
  ]);
  const document = JSON.parse((await cloud('render', dir, '--no-wait', '--json')).stdout);
  expect(document).toMatchObject({ render_id: expect.stringMatching('render_'), status: 'queued', output: null });
});

test('render sends every option', async () => {
  const { service, cloud } = await start();
  await cloud(
    ...[
      'render',
      '--asset-id',
      'asset_1',
      '-c',
      'b.html',
      '--variables',
      '{"a":1}',
      '--strict-variables',
      '--fps',
      '25',
    ],
    ...['-q', 'draft', '--format', 'mp4', '--resolution', '4k', '--aspect-ratio', '1:1', '--title', 'T', '--no-wait'],
    ...['--fit', 'cover', '--background', 'red'],
    ...['--callback-url', 'https://example.com/', '--callback-id', 'c', '--idempotency-key', 'k'],
  );
  expect(service.orders()).toEqual([
    {
      ...{ project: { type: 'asset_id', asset_id: 'asset_1' }, composition: 'b.html', fps: 25, quality: 'draft' },
      ...{ format: 'mp4', resolution: '4k', aspect_ratio: '1:1', variables: { a: 1 }, strict_variables: true },
      ...{ fit: 'cover', background: 'red' },
      ...{ callback_url: 'https://example.com/', callback_id: 'c', title: 'T' },
    },
  ]);
  expect(service.seen[0]?.headers['idempotency-key']).toBe('k');
});

test('render --dry-run shows what would be sent, and sends nothing', async () => {
  const { service, dir, cloud } = await start({ 'index.html': page, 'a.txt': 'a'.repeat(2000) });
  const { status, stdout } = await cloud('render', dir, '--dry-run', '--fps', '25', '--idempotency-key', 'k');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ {2}2\.0 kB {2}a\.txt\n +\d+ B {2}index\.html\n\n2 files, .* archive .* sha256 \w{64}\n/);
  expect(stdout).toContain('"fps": 25');
  const document = JSON.parse((await cloud('render', dir, '--dry-run', '--json')).stdout);
  expect(document).toMatchObject({
    files: [
      { path: 'a.txt', bytes: 2000 },
      { path: 'index.html', bytes: page.length },
    ],
    archive: { bytes: expect.any(Number), sha256: expect.stringMatching(/^\w{64}$/) },
    order: { project: { type: 'asset_id', asset_id: null }, aspect_ratio: '16:9' },
    warnings: [],
  });
  expect(service.seen).toEqual([]);
});

test('render warns, or fails with --strict-variables, before it sends anything', async () => {
  const { service, dir, cloud } = await start();
  const values = ['--variables', '{"x":1}'];
  const message = 'Variable "x" is not declared by this composition; it declares no variables';
  const warned = await cloud('render', dir, '--no-wait', '--progress', 'none', ...values);
  expect(warned).toMatchObject({ status: 0, stderr: `warning: index.html:3:1: ${message}\n` });
  const sent = service.seen.length;
  const refused = await cloud('render', dir, '--json', '--strict-variables', ...values);
  expect(refused.status).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'variables_invalid', message } });
  expect(service.seen).toHaveLength(sent);
});

test('render locates wrong values in the file that they were read from', async () => {
  const { dir, cloud } = await start();
  const values = join(dir, 'values.json');
  writeFileSync(values, '{\n  "x": 1\n}');
  const { stderr } = await cloud('render', dir, '--dry-run', '--progress', 'none', '--variables-file', values);
  expect(stderr).toBe(`warning: ${values}:2:3: Variable "x" is not declared by index.html; it declares no variables\n`);
});

test('render reads values from stdin', async () => {
  const { service, dir } = await start();
  const argv = ['cloud', 'render', dir, '--no-wait', '--variables-file', '-'];
  await cli(argv, { env: service.env, stdin: '{"a":"b"}' });
  expect(service.orders()[0]?.variables).toEqual({ a: 'b' });
});

test('render exits with 1 for a failed render', async () => {
  const { service, dir, cloud, onlyId } = await start();
  service.script = [{ status: 'failed', failure_code: 'script_error', failure_message: 'x is not defined' }];
  const { status, stderr } = await cloud('render', dir, '--progress', 'none');
  expect(status).toBe(1);
  expect(stderr).toBe(
    `error: The render ${onlyId()} failed: x is not defined (script_error)\nhint: To reproduce it on this machine, run: framework render ${dir}\n`,
  );
});

test('rejects invalid options with status 2, also with --json', async () => {
  const { service, cloud } = await start();
  const check = async (argv: string[], message: string) => {
    expect(await cloud(...argv)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(message) });
    const { status, stdout } = await cloud(...argv, '--json');
    expect([status, JSON.parse(stdout).error.code]).toEqual([2, 'usage']);
  };
  await check(['render', '--asset-id', 'a', '--url', 'https://example.com/a.zip'], 'cannot be combined');
  await check(
    ['render', '--resolution', '4k', '--format', 'webm'],
    '--resolution 4k cannot be combined with --format webm',
  );
  await check(['render', '--poll-interval', '0'], '--poll-interval must be from 1s to 1h (got "0")');
  await check(['render', '--max-wait', 'long'], '--max-wait must be from 1s to 168h (got "long")');
  await check(['render', '--callback-url', 'http://example.com'], 'must be an https URL');
  await check(['list', '--limit', '101'], '--limit must be a whole number from 1 to 100 (got 101)');
  await check(['get'], 'the render id is missing: cloud get <render_id>');
  await check(['delete'], 'the render id is missing: cloud delete <render_id>');
  await check(['delete', 'render_1'], 'there is no terminal to ask on');
  expect(service.seen).toEqual([]);
});

test('render exits with 130 when cancelled, and prints the render id as JSON', async () => {
  const { service, dir, onlyId } = await start();
  const controller = new AbortController();
  service.script = [{ status: 'rendering', progress: 0.5 }];
  const running = cli(['cloud', 'render', dir, '--json', '--progress', 'ndjson'], {
    env: service.env,
    signal: controller.signal,
  });
  while (!service.calls().some((call) => call.startsWith('GET'))) await new Promise((done) => setTimeout(done, 5));
  controller.abort();
  const { status, stdout, stderr } = await running;
  expect(status).toBe(130);
  const { error } = JSON.parse(stdout);
  expect(error).toMatchObject({
    code: 'cancelled',
    details: { render_id: onlyId(), command: `framework cloud get ${onlyId()} --wait` },
  });
  const lines = stderr.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toContain('submitted');
});

test('list prints a table, or the response of the API', async () => {
  const { service, cloud } = await start();
  expect((await cloud('list')).stdout).toBe('No renders.\n');
  for (const [at, title] of ['old', 'new \u001b[31m'].entries()) {
    const id = `render_${at}`;
    service.renders.set(id, { ...newRecord({ title }), render_id: id, status: 'rendering', progress: 0.5 });
  }
  const { stdout, stderr } = await cloud('list', '--limit', '1');
  expect(stdout.split('\n')).toEqual([
    'RENDER    STATUS          CREATED                  LENGTH  VIDEO           TITLE',
    expect.stringMatching(
      /^render_1 {2}rendering 50 % {2}2026-11-21 \d\d:\d\d:\d\d UTC {2}4 s {5}mp4 1080p 16:9 {2}new {2}\[31m$/,
    ),
    '',
  ]);
  expect(stderr).toBe('Next page: framework cloud list --token 1\n');
  const ids = async (...argv: string[]) =>
    JSON.parse((await cloud('list', '--json', ...argv)).stdout).data.map((one: { render_id: string }) => one.render_id);
  expect(await ids('--token', '1')).toEqual(['render_0']);
  expect(await ids('--all', '--limit', '1')).toEqual(['render_1', 'render_0']);
});

test('get prints a render, or downloads its video', async () => {
  const { service, output, cloud } = await start();
  const id = 'render_1';
  service.renders.set(id, { ...newRecord({ title: 'Monday' }), render_id: id });
  service.script = [{ status: 'rendering', progress: 0.25 }];
  const { stdout } = await cloud('get', id);
  expect(stdout).toMatch(/^render_id {4}render_1\nstatus {7}rendering, 25 %\ntitle {8}Monday\n/);
  expect(JSON.parse((await cloud('get', id, '--json')).stdout)).toMatchObject({ render_id: id, progress: 0.25 });
  expect(await cloud('get', id, '-o', output)).toMatchObject({
    status: 1,
    stderr: `error: The render ${id} has no video yet (status: rendering)\nhint: To wait for it: framework cloud get ${id} --wait -o ${output}\n`,
  });
  service.script = [{ status: 'rendering' }, { status: 'completed' }];
  const fetched = await cloud('get', id, '--wait', '-o', output, '--poll-interval', '1', '--json');
  expect(JSON.parse(fetched.stdout)).toMatchObject({ render_id: id, output, bytes: service.video.length });
  expect(readFileSync(output)).toEqual(service.video);
  expect(await cloud('get', 'nobody')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      'error: The render nobody does not exist in this account\nhint: framework cloud list',
    ),
  });
});

test('render prints the warnings of the service once', async () => {
  const { service, dir, output, cloud, onlyId } = await start();
  service.script = [{ status: 'completed', warnings: ['Variable "x" is not declared'] }];
  const { stderr } = await cloud('render', dir, '-o', output, '--progress', 'none');
  expect(stderr).toBe('warning: Variable "x" is not declared\n');
  const { stdout } = await cloud('get', onlyId());
  expect(stdout).toContain('warning      Variable "x" is not declared\n');
});

test('get shows a failed render with status 0, but exits with 1 if its video is requested', async () => {
  const { service, output, cloud } = await start();
  service.renders.set('render_1', { ...newRecord(), render_id: 'render_1' });
  service.script = [{ status: 'failed', failure_code: 'no_duration', failure_message: 'It never ends' }];
  expect(await cloud('get', 'render_1')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('failure      It never ends (no_duration)\n'),
  });
  expect(await cloud('get', 'render_1', '-o', output, '--progress', 'none')).toMatchObject({
    status: 1,
    stderr:
      'error: The render render_1 failed: It never ends (no_duration)\nhint: For details, run: framework cloud get render_1\n',
  });
});

test('delete --no-confirm deletes without asking', async () => {
  const { service, cloud } = await start();
  service.renders.set('render_1', { ...newRecord(), render_id: 'render_1' });
  expect(await cloud('delete', 'render_1', '--no-confirm')).toEqual({
    status: 0,
    stdout: 'Deleted render_1\n',
    stderr: '',
  });
  service.renders.set('render_1', { ...newRecord(), render_id: 'render_1' });
  const { stdout } = await cloud('delete', 'render_1', '--no-confirm', '--json');
  expect(JSON.parse(stdout)).toEqual({ render_id: 'render_1', deleted: true });
  expect(await cloud('delete', 'render_1', '--no-confirm')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('The render render_1 does not exist in this account'),
  });
});

test.each([
  ['y', 0, 'Deleted render_1\n'],
  ['n', 130, ''],
  ['\u0003', 130, ''],
])('delete asks on a terminal and accepts %j', async (key, expected, printed) => {
  const { service } = await start();
  service.renders.set('render_1', { ...newRecord(), render_id: 'render_1' });
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let shown = '';
  stderr.on('data', (chunk) => {
    if (shown === '') setTimeout(() => stdin.write(key), 20);
    shown += chunk;
  });
  let stdout = '';
  const write = (text: string) => {
    stdout += text;
  };
  const { signal } = new AbortController();
  const io = { stdout: { write }, writeStdout: async () => undefined, stderr, stdin, env: service.env, signal };
  expect(await runCli(['cloud', 'delete', 'render_1'], io)).toBe(expected);
  expect(stdout).toBe(printed);
  expect(shown).toContain('Delete the render render_1 and its video?');
  expect(service.renders.has('render_1')).toBe(key !== 'y');
});

test('prints help within 100 columns', async () => {
  const { stdout } = await cli(['cloud', 'render', '--help']);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  expect(stdout).toContain('4k needs mp4');
  expect((await cli(['cloud'])).stdout).toContain('cloud delete');
});
