// The render queue with real renders: each is rendered and charged once, even if the service is killed.
// It is longer than 400 lines because every group of tests needs the same service, projects and checks of processes.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServiceContext, ServicePart } from '../../../../cloud/service/context.ts';
import { findSandbox } from '../../../../cloud/service/isolation/sandbox.ts';
import { type QueueOptions, startRenderQueue } from '../../../../cloud/service/queue/renderQueue.ts';
import { workerFile } from '../../../../cloud/service/queue/workerFile.ts';
import type { RenderRow } from '../../../../cloud/service/storage/tables.ts';
import { makeZip } from '../../../support/makeZip.ts';
import { program } from '../../../support/programs.ts';
import { composition, temporaryFolder } from '../../../support/project.ts';
import { embeddedExecutable } from '../../../support/renders/ffmpeg.ts';
import { describeVideo } from '../../../support/renders/video.ts';
import { startHost } from '../../../support/servers/host.ts';
import { queueContext } from '../../../support/service/queueContext.ts';
import { addAccount, renderRow } from '../../../support/service/serviceDatabase.ts';
import { renderFolders } from '../../../support/service/workFolders.ts';
import { needPrograms } from '../../../support/systemPrograms.ts';

const box = '<div style="position:absolute;left:0;top:0;width:32px;height:48px;background:#f80"></div>';
const dot = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle cx="4" cy="4" r="4"/></svg>';
const moving = `<div style="position:absolute;width:32px;height:48px;background:#f80;animation:go 60s linear both"></div>
  <style>@keyframes go { to { transform: translate(500px, 200px) rotate(90deg) } }</style>`;
/** A composition of 2 seconds that does `work` in each frame. */
const busy = (work: string) =>
  composition(
    `${box}<script>
    (function tick() { ${work}; requestAnimationFrame(tick); })();
  </script>`,
    { duration: 2 },
  );
const silent: ServicePart = { wake: () => {}, close: async () => {} };
const fast: QueueOptions = { pollMs: 50 };

async function service(settings: Partial<ServiceContext['settings']> = {}, credits = 100) {
  const dataDir = temporaryFolder();
  const context = await queueContext(dataDir, settings);
  onTestFinished(() => context.database.destroy());
  await addAccount(context.database, 'a', credits);
  return { dataDir, context };
}

/** Queues a render of a project of `files`; a string is its `index.html`. */
async function queueRender(
  { database, settings }: ServiceContext,
  id: string,
  files: string | Record<string, string>,
  changes: Partial<RenderRow> = {},
): Promise<void> {
  const entries = Object.entries(typeof files === 'string' ? { 'index.html': files } : files);
  const zip = makeZip(entries.map(([name, data]) => ({ name, data })));
  const asset_id = `ast_${id}`;
  const object_key = `assets/${asset_id}.zip`;
  const path = join(settings.dataDir, 'objects', object_key);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, zip);
  const asset = { id: asset_id, account_id: 'a', sha256: '', size_bytes: zip.length, object_key };
  await database
    .insertInto('assets')
    .values({ ...asset, created_at: 1, used_at: 1, variables: null, deleted_at: null })
    .execute();
  // Small, because most tests are not about the size.
  const own = { asset_id, project_url: null, fps: 10, quality: 'draft', size: '{"width":64}', created_at: Date.now() };
  await database
    .insertInto('renders')
    .values(renderRow(id, { ...own, ...changes }))
    .execute();
}

const rowOf = ({ database }: ServiceContext, id: string): Promise<RenderRow> =>
  database.selectFrom('renders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Waits until `check` returns a value. */
async function until<T>(check: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  for (;;) {
    const found = await check();
    if (found) return found;
    await sleep(50);
  }
}

const ended = (context: ServiceContext, id: string): Promise<RenderRow> =>
  until(async () => {
    const row = await rowOf(context, id);
    return (row.status === 'completed' || row.status === 'failed') && row;
  });

async function start(context: ServiceContext, options: QueueOptions = {}): Promise<ServicePart> {
  const queue = await startRenderQueue(context, silent, { ...fast, ...options });
  onTestFinished(queue.close);
  return queue;
}

const ledger = async ({ database }: ServiceContext) =>
  (await database.selectFrom('ledger').selectAll().orderBy('render_id').execute()).map(({ kind, amount, render_id }) =>
    `${kind} ${amount} ${render_id ?? ''}`.trim(),
  );

/** Processes that have the data folder in their arguments, working directory or environment. */
function processesOf(dataDir: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return `${command}${readFileSync(`/proc/${name}/environ`, 'utf8')}`.includes(dataDir) && command
          ? [command]
          : [];
      } catch {
        return [];
      }
    });
}

