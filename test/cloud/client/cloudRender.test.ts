// Hosted renders against a running service: requests, events and the files on disk.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ApiClient } from '../../../cloud/client/apiClient.ts';
import type { CloudEvent } from '../../../cloud/client/cloudEvents.ts';
import { type CloudRenderRequest, planCloudRender, renderInCloud } from '../../../cloud/client/cloudRender.ts';
import { createApiClient } from '../../../sdk/services.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import type { Fault } from '../../support/service/cloudService.ts';
import { startCloudService } from '../../support/service/cloudService.ts';
import { readZip } from '../../support/zip.ts';

const landscape = composition('<p>Hello</p>', { width: 1920, height: 1080 });

async function start(files: string | Record<string, string> = landscape) {
  const service = await startCloudService();
  const output = join(temporaryFolder(), 'out.mp4');
  const projectDir = project(files);
  const events: CloudEvent[] = [];
  const run = ({ client = service.client, ...request }: CloudRenderRequest & { client?: ApiClient } = {}) =>
    renderInCloud(client, {
      ...(request.assetId === undefined && request.url === undefined ? { projectDir } : {}),
      output,
      pollIntervalMs: 1,
      onEvent: (event) => events.push(event),
      ...request,
    });
  return { service, output, projectDir, events, run };
}

test('renders a folder to a video', async () => {
  const { service, output, events, run } = await start({
    'index.html': landscape,
    'node_modules/a.js': '',
    '.env': 'x',
  });
  service.script = [{ status: 'queued' }, { status: 'rendering', progress: 0.5 }, { status: 'completed', credits: 4 }];
  const report = await run();
  const [renderId = ''] = service.renders.keys();
  expect(report).toMatchObject({ renderId, status: 'completed', output, bytes: service.video.length });
  expect(report.record).toMatchObject({ credits: 4 });
  expect(readFileSync(output)).toEqual(service.video);
  expect(service.calls()).toEqual([
    'POST /v3/assets',
    'POST /v3/framework/renders',
    ...Array.from({ length: 3 }, () => `GET /v3/framework/renders/${renderId}`),
  ]);
  // The request contains only the given options and the detected aspect ratio.
  expect(service.orders()).toEqual([{ project: { type: 'asset_id', asset_id: report.assetId }, aspect_ratio: '16:9' }]);
  const [archive = Buffer.alloc(0)] = service.archives();
  const path = join(temporaryFolder(), 'project.zip');
  writeFileSync(path, archive);
  expect([...readZip(path)].map(([name, content]) => [name, content.toString()])).toEqual([['index.html', landscape]]);
  expect(events.filter(({ type }) => type === 'stage')).toMatchObject(
    ['check', 'pack', 'upload', 'submit', 'wait', 'download'].map((stage) => ({ stage })),
  );
  const uploaded = events.filter((event) => event.type === 'bytes' && event.stage === 'upload').at(-1);
  expect(uploaded).toMatchObject({ done: archive.length, total: archive.length });
  expect(events.at(-1)).toEqual({ type: 'done', renderId, status: 'completed', output });
});

test('sends every option', async () => {
  const variables = [{ id: 'title', type: 'string', label: 'Title', default: 'a' }];
  const { service, run } = await start({ 'cards/intro.html': composition('', { width: 100, height: 100, variables }) });
  const options: CloudRenderRequest = {
    ...{ composition: 'cards/intro.html', fps: '30000/1001', quality: 'high', format: 'mp4', resolution: '4k' },
    ...{ variables: { title: 'b' }, strictVariables: true, title: 'Monday', idempotencyKey: 'run:1_a.b-C' },
    ...{ callbackUrl: 'https://example.com/hook', callbackId: 'id 1' },
  };
  const { assetId } = await run(options);
  expect(service.orders()).toEqual([
    {
      ...{ project: { type: 'asset_id', asset_id: assetId }, composition: 'cards/intro.html', fps: 29.97 },
      ...{ quality: 'high', format: 'mp4', resolution: '4k', aspect_ratio: '1:1', variables: { title: 'b' } },
      ...{ strict_variables: true, title: 'Monday', callback_url: 'https://example.com/hook', callback_id: 'id 1' },
    },
  ]);
  expect(service.seen.slice(0, 2).map(({ headers }) => headers['idempotency-key'])).toEqual([
    'run:1_a.b-C',
    'run:1_a.b-C',
  ]);
});

