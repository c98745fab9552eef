// Downloads with lost connections, expired URLs and full disks: the file is complete, or the earlier one is kept.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CloudEvent } from '../../../cloud/client/cloudEvents.ts';
import { downloadVideo, fileError } from '../../../cloud/client/download.ts';
import { createDevice } from '../../support/devices.ts';
import { temporaryFolder } from '../../support/project.ts';
import { startHost } from '../../support/servers/host.ts';
import { type CloudService, startCloudService } from '../../support/service/cloudService.ts';

async function start() {
  const service = await startCloudService();
  const folder = temporaryFolder();
  const output = join(folder, 'videos', 'out.mp4');
  let signature = 1;
  const urlOf = () => `${service.origin}/videos/a?signature=${signature}`;
  const events: CloudEvent[] = [];
  const run = () =>
    downloadVideo({
      url: urlOf(),
      renew: async () => {
        signature++;
        return urlOf();
      },
      output,
      pauseMs: 1,
      onEvent: (event) => events.push(event),
    });
  return { service, folder, output, events, run };
}

/** Nothing but the file itself is left in its folder. */
function expectOnly(output: string, content: CloudService['video'] | string): void {
  expect(readFileSync(output).equals(Buffer.from(content))).toBe(true);
  expect(readdirSync(join(output, '..'))).toEqual(['out.mp4']);
}

test('downloads a file into a new folder', async () => {
  const { service, output, events, run } = await start();
  expect(await run()).toEqual({ path: output, bytes: service.video.length });
  expectOnly(output, service.video);
  expect(service.ranges).toEqual([undefined]);
  expect(events.at(-1)).toEqual({
    type: 'bytes',
    stage: 'download',
    done: service.video.length,
    total: service.video.length,
  });
});

test('replaces the target of a link, and keeps the link', async () => {
  const { service, folder, output, run } = await start();
  mkdirSync(join(folder, 'videos'));
  symlinkSync('../real.mp4', output);
  writeFileSync(join(folder, 'real.mp4'), 'old');
  expect(await run()).toEqual({ path: output, bytes: service.video.length });
  expect(readlinkSync(output)).toBe('../real.mp4');
  expect(readFileSync(join(folder, 'real.mp4')).equals(service.video)).toBe(true);
});

test('writes to standard output and to a device', async (context) => {
  const { service, folder } = await start();
  const options = { url: `${service.origin}/videos/a?signature=1`, renew: async () => '' };
  const written: Uint8Array[] = [];
  const stdout = async (data: Uint8Array) => void written.push(data.slice());
  expect(await downloadVideo({ ...options, output: '-', stdout })).toEqual({ path: '-', bytes: service.video.length });
  expect(Buffer.concat(written).equals(service.video)).toBe(true);
  const device = createDevice(context, folder, 'full');
  await expect(downloadVideo({ ...options, output: device })).rejects.toMatchObject({ code: 'disk_full' });
  expect(readdirSync(folder)).toEqual(['full']);
});

test('resumes after each lost connection', async () => {
  const { service, output, run } = await start();
  service.cutsAfter = Array.from({ length: 8 }, () => 1000);
  await run();
  expectOnly(output, service.video);
  // Less may have arrived than was sent when the connection was lost, but no byte is requested twice.
  const starts = service.ranges.map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0));
  expect(starts).toHaveLength(9);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
  expect(starts.at(-1)).toBeGreaterThan(0);
});

test('starts again when the file has changed after a lost connection', async () => {
  const { service, output, run } = await start();
  service.cutsAfter = [1000];
  service.onVideo = () => {
    if (service.ranges.length === 1) service.video = Buffer.from('made anew '.repeat(500));
  };
  await run();
  expectOnly(output, 'made anew '.repeat(500));
});

test('renews an expired URL, also during the download', async () => {
  const { service, output, run } = await start();
  service.cutsAfter = [1000];
  service.onVideo = () => {
    if (service.ranges.length === 1) service.expire();
  };
  await run();
  expectOnly(output, service.video);
  expect(service.ranges).toHaveLength(3);
  expect(service.ranges[2]).toBe(service.ranges[1]);
});

test('fails when renewed URLs are refused too', async () => {
  const { service, output, run } = await start();
  service.faults['GET video'] = Array.from({ length: 4 }, () => ({ status: 410 }));
  await expect(run()).rejects.toMatchObject({
    code: 'download_failed',
    message: 'The video could not be downloaded: HTTP 410',
  });
  expect(existsSync(output)).toBe(false);
});

test('retries temporary errors, and keeps the earlier file after a permanent one', async () => {
  const { service, output, run } = await start();
  service.faults['GET video'] = [{ status: 500 }, 'cut', { status: 429, headers: { 'retry-after': '0' } }];
  await run();
  expectOnly(output, service.video);
  service.cutsAfter = Array.from({ length: 20 }, () => 0);
  await expect(run()).rejects.toMatchObject({ code: 'download_failed' });
  expectOnly(output, service.video);
});

test('accepts a response without a length, and rejects a truncated and an empty one', async () => {
  const host = await startHost({
    '/chunked': { body: 'a video' },
    '/short': () => ({ headers: { 'content-length': '10' }, body: 'short', cuts: true }),
    '/empty': { headers: { 'content-length': '0' } },
  });
  const output = join(temporaryFolder(), 'out.mp4');
  const renew = async (): Promise<string> => {
    throw new Error('not expected');
  };
  const get = (path: string) => downloadVideo({ url: host.origin + path, renew, output, pauseMs: 1 });
  expect((await get('/chunked')).bytes).toBe(7);
  await expect(get('/short')).rejects.toMatchObject({ code: 'download_failed' });
  await expect(get('/empty')).rejects.toMatchObject({ code: 'download_failed' });
  expectOnly(output, 'a video');
});

test('leaves no file when it is cancelled', async () => {
  const { service, folder, output } = await start();
  const controller = new AbortController();
  service.onVideo = () => controller.abort();
  const url = `${service.origin}/videos/a?signature=1`;
  await expect(downloadVideo({ url, renew: async () => url, output, signal: controller.signal })).rejects.toThrow(
    'aborted',
  );
  expect(readdirSync(join(folder, 'videos'))).toEqual([]);
});

test('reports a full disk and a folder that is not writable', () => {
  const failing = (code: string) => fileError(Object.assign(new Error(code), { code }), '/videos/out.mp4');
  expect(failing('ENOSPC')).toMatchObject({ code: 'disk_full', message: 'The disk has no space for /videos/out.mp4' });
  expect(failing('EDQUOT')).toMatchObject({ code: 'disk_full' });
  expect(failing('EROFS')).toMatchObject({
    code: 'output_unwritable',
    message: 'Cannot write to /videos: the disk is read-only',
  });
});

test.skipIf(process.platform === 'win32')('does not write through a link that has the temporary name', async () => {
  const { service, output, run } = await start();
  await run();
  const victim = join(temporaryFolder(), 'victim');
  writeFileSync(victim, 'precious');
  symlinkSync(victim, join(output, '..', `.out.mp4.${process.pid}.partial`));
  await run();
  expect(readFileSync(victim, 'utf8')).toBe('precious');
  expectOnly(output, service.video);
});

test('removes temporary files of killed downloads', async () => {
  const { service, folder, output, run } = await start();
  await run();
  // No process has this id: it is larger than the largest possible one.
  const left = join(folder, 'videos', '.out.mp4.99999999.partial');
  writeFileSync(left, 'half');
  rmSync(output);
  await run();
  expectOnly(output, service.video);
});