test('stores a video and its thumbnail, and charges its price', async () => {
  const { dataDir, context } = await service();
  await queueRender(context, 'r', { 'mine/index.html': composition(box, { duration: 1.5 }) });
  await start(context);
  const row = await ended(context, 'r');
  expect(row).toMatchObject({
    status: 'completed',
    failure_message: null,
    progress: 1,
    duration: 1.5,
    credits: 1.5,
    attempts: 1,
    video_key: 'videos/r.mp4',
    thumbnail_key: 'thumbnails/r.jpg',
  });
  const video = join(dataDir, 'objects/videos/r.mp4');
  expect(await describeVideo(video)).toMatchObject({ stream: expect.stringContaining('64x48') });
  expect(readFileSync(video)).toHaveLength(row.video_bytes ?? 0);
  expect(readFileSync(join(dataDir, 'objects/thumbnails/r.jpg')).subarray(0, 3)).toEqual(
    Buffer.from([0xff, 0xd8, 0xff]),
  );
  expect(await ledger(context)).toEqual(['grant 100', 'charge -1.5 r']);
  await until(() => renderFolders(dataDir).length === 0);
});

test('creates the thumbnail again if its ffmpeg is killed', async () => {
  const folder = temporaryFolder();
  const ffmpeg = embeddedExecutable(join(folder, 'embedded'));
  const killed = join(folder, 'killed');
  const dies = `case "$*" in *mjpeg*) [ -e "${killed}" ] || { touch "${killed}"; kill -9 $$; };; esac`;
  const { context } = await service({ ffmpegPath: program(join(folder, 'ffmpeg'), `${dies}\nexec "${ffmpeg}" "$@"`) });
  await queueRender(context, 'r', composition(box, { duration: 0.2 }));
  await start(context);
  expect(await ended(context, 'r')).toMatchObject({ status: 'completed', thumbnail_key: 'thumbnails/r.jpg' });
  expect(readdirSync(folder)).toContain('killed');
});

test('stores the actual values of a completed render, and warnings for unknown variables', async () => {
  const { context } = await service();
  const variables = [{ id: 'n', type: 'number', label: 'N', default: 1 }];
  const page = composition(box, { width: 64, height: 36, duration: 0.4, variables, attributes: 'data-fps="25"' });
  const asked = { fps: null, aspect_ratio: null, variables: '{"n":"x","other":1}' };
  await queueRender(context, 'r', page, asked);
  await start(context);
  const { warnings, ...row } = await ended(context, 'r');
  expect(row).toMatchObject({
    status: 'completed',
    failure_message: null,
    fps: 25,
    aspect_ratio: '16:9',
    duration: 0.4,
  });
  expect(JSON.parse(warnings ?? '')).toEqual([expect.stringContaining('"n"'), expect.stringContaining('"other"')]);
});

test.each([
  ['webm', 'vp9'],
  ['mov', 'prores'],
])('renders %s', async (format, codec) => {
  const { dataDir, context } = await service();
  await queueRender(context, 'r', composition(box, { duration: 0.3 }), { format });
  await start(context);
  expect(await ended(context, 'r')).toMatchObject({ status: 'completed', thumbnail_key: 'thumbnails/r.jpg' });
  expect((await describeVideo(join(dataDir, `objects/videos/r.${format}`))).stream).toContain(codec);
});

test('renders a size beyond 1080p at the price of 4k', async () => {
  const { dataDir, context } = await service();
  const size = JSON.stringify({ width: 1280, height: 1280, fit: 'cover' });
  await queueRender(context, 'r', composition(box, { duration: 0.2 }), { size, aspect_ratio: null });
  await start(context);
  expect(await ended(context, 'r')).toMatchObject({
    status: 'completed',
    resolution: '4k',
    aspect_ratio: '1:1',
    credits: 0.3,
  });
  expect((await describeVideo(join(dataDir, 'objects/videos/r.mp4'))).stream).toContain('1280x1280');
});