test('generates an idempotency key when none is given', async () => {
  const { service, run } = await start();
  await run();
  await run();
  const keys = service.seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
  expect(keys.every((key) => /^[0-9a-f-]{36}$/.test(String(key)))).toBe(true);
  expect(keys[0]).not.toBe(keys[2]);
});

test('sends the same bytes when an upload is retried', async () => {
  const { service, run } = await start({ 'index.html': landscape, 'a.txt': 'a'.repeat(100_000) });
  const retry = { attempts: 3, firstMs: 1 };
  const patient = createApiClient({ env: service.env, version: '0', retry });
  service.faults['POST /v3/assets'] = [{ status: 503 }, 'cut'];
  service.faults['POST /v3/framework/renders'] = [{ status: 500 }];
  await run({ client: patient });
  const uploads = service.seen.filter(({ url }) => url === '/v3/assets');
  expect(uploads).toHaveLength(3);
  expect(new Set(uploads.map(({ body }) => body.toString('base64'))).size).toBe(1);
  const keys = service.seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(5);
  expect(new Set(keys).size).toBe(1);
});

test('renders an uploaded asset and a project by URL', async () => {
  const { service, output, run } = await start();
  await run({ assetId: 'asset_1', variables: { anything: [1] }, strictVariables: true });
  await run({ url: 'https://example.com/project.zip', composition: 'b.html', aspectRatio: '9:16' });
  expect(service.orders()).toEqual([
    { project: { type: 'asset_id', asset_id: 'asset_1' }, variables: { anything: [1] }, strict_variables: true },
    {
      project: { type: 'url', url: 'https://example.com/project.zip' },
      composition: 'b.html',
      aspect_ratio: '9:16',
    },
  ]);
  expect(service.archives()).toEqual([]);
  expect(readFileSync(output)).toEqual(service.video);
});

test('takes the format from the extension of the output', async () => {
  const { service, run } = await start();
  const output = join(temporaryFolder(), 'alpha.webm');
  await run({ output });
  expect(service.orders()[0]?.format).toBe('webm');
  await expect(run({ output, resolution: '4k' })).rejects.toMatchObject({
    code: 'usage',
    message: '--resolution 4k cannot be combined with --format webm: formats with alpha (webm, mov) render at 1080p',
    hint: 'Use --format mp4 for 4k, or --resolution 1080p for webm.',
  });
  await expect(run({ output: 'x.gif' })).rejects.toMatchObject({ code: 'usage' });
  await expect(run({ output: 'x.mov', format: 'mp4' })).rejects.toMatchObject({
    code: 'usage',
    message: "--format mp4 contradicts the output's extension .mov",
    hint: 'Use an output that ends in .mp4, or leave out --format.',
  });
});

test('returns without waiting', async () => {
  const { service, output, run } = await start();
  const report = await run({ wait: false });
  expect(report).toMatchObject({ status: 'queued', record: null, output: null, bytes: null });
  expect(service.calls()).toEqual(['POST /v3/assets', 'POST /v3/framework/renders']);
  expect(existsSync(output)).toBe(false);
});

test('reports why a render failed and how to reproduce it locally', async () => {
  const { service, output, projectDir, run } = await start();
  writeFileSync(output, 'an earlier one');
  service.script = [{ status: 'failed', failure_code: 'script_error', failure_message: 'x is not defined' }];
  await expect(run({ fps: '25', variables: { "it's": 1 } })).rejects.toMatchObject({
    code: 'render_failed',
    message: expect.stringMatching(/^The render render_\S+ failed: x is not defined \(script_error\)$/),
    hint: `To reproduce it on this machine, run: framework render ${projectDir} --variables '{"it'\\''s":1}' --fps 25`,
    details: { failure_code: 'script_error', failure_message: 'x is not defined' },
  });
  expect(readFileSync(output, 'utf8')).toBe('an earlier one');
});

