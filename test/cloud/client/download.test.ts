// Downloads over connections that break, URLs that expire and disks that are full: the file is whole, or the earlier one.
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { downloadVideo, fileError } from '../../renderer-core/cloud/download.ts';
import type { CloudEvent } from '../../renderer-core/cloud/events.ts';
import { type CloudService, startCloudService } from '../support/cloudService.ts';
import { startHost } from '../support/host.ts';
import { temporaryFolder } from '../support/project.ts';

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

test('whole, in a folder that was not there', async () => {
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

test('cut again and again: it goes on where it was', async () => {
  const { service, output, run } = await start();
  service.cutsAfter = Array.from({ length: 8 }, () => 1000);
  await run();
  expectOnly(output, service.video);
  // What had come when a connection broke may be less than what was sent, but nothing is asked for twice.
  const starts = service.ranges.map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0));
  expect(starts).toHaveLength(9);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
  expect(starts.at(-1)).toBeGreaterThan(0);
});

test('cut, and then another version: from the beginning', async () => {
  const { service, output, run } = await start();
  service.cutsAfter = [1000];
  service.onVideo = () => {
    if (service.ranges.length === 1) service.video = Buffer.from('made anew '.repeat(500));
  };
  await run();
  expectOnly(output, 'made anew '.repeat(500));
});

test('an expired URL is renewed, also in the middle', async () => {
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

test('a URL that stays refused', async () => {
  const { service, output, run } = await start();
  service.faults['GET video'] = Array.from({ length: 4 }, () => ({ status: 410 }));
  await expect(run()).rejects.toMatchObject({
    code: 'download_failed',
    message: 'The video could not be downloaded: HTTP 410',
  });
  expect(existsSync(output)).toBe(false);
});

test('what passes is tried again, what lasts ends with the earlier file in its place', async () => {
  const { service, output, run } = await start();
  service.faults['GET video'] = [{ status: 500 }, 'cut', { status: 429, headers: { 'retry-after': '0' } }];
  await run();
  expectOnly(output, service.video);
  service.cutsAfter = Array.from({ length: 20 }, () => 0);
  await expect(run()).rejects.toMatchObject({ code: 'download_failed' });
  expectOnly(output, service.video);
});

test('an answer without a length, one that is too short, and an empty one', async () => {
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

test('cancelled: nothing is left', async () => {
  const { service, folder, output } = await start();
  const controller = new AbortController();
  service.onVideo = () => controller.abort();
  const url = `${service.origin}/videos/a?signature=1`;
  await expect(downloadVideo({ url, renew: async () => url, output, signal: controller.signal })).rejects.toThrow(
    'aborted',
  );
  expect(readdirSync(join(folder, 'videos'))).toEqual([]);
});

test('a full disk, and a folder that may not be written', () => {
  const failing = (code: string) => fileError(Object.assign(new Error(code), { code }), '/videos/out.mp4');
  expect(failing('ENOSPC')).toMatchObject({ code: 'disk_full', message: 'The disk has no room for /videos/out.mp4' });
  expect(failing('EDQUOT')).toMatchObject({ code: 'disk_full' });
  expect(failing('EROFS')).toMatchObject({
    code: 'output_unwritable',
    message: 'Cannot write to /videos: the disk is read-only',
  });
});

test.skipIf(process.platform === 'win32')('nothing is written through a link that has the temporary name', async () => {
  const { service, output, run } = await start();
  await run();
  const victim = join(temporaryFolder(), 'victim');
  writeFileSync(victim, 'precious');
  symlinkSync(victim, join(output, '..', `.out.mp4.${process.pid}.partial`));
  await run();
  expect(readFileSync(victim, 'utf8')).toBe('precious');
  expectOnly(output, service.video);
});

test('what a killed download left is swept up', async () => {
  const { service, folder, output, run } = await start();
  await run();
  // No process has this id: the largest is smaller.
  const left = join(folder, 'videos', '.out.mp4.99999999.partial');
  writeFileSync(left, 'half');
  rmSync(output);
  await run();
  expectOnly(output, service.video);
});