describe('starts no worker', () => {
  // A worker would report that the project has no composition.
  const wrong = { 'other.html': '' };

  test.each([0, 1])('for an account without credits, after %d attempts', async (attempts) => {
    const { context } = await service();
    await context.database.updateTable('accounts').set({ balance: 0 }).execute();
    await queueRender(context, 'r', wrong, { attempts });
    await start(context);
    expect(await ended(context, 'r')).toMatchObject({
      status: 'failed',
      failure_code: 'insufficient_credits',
      failure_message: 'The account has no credits left.',
    });
  });

  test('for an account with many renders that have failed without a charge', async () => {
    const { context } = await service();
    const failed = { status: 'failed', failure_code: 'internal_error', completed_at: Date.now() - 60_000 } as const;
    const rows = Array.from({ length: 20 }, (_, at) => renderRow(`f${at}`, failed));
    await context.database.insertInto('renders').values(rows).execute();
    await queueRender(context, 'r', wrong);
    await start(context);
    expect(await ended(context, 'r')).toMatchObject({ status: 'failed', failure_code: 'quota_exceeded' });
  });
});

describe('a failed render is not charged and reports the reason', () => {
  const wrongText = composition('<script>\nnowhere.call();\n</script>');
  test.each<[string, string | Record<string, string>, Partial<RenderRow>, string, string]>([
    [
      'a failing script',
      wrongText,
      {},
      'framework_project_invalid',
      'index.html:5: A script of the composition failed: ReferenceError: nowhere is not defined. Open the composition in a browser to see the error in its console.',
    ],
    [
      'a missing composition',
      { 'other.html': '' },
      {},
      'framework_project_invalid',
      'The composition index.html does not exist',
    ],
    [
      'a large video with transparency',
      composition(box),
      { size: '{"height":1200}', format: 'webm', aspect_ratio: null },
      'invalid_parameter',
      '1600x1200 is too large: the shorter side of webm may have 1080 pixels',
    ],
    [
      'an invalid value',
      composition(box, { variables: [{ id: 'n', type: 'number', label: 'N', default: 1 }] }),
      { variables: '{"n":"x"}', strict_variables: 1 },
      'framework_project_invalid',
      'Variable "n"',
    ],
    [
      'insufficient credits',
      composition(box, { duration: 500 }),
      {},
      'insufficient_credits',
      'The video costs 500 credits, but the account has 100 left.',
    ],
    [
      'a page that loads a private address',
      composition('<img src="http://127.0.0.1:8088/a.png">'),
      {},
      'framework_project_invalid',
      'is not an address of the public internet',
    ],
    [
      'an impossible duration',
      composition(box, { duration: 1e9 }),
      {},
      'framework_project_invalid',
      'index.html: The video would be 1000000000 s long, but at most 24 hours are possible.',
    ],
    [
      'a timeline with an impossible duration',
      composition('<script>window.__timelines = { main: { pause() {}, seek() {}, duration: () => 1e5 } };</script>', {
        duration: null,
      }),
      {},
      'framework_project_invalid',
      'The video would be 100000 s long, but at most 24 hours are possible.',
    ],
    [
      'an impossible size',
      composition(box, { width: 1e6, height: 1e6 }),
      {},
      'framework_project_invalid',
      'index.html: The composition is 1000000x1000000 pixels, which is too large.',
    ],
    [
      'a composition that is too wide for videos',
      composition(box, { width: 20_000, height: 1080 }),
      { size: null, aspect_ratio: null },
      'framework_project_invalid',
      'index.html: 20000x1080 is too large for H.264',
    ],
    [
      'a composition outside the project',
      composition(box),
      { composition: '../../x.html' },
      'invalid_parameter',
      'outside the project folder',
    ],
  ])('for %s', async (_, files, changes, code, message) => {
    const { dataDir, context } = await service();
    await queueRender(context, 'r', files, changes);
    await start(context);
    const row = await ended(context, 'r');
    expect(row).toMatchObject({
      status: 'failed',
      failure_code: code,
      failure_message: expect.stringContaining(message),
    });
    expect(row.failure_message).not.toContain(dataDir);
    expect(await ledger(context)).toEqual(['grant 100']);
    await until(() => renderFolders(dataDir).length === 0);
  });

  test('for an archive with paths outside the project', async () => {
    const { context } = await service();
    await queueRender(context, 'r', { '../index.html': composition(box) });
    await start(context);
    expect(await ended(context, 'r')).toMatchObject({
      failure_code: 'framework_project_invalid',
      failure_message: '"../index.html" in the zip archive is outside the project.',
    });
  });
});