test('keeps waiting after temporary errors, and reports them', async () => {
  const { service, events, run } = await start();
  service.script = [{ status: 'rendering', progress: 0.2 }, { status: 'completed' }];
  service.faults['GET render'] = [{ status: 500 }, 'cut', { status: 429, code: 'rate_limit_exceeded' }];
  expect((await run()).status).toBe('completed');
  const retries = events.flatMap((event) => (event.type === 'retry' ? [event.message] : []));
  expect(retries).toEqual([
    'the service says internal_error',
    expect.stringContaining('127.0.0.1'),
    'the service says rate_limit_exceeded',
  ]);
});

test('stops waiting at the limit, with the render id and the command that fetches it', async () => {
  const { service, output, run } = await start();
  service.script = [{ status: 'rendering', progress: 0.2 }];
  const failure = run({ maxWaitMs: 50 });
  await expect(failure).rejects.toMatchObject({ code: 'wait_exceeded' });
  const [renderId] = service.renders.keys();
  const command = `framework cloud get ${renderId} --wait -o ${output}`;
  await expect(failure).rejects.toMatchObject({
    message: `The render ${renderId} did not finish within 0.1 s; the service continues it`,
    hint: `To fetch it later, run: ${command}`,
    details: { render_id: renderId, command },
  });
  service.faults['GET render'] = Array.from({ length: 1000 }, (): Fault => ({ status: 503 }));
  await expect(run({ maxWaitMs: 50 })).rejects.toThrow(
    /the last status request failed: the service says internal_error/,
  );
});

test('stops waiting at a permanent error, and names the render', async () => {
  const { service, run } = await start();
  service.faults['GET render'] = [{ status: 401, code: 'authentication_failed' }];
  const failure = run();
  await expect(failure).rejects.toMatchObject({ code: 'authentication_failed' });
  const [renderId] = service.renders.keys();
  await expect(failure).rejects.toMatchObject({ details: { render_id: renderId } });
  expect(service.calls().filter((call) => call.startsWith('GET'))).toHaveLength(1);
});

test('names the command that fetches the render when it is cancelled while waiting', async () => {
  const { service, output, run } = await start();
  const controller = new AbortController();
  service.script = [{ status: 'rendering', progress: 0.1 }];
  const onEvent = (event: CloudEvent) => event.type === 'status' && controller.abort();
  const failure = run({ signal: controller.signal, onEvent, pollIntervalMs: 60_000 });
  await expect(failure).rejects.toMatchObject({ code: 'cancelled', exitStatus: 130 });
  const [renderId] = service.renders.keys();
  await expect(failure).rejects.toThrow(
    `Stopped waiting. The service continues the render ${renderId}; to fetch it later, run:\n  framework cloud get ${renderId} --wait -o ${output}`,
  );
});

test.each([
  ['check', 'Cancelled; no render was submitted.'],
  ['upload', 'Cancelled; no render was submitted.'],
  ['submit', 'Cancelled while the render was being submitted; the service may have accepted it.'],
] as const)('can be cancelled at the stage %s', async (stage, message) => {
  const { service, run } = await start();
  const controller = new AbortController();
  const onEvent = (event: CloudEvent) => event.type === 'stage' && event.stage === stage && controller.abort();
  await expect(run({ signal: controller.signal, onEvent, idempotencyKey: 'k1' })).rejects.toMatchObject({
    code: 'cancelled',
    message: expect.stringContaining(message),
  });
  expect(service.orders()).toEqual([]);
});

test('names the idempotency key when the response to the request is lost', async () => {
  const { service, run } = await start();
  service.faults['POST /v3/framework/renders'] = ['cut'];
  await expect(run({ idempotencyKey: 'k1' })).rejects.toMatchObject({
    code: 'service_unreachable',
    hint: expect.stringContaining('--idempotency-key k1: it returns the same render'),
    details: { idempotency_key: 'k1' },
  });
});

test.each([
  ['idempotency_conflict', 409, /Use another --idempotency-key/],
  ['framework_project_too_large', 413, /\.frameworkignore/],
  ['insufficient_credits', 402, /framework auth status/],
] as const)('adds a hint to %s', async (code, status, hint) => {
  const { service, run } = await start();
  service.faults['POST /v3/assets'] = [{ status, code }];
  await expect(run()).rejects.toMatchObject({ code, hint: expect.stringMatching(hint) });
});

