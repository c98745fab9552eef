// Thumbnails: frames of finished videos, by default the poster frame.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ThumbnailRequest, takeThumbnail } from '../../../../renderer-core/render/finishedVideo/takeThumbnail.ts';
import { cli } from '../../../cli/cli.ts';
import { project } from '../../../support/project.ts';
import { page } from '../../../support/renders/frames.ts';
import { hex, pictureOf } from '../../../support/renders/video.ts';
import { warmRenderer } from '../../../support/renders/warmRender.ts';
import { core } from '../../../support/suites.ts';

const renderVideo = warmRenderer();

/** One color for two seconds; then a red half. */
const late = page(
  `<style>body{background:#224466}#a{position:absolute;left:0;top:0;width:50%;height:100%;background:#ff0000}</style>
  <div id="a" class="clip" data-start="2" data-duration="1"></div>`,
  { duration: 3 },
);

let folder: string;
let video: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'framework-test-'));
  video = join(folder, 'late.mp4');
  writeFileSync(join(folder, 'index.html'), late);
  await renderVideo({ projectDir: folder, fps: '10', output: video });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Takes a thumbnail, and returns its report with the colors of the left and the right half. */
async function shown(request: Partial<ThumbnailRequest> = {}) {
  const report = await takeThumbnail({ env: process.env, video, output: join(folder, 'shot.png'), ...request });
  const image = pictureOf(PNG.sync.read(readFileSync(report.output)));
  const row = Math.floor(image.height / 2);
  expect([image.width, image.height]).toEqual([report.width, report.height]);
  const isRed = (x: number) => /^#f[a-f0-9]0[0-9a-f]0[0-9a-f]$/.test(hex(image, x, row));
  return { seconds: report.seconds, width: report.width, red: [isRed(2), isRed(image.width - 3)] };
}

describe('shows', () => {
  test('the first frame after the intro with more than one color', async () => {
    expect(await shown()).toMatchObject({ seconds: 2, red: [true, false] });
  });
  test.each([
    ['seconds', '1.5', 1.5, false],
    ['a frame', '25f', 2.5, true],
    ['a percentage', '50%', 1.5, false],
    ['the last frame', '100%', 2.9, true],
    ['the last frame for a later time', '9', 2.9, true],
  ])('%s', async (_what, at, seconds, red) => {
    const thumbnail = await shown({ at });
    expect(thumbnail.seconds).toBeCloseTo(seconds, 6);
    expect(thumbnail.red).toEqual([red, false]);
  });
  test('an image of at most the given size', async () => {
    expect(await shown({ maxSide: 32, at: '2.5' })).toEqual({ seconds: 2.5, width: 32, red: [true, false] });
  });
  test('a JPEG image', core, async () => {
    const { output, bytes } = await takeThumbnail({ env: process.env, video, output: join(folder, 'shot.jpg') });
    const file = readFileSync(output);
    expect([file.length, file.subarray(0, 3).toString('hex')]).toEqual([bytes, 'ffd8ff']);
  });
});

describe('an HLS stream', () => {
  test('shows frames of its second segment', async () => {
    const stream = join(folder, 'stream');
    const html = late.replace('data-duration="3"', 'data-duration="8"').replace('data-start="2"', 'data-start="7"');
    const projectDir = project({ 'index.html': html });
    await renderVideo({ projectDir, fps: '5', format: 'hls', quality: 'draft', output: stream });
    expect(await shown({ video: stream, at: '34f' })).toMatchObject({ red: [false, false] });
    expect(await shown({ video: stream, at: '35f' })).toMatchObject({ seconds: 7, red: [true, false] });
    expect(await shown({ video: join(stream, 'index.m3u8'), at: '100%' })).toMatchObject({ seconds: 7.8 });
    // Next to the folder, which holds nothing but the stream.
    const { stdout } = await cli(['thumbnail', join(stream, 'index.m3u8')], { env: process.env });
    expect(stdout.split('\n')[0]).toBe(`${stream}.jpg`);
  });

  test('never reads the network, and no other files than media', async () => {
    const requests: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const bad = join(folder, 'bad.m3u8');
    writeFileSync(join(folder, 'text.txt'), 'text');
    for (const segment of [`http://127.0.0.1:${port}/a.ts`, 'text.txt']) {
      writeFileSync(bad, `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n${segment}\n#EXT-X-ENDLIST\n`);
      await expect(shown({ video: bad })).rejects.toMatchObject({ code: 'media_unreadable' });
    }
    server.close();
    expect(requests).toEqual([]);
  });
});

test('rejects other files, times and outputs, and writes nothing', async () => {
  const text = join(folder, 'text.mp4');
  writeFileSync(text, 'not a video');
  const output = join(folder, 'none.png');
  const problems: [Partial<ThumbnailRequest>, string][] = [
    [{ video: join(folder, 'missing.mp4') }, 'missing.mp4 is not a file'],
    [{ video: folder }, 'is not a file'],
    [{ video: text }, 'cannot be read'],
    [{ at: '1x' }, '"1x" is not a valid time'],
    [{ output: join(folder, 'none.gif') }, 'must be a .png or .jpg file'],
  ];
  for (const [request, message] of problems)
    await expect(takeThumbnail({ env: process.env, video, output, ...request })).rejects.toThrow(message);
  expect(existsSync(output)).toBe(false);
});

test('a render reports the time of data-poster-time in its video', async () => {
  const html = late.replace('data-duration="3"', 'data-duration="3" data-poster-time="2"');
  const projectDir = project({ 'index.html': html });
  const report = (request: { from?: string; to?: string }) =>
    renderVideo({ projectDir, fps: '2', output: join(folder, 'poster.mp4'), quality: 'draft', ...request });
  expect((await report({})).posterSeconds).toBe(2);
  expect((await report({ from: '0.5' })).posterSeconds).toBe(1.5);
  expect(await report({ to: '1' })).not.toHaveProperty('posterSeconds');
});