test('a render whose files fill the disk fails', async () => {
  const running = await service();
  const files = {
    'index.html': composition('<script>for (;;);</script>'),
    'noise.bin': randomBytes(4e6).toString('hex'),
  };
  await queueRender(running.context, 'r', files);
  await start(running.context, { limits: { diskBytes: 5 * 1024 ** 2 } });
  expect(await ended(running.context, 'r')).toMatchObject({
    failure_code: 'framework_project_invalid',
    failure_message: 'The render stored more than 5 MB of temporary files, the limit for every render.',
  });
  await until(() => processesOf(running.dataDir).length === 0 && renderFolders(running.dataDir).length === 0);
});

describe('a render that takes too long is charged for its worker time', () => {
  /** Returns how the render failed, and compares its charge with the time that it took. */
  async function timedOut({ dataDir, context }: Awaited<ReturnType<typeof service>>, most: number): Promise<string> {
    const { failure_code, failure_message, credits, started_at, completed_at } = await ended(context, 'r');
    const ms = (completed_at ?? 0) - (started_at ?? 0);
    expect(credits).toBe(Math.min(most, Math.ceil(ms / 10_000)));
    expect(await ledger(context)).toEqual(['grant 100', `charge -${credits} r`]);
    await until(() => processesOf(dataDir).length === 0 && renderFolders(dataDir).length === 0);
    return `${failure_code}: ${failure_message}`;
  }
  /** Calls `work` in each animation frame. */
  test('if its page never loads', async () => {
    const running = await service();
    await queueRender(running.context, 'r', composition('<script>for (;;);</script>'));
    await start(running.context, { limits: { prepareMs: 4_000 } });
    const message = 'render_timeout: The project was not ready for its first frame after 4 s.';
    expect(await timedOut(running, 100)).toBe(message);
  });

  test('if it finishes no frame any more', async () => {
    const running = await service();
    await queueRender(running.context, 'r', busy('if (performance.now() >= 500) for (;;);'));
    await start(running.context, { limits: { frameMs: 4_000 } });
    expect(await timedOut(running, 2)).toMatch(
      /^render_timeout: No frame was finished for 4 s, the limit for one frame/,
    );
  });

  test('if it finishes a frame now and then', async () => {
    const running = await service();
    const slow = 'let sum = 0; for (let n = 0; n < 5e7; n++) sum += Math.sin(n); window.kept = sum';
    await queueRender(running.context, 'r', busy(slow));
    await start(running.context, { limits: { baseMs: 1_000, msPerFrame: 100 } });
    expect(await timedOut(running, 2)).toBe(
      'render_timeout: The render took longer than 3 s, the limit for 20 frames.',
    );
  });
});