test('uploads the project as it was packed when a file changes during the upload', async () => {
  const { service, projectDir, run } = await start({ 'index.html': landscape, 'b.txt': 'b' });
  const onEvent = (event: CloudEvent): void => {
    if (event.type === 'stage' && event.stage === 'upload') writeFileSync(join(projectDir, 'b.txt'), 'changed');
  };
  const plan = await planCloudRender({ projectDir });
  await run({ onEvent });
  const [archive = Buffer.alloc(0)] = service.archives();
  expect(createHash('sha256').update(archive).digest('hex')).toBe(plan.archive?.sha256);
});

test.each([
  [{ fps: '0' }, /^fps must be a number or a fraction from 1 to 240 \(got "0"\)/],
  [{ fps: '241' }, /from 1 to 240/],
  [{ fps: '1000/7' }, /it cannot be written as a decimal number/],
  [{ quality: 'best' }, /--quality must be one of .* \(got "best"\)/],
  [{ format: 'gif' }, /--format must be one of mp4, webm, mov \(got "gif"\)/],
  [{ format: 'hls' }, /--format must be one of mp4, webm, mov \(got "hls"\)/],
  [{ resolution: '8k' }, /--resolution must be one of 1080p, 4k \(got "8k"\)/],
  [{ aspectRatio: '4:3' }, /--aspect-ratio must be one of 16:9, 9:16, 1:1 \(got "4:3"\)/],
  [{ format: 'mov', resolution: '4k', output: 'x.mov' }, /--resolution 4k cannot be combined with --format mov/],
  [{ callbackUrl: 'http://example.com' }, /--callback-url must be an https URL/],
  [{ callbackUrl: 'http://8.8.8.8/' }, /--callback-url must be an https URL/],
  [{ callbackUrl: 'example.com' }, /--callback-url must be an https URL/],
  [{ title: 'x'.repeat(201) }, /--title must be one line of 1 to 200 characters/],
  [{ callbackId: 'a\nb' }, /--callback-id must be one line/],
  [{ variables: { a: 'x'.repeat(300_000) } }, /have 300008 bytes as JSON; a hosted render accepts at most 262144/],
  [{ idempotencyKey: 'a b' }, /--idempotency-key must have 1 to 255 of .* \(got "a b"\)/],
  [{ idempotencyKey: 'x'.repeat(256) }, /--idempotency-key must have 1 to 255 of/],
  [{ url: 'file:///etc/passwd' }, /--url must be an http or https URL/],
  [{ assetId: 'a', url: 'https://example.com/a.zip' }, /A project folder, --asset-id and --url cannot be combined/],
] as [CloudRenderRequest, RegExp][])('rejects %j before anything is sent', async (request, message) => {
  const { service, run } = await start();
  await expect(run(request)).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
  expect(service.seen).toEqual([]);
});

test.each([
  'http://127.0.0.1:9000/',
  'http://localhost:9000/',
  'http://[::1]:9000/',
  'http://10.0.0.7/hook',
])('sends the callback URL %s of a private network', async (callbackUrl) => {
  const { service, run } = await start();
  await run({ callbackUrl });
  expect(service.orders()).toMatchObject([{ callback_url: callbackUrl }]);
});

test('rejects an output that cannot be written before anything is sent', async () => {
  const { service, run } = await start();
  await expect(run({ output: temporaryFolder() })).rejects.toMatchObject({ code: 'output_unwritable' });
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  await expect(run({ output: join(file, 'out.mp4') })).rejects.toMatchObject({ code: 'output_unwritable' });
  await expect(run({ output: '/proc/x.mp4' })).rejects.toMatchObject({ code: 'output_unwritable' });
  expect(service.seen).toEqual([]);
});

test('rejects a user who is not signed in before it reads the project', async () => {
  const { service, events, run } = await start('not a composition');
  const { SERVICE_API_URL } = service.env;
  const client = createApiClient({ env: { HOME: temporaryFolder(), SERVICE_API_URL }, version: '0' });
  await expect(run({ client })).rejects.toMatchObject({ code: 'signed_out' });
  expect(events).toEqual([]);
  expect(service.seen).toEqual([]);
});

test('does not upload an earlier output inside the project', async () => {
  const { service, projectDir, run } = await start();
  const output = join(projectDir, 'out.mp4');
  await run({ output });
  await run({ output });
  expect(service.archives()[1]).toEqual(service.archives()[0]);
  expect(readdirSync(projectDir).sort()).toEqual(['index.html', 'out.mp4']);
});