describe('in a sandbox', () => {
  async function isolated(settings: Partial<ServiceContext['settings']> = {}) {
    const sandbox = await findSandbox({ env: process.env, programs: [], workerFile });
    if ('reason' in sandbox) throw new Error(sandbox.reason);
    return service({ ...settings, sandbox });
  }

  test('a render has the same bytes, and its browser its own sandbox', async (test) => {
    needPrograms(test, 'bwrap', 'prlimit');
    const videos = [];
    for (const { dataDir, context } of [await service(), await isolated()]) {
      await queueRender(context, 'r', composition(`${box}<p>Hello</p>`, { duration: 1 }));
      await start(context);
      const { status, failure_message, warnings } = await ended(context, 'r');
      expect({ status, failure_message, warnings }).toEqual({
        status: 'completed',
        failure_message: null,
        warnings: '[]',
      });
      videos.push(readFileSync(join(dataDir, 'objects/videos/r.mp4')));
      await until(() => processesOf(dataDir).length === 0 && renderFolders(dataDir).length === 0);
    }
    expect(videos[0]?.equals(videos[1] as Buffer)).toBe(true);
  });

  test('a page gets files of other hosts through the service, which checks their addresses', async (test) => {
    needPrograms(test, 'bwrap', 'prlimit');
    const host = await startHost({ '/dot.svg': { body: dot, headers: { 'content-type': 'image/svg+xml' } } });
    const page = composition(`<img src="${host.origin}/dot.svg">`, { duration: 0.2 });
    const { context } = await isolated({ allowPrivateTargets: true });
    await queueRender(context, 'r', page);
    await start(context);
    expect(await ended(context, 'r')).toMatchObject({ status: 'completed', failure_message: null });
    expect(host.requests).toEqual(['GET /dot.svg']);

    const { context: closed } = await isolated();
    await queueRender(closed, 'r', page);
    await start(closed);
    expect(await ended(closed, 'r')).toMatchObject({
      failure_code: 'framework_project_invalid',
      failure_message: expect.stringContaining('127.0.0.1 is not an address of the public internet'),
    });
    expect(host.requests).toHaveLength(1);
  });

  test('a render that is deleted leaves no process behind', async (test) => {
    needPrograms(test, 'bwrap', 'prlimit');
    const { dataDir, context } = await isolated();
    await queueRender(context, 'r', composition(box, { width: 640, height: 360, duration: 60 }), { fps: 60 });
    const queue = await start(context);
    await until(async () => (await rowOf(context, 'r')).progress > 0);
    const browsers = processesOf(dataDir).filter((command) => command.includes('--user-data-dir'));
    expect(browsers.length).toBeGreaterThan(0);
    expect(browsers.filter((command) => command.includes('--no-sandbox'))).toEqual([]);
    await context.database.updateTable('renders').set({ deleted_at: Date.now() }).execute();
    queue.wake();
    expect(await ended(context, 'r')).toMatchObject({ failure_code: 'render_deleted' });
    await until(() => processesOf(dataDir).length === 0 && renderFolders(dataDir).length === 0);
  });
});

describe('a project by URL', () => {
  const zip = makeZip([{ name: 'index.html', data: composition(box, { duration: 0.2 }) }]);

  test.each([
    ['http', (port: string) => `http://127.0.0.1:${port}/p.zip?key=secret`, 'must use https'],
    [
      'a private address',
      (port: string) => `https://127.0.0.1:${port}/p.zip`,
      'is not an address of the public internet',
    ],
    [
      'a name of this machine',
      (port: string) => `https://localhost:${port}/p.zip`,
      'localhost is not an address of the public internet',
    ],
  ])('is rejected otherwise: %s', async (_, url, message) => {
    const host = await startHost({ '/p.zip': { body: zip } });
    const { context } = await service();
    await queueRender(context, 'r', '', { asset_id: null, project_url: url(new URL(host.origin).port) });
    await start(context);
    const row = await ended(context, 'r');
    expect(row).toMatchObject({
      failure_code: 'framework_project_invalid',
      failure_message: expect.stringContaining(message),
    });
    expect(row.failure_message).not.toContain('secret');
    expect(host.requests).toEqual([]);
  });
});

describe('a running render', () => {
  const long = composition(moving, { width: 640, height: 360, duration: 60 });

  test('stops when it is deleted, and leaves nothing behind', async () => {
    const { dataDir, context } = await service();
    await queueRender(context, 'r', long, { fps: 60 });
    const queue = await start(context);
    await until(async () => (await rowOf(context, 'r')).progress > 0);
    expect(processesOf(dataDir).join('\n')).not.toMatch(/DATABASE_URL|AWS_/);
    await context.database.updateTable('renders').set({ deleted_at: Date.now() }).execute();
    queue.wake();
    expect(await ended(context, 'r')).toMatchObject({ status: 'failed', failure_code: 'render_deleted' });
    expect(await ledger(context)).toEqual(['grant 100']);
    await until(() => processesOf(dataDir).length === 0 && renderFolders(dataDir).length === 0);
  });

  test('is left alone when another instance has taken it', async () => {
    const { dataDir, context } = await service();
    await queueRender(context, 'r', long, { fps: 60 });
    const queue = await start(context);
    await until(async () => (await rowOf(context, 'r')).progress > 0);
    const theirs = { lease_owner: 'theirs', lease_expires_at: Date.now() + 60_000 };
    await context.database.updateTable('renders').set(theirs).execute();
    queue.wake();
    await until(() => processesOf(dataDir).length === 0 && renderFolders(dataDir).length === 0);
    expect(await rowOf(context, 'r')).toMatchObject({ ...theirs, status: 'rendering', attempts: 1 });
    expect(await ledger(context)).toEqual(['grant 100', 'hold -60 r']);
  });

  test('continues when the database was not available for longer than its lease', async () => {
    const { context } = await service();
    // About a second for each frame, so that its progress rarely changes.
    const work = 'let sum = 0; for (let n = 0; n < 5e7; n++) sum += Math.sin(n); window.kept = sum';
    await queueRender(context, 'r', busy(work));
    let isDown = false;
    const database = new Proxy(context.database, {
      get(target, name) {
        if (isDown) throw new Error('the database is not available');
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await start({ ...context, database }, { terms: { leaseMs: 3_000 } });
    await until(async () => (await rowOf(context, 'r')).progress > 0);
    isDown = true;
    const { lease_expires_at } = await rowOf(context, 'r');
    await until(() => Date.now() > (lease_expires_at ?? 0) + 500);
    isDown = false;
    await until(async () => ((await rowOf(context, 'r')).lease_expires_at ?? Number.POSITIVE_INFINITY) > Date.now());
    expect(await rowOf(context, 'r')).toMatchObject({ status: 'rendering', attempts: 1, interruptions: 0 });
  });

  test.each(['get', 'put'] as const)('starts again when the object store is available (%s)', async (method) => {
    const { context } = await service();
    await queueRender(context, 'r', { 'index.html': composition(box, { duration: 0.2 }) });
    let calls = 0;
    let isDown = true;
    const stopped = Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      $metadata: { attempts: 3 },
    });
    const objects = new Proxy(context.objects, {
      get:
        (target, name) =>
        (key: string, ...rest: unknown[]) => {
          if (isDown && (name === method || name === 'size')) {
            if (name === method) calls++;
            return Promise.reject(stopped);
          }
          return Reflect.apply(Reflect.get(target, name) as () => unknown, target, [key, ...rest]);
        },
    });
    await start({ ...context, objects }, { storePauseMs: 100, terms: { maxInterruptions: 1 } });
    await until(async () => (await rowOf(context, 'r')).status === 'queued' && calls > 0);
    // It stays in the queue, because the store does not answer.
    await sleep(500);
    expect(calls).toBe(1);
    isDown = false;
    expect(await ended(context, 'r')).toMatchObject({ status: 'completed', attempts: 2, interruptions: 0 });
  });

  test('is requeued when the service closes, if it takes longer than the time for draining', async () => {
    const { dataDir, context } = await service({ drainSeconds: 1 });
    await queueRender(context, 'r', long, { fps: 60 });
    const queue = await start(context);
    await until(async () => (await rowOf(context, 'r')).progress > 0);
    await queue.close();
    const counters = { attempts: 1, worker_deaths: 0, interruptions: 0 };
    expect(await rowOf(context, 'r')).toMatchObject({ ...counters, status: 'queued', lease_owner: null });
    expect(renderFolders(dataDir)).toEqual([]);
    await until(() => processesOf(dataDir).length === 0);
  });

  test('completes when the service closes, if that takes less than the time for draining', async () => {
    const { context } = await service({ drainSeconds: 600 });
    const page = composition(moving, { width: 640, height: 360, duration: 10 });
    await queueRender(context, 'r', page, { fps: 60 });
    await queueRender(context, 's', page);
    const queue = await start(context);
    await until(async () => (await rowOf(context, 'r')).progress > 0.1);
    await queue.close();
    expect(await rowOf(context, 'r')).toMatchObject({ status: 'completed', attempts: 1 });
    expect(await rowOf(context, 's')).toMatchObject({ status: 'queued', attempts: 0 });
  });

  test('continues with its finished segments after it was requeued, with the same bytes', async () => {
    const { dataDir, context } = await service();
    const page = composition(moving, { width: 640, height: 360, duration: 20 });
    for (const id of ['r', 's']) await queueRender(context, id, page, { fps: 60 });
    const first = await start(context);
    // Segments have 240 of the 1200 frames.
    await until(async () => (await rowOf(context, 'r')).progress > 0.6);
    await first.close();
    const names = JSON.parse((await rowOf(context, 'r')).segments ?? '[]') as string[];
    expect(names.length).toBeGreaterThan(0);
    expect(readdirSync(join(dataDir, 'objects/segments')).sort()).toEqual(names.map((name) => `r-${name}`).sort());
    await start(context);
    expect(await ended(context, 'r')).toMatchObject({ status: 'completed', credits: 20 });
    expect(await ended(context, 's')).toMatchObject({ status: 'completed' });
    await until(async () => (await rowOf(context, 'r')).segments === null);
    expect(readdirSync(join(dataDir, 'objects/segments'))).toEqual([]);
    const [r, s] = ['r', 's'].map((id) => readFileSync(join(dataDir, `objects/videos/${id}.mp4`)));
    expect(s && r?.equals(s)).toBe(true);
  });

  test('restarts when its browser is killed', async () => {
    const { dataDir, context } = await service();
    await queueRender(context, 'r', composition(moving, { width: 640, height: 360, duration: 20 }), { fps: 60 });
    await start(context);
    await until(async () => (await rowOf(context, 'r')).progress > 0);
    for (const pid of browserPids(dataDir)) process.kill(pid, 'SIGKILL');
    const row = await ended(context, 'r');
    expect(row).toMatchObject({ status: 'completed', attempts: 2, worker_deaths: 1, interruptions: 0 });
    expect(await ledger(context)).toEqual(['grant 100', 'charge -20 r']);
  });

  test('leaves no file of an earlier attempt whose service was killed before it could complete it', async () => {
    const { dataDir, context } = await service();
    const stored = join(dataDir, 'objects/videos/r.mp4');
    await mkdir(join(stored, '..'), { recursive: true });
    await writeFile(stored, 'a video');
    await queueRender(context, 'r', composition(box), { attempts: 1, composition: 'missing.html' });
    await start(context);
    expect(await ended(context, 'r')).toMatchObject({ status: 'failed', failure_code: 'framework_project_invalid' });
    await until(() => !existsSync(stored));
  });

  test('ends as deleted if it was deleted before its service was killed', async () => {
    const { context } = await service();
    const leased = { status: 'rendering', lease_owner: 'killed', lease_expires_at: Date.now() + 30_000 } as const;
    await queueRender(context, 'r', composition(box), { ...leased, deleted_at: Date.now(), started_at: Date.now() });
    await start(context);
    expect(await ended(context, 'r')).toMatchObject({ failure_code: 'render_deleted', credits: null });
  });

  test.each([
    '--type=gpu-process',
    'network.mojom.NetworkService',
  ])('restarts when a process of its browser is killed: %s', async (kind) => {
    const { dataDir, context } = await service();
    await queueRender(context, 'r', composition(moving, { width: 640, height: 360, duration: 20 }), { fps: 60 });
    await start(context);
    await until(async () => (await rowOf(context, 'r')).progress > 0);
    const [pid] = browserPids(dataDir).filter((each) => pidsWith(kind, '').includes(each));
    // Process 0 would be the whole group of this test.
    if (pid === undefined) throw new Error(`The service has no process for ${kind}.`);
    process.kill(pid, 'SIGKILL');
    const row = await ended(context, 'r');
    expect(row).toMatchObject({ status: 'completed', attempts: 2, worker_deaths: 1, interruptions: 0 });
  });

  describe('leaves no process of a browser that hangs', () => {
    /** A render whose browser, with all its processes, has stopped. */
    async function hanging(options: QueueOptions = {}) {
      const running = await service();
      await queueRender(running.context, 'r', long, { fps: 60 });
      const queue = await start(running.context, options);
      await until(async () => (await rowOf(running.context, 'r')).progress > 0);
      const pids = browserPids(running.dataDir);
      expect(pids.length).toBeGreaterThan(1);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      // Whatever the test finds, nothing of it is left.
      onTestFinished(() => pids.filter(isRunning).forEach((pid) => void process.kill(pid, 'SIGKILL')));
      return { ...running, queue, pids };
    }

    test('when the render is deleted', async () => {
      const { context, queue, pids } = await hanging();
      await context.database.updateTable('renders').set({ deleted_at: Date.now() }).execute();
      queue.wake();
      expect(await ended(context, 'r')).toMatchObject({ failure_code: 'render_deleted' });
      await until(() => !pids.some(isRunning));
    });

    test('when the render runs out of time', async () => {
      const { context, pids } = await hanging({ limits: { frameMs: 5_000 } });
      expect(await ended(context, 'r')).toMatchObject({ failure_code: 'render_timeout' });
      await until(() => !pids.some(isRunning));
    });

    test('when its worker is killed', async () => {
      const { context, dataDir, pids } = await hanging({ terms: { maxWorkerDeaths: 1 } });
      process.kill(workerPid(dataDir) as number, 'SIGKILL');
      expect(await ended(context, 'r')).toMatchObject({ failure_code: 'internal_error' });
      await until(() => !pids.some(isRunning));
    });
  });

  test('restarts when its worker is killed, and fails after three attempts', async () => {
    const { dataDir, context } = await service();
    await queueRender(context, 'r', long, { fps: 60 });
    await start(context, { limits: { heapMiB: 1024 } });
    for (let attempt = 1; attempt <= 3; attempt++) {
      await until(async () => (await rowOf(context, 'r')).attempts === attempt);
      const worker = await until(() => workerPid(dataDir));
      process.kill(worker, 'SIGKILL');
    }
    expect(await ended(context, 'r')).toMatchObject({ status: 'failed', failure_code: 'internal_error', attempts: 3 });
    expect(await ledger(context)).toEqual(['grant 100']);
  });
});

const workerPid = (dataDir: string): number | undefined => pidsWith('renderWorker.js', dataDir)[0];

/** All processes of the browser, which are in one process group. */
function browserPids(dataDir: string): number[] {
  const groups = pidsWith('chrom', dataDir).map(groupOf);
  return pidsWith('', '').filter((pid) => groups.includes(groupOf(pid) ?? ''));
}

/** Returns undefined for a process that has ended. */
function groupOf(pid: number): string | undefined {
  try {
    return /\) \S \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** Processes with `program` in their command line, and the data folder in it or in their environment. */
function pidsWith(program: string, dataDir: string): number[] {
  const found = readdirSync('/proc').filter((each) => {
    try {
      const command = readFileSync(`/proc/${each}/cmdline`, 'utf8');
      return command.includes(program) && (command + readFileSync(`/proc/${each}/environ`, 'utf8')).includes(dataDir);
    } catch {
      return false;
    }
  });
  return found.map(Number).sort((a, b) => a - b);
}

/** A process that has ended may be listed until its parent notices. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('loses no render and charges none twice when the service is killed', async () => {
  const { dataDir, context } = await service();
  await queueRender(context, 'r', composition(box, { duration: 20 }), { fps: 60 });
  for (const id of ['s', 't']) await queueRender(context, id, composition(box, { duration: 3 }));
  const run = () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/support/service/queueProcess.ts', dataDir], {
      stdio: 'ignore',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const first = run();
  await until(async () => (await rowOf(context, 'r')).progress > 0);
  first.kill('SIGKILL');
  // Its workers exit when the connection to the service closes.
  await until(() => processesOf(dataDir).length === 0);
  expect((await rowOf(context, 'r')).status).toBe('rendering');
  const second = run();
  const rows = [await ended(context, 'r'), await ended(context, 's'), await ended(context, 't')];
  second.kill('SIGKILL');
  expect(rows.map(({ status, credits }) => `${status} ${credits}`)).toEqual([
    'completed 20',
    'completed 3',
    'completed 3',
  ]);
  expect(await ledger(context)).toEqual(['grant 100', 'charge -20 r', 'charge -3 s', 'charge -3 t']);
  await until(() => processesOf(dataDir).length === 0);
});
