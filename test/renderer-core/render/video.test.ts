// The content of a rendered video: its frames, duration, tags and colors, for every capture path.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RenderReport } from '../../../renderer-core/render/renderReport.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { black, blue, captureProject, red } from '../../support/renders/frames.ts';
import { allPixels, decode, describeVideo, hex, type Picture, readFrames } from '../../support/renders/video.ts';
import { warmRenderer } from '../../support/renders/warmRender.ts';
import { core } from '../../support/suites.ts';

const renderVideo = warmRenderer();

type Root = Parameters<typeof composition>[1];

/** Different in every frame: a counter as a color, a gradient, a rotating letter. */
const lively = `<div id="a" style="width:100%;height:100%;background:linear-gradient(90deg,#f80,#08f);font:20px serif;color:#fff"><p id="b" style="margin:0;width:max-content">frame</p></div>
<script>let n = 0; (function frame(t) { n = (n * 31 + 7) % 256; a.style.background = 'linear-gradient(' + t / 20 + 'deg,rgb(' + n + ' 40 90),#08f)';
b.style.transform = 'translate(' + t / 200 + 'px,9px) rotate(' + t / 50 + 'deg)'; b.textContent = n; requestAnimationFrame(frame) })(0)</script>`;

async function render(body: string, root: Root, request: Partial<RenderRequest>): Promise<RenderReport> {
  const output = join(temporaryFolder(), request.format === 'png' ? 'frames' : 'video.mp4');
  return renderVideo({ projectDir: project(composition(body, root)), output, ...request });
}

// Other rates, sizes and qualities are tested in formats.test.ts.
describe('writes an mp4 with', () => {
  type Facts = { frames: number; stream: string; duration: string };
  async function check(root: Root, request: Partial<RenderRequest>, expected: Facts): Promise<void> {
    const report = await render(lively, root, request);
    const { stream, duration } = await describeVideo(report.output);
    const [, width, height] = /, (\d+)x(\d+)[, ]/.exec(stream) ?? [];
    const frames = await decode(report.output, Number(width), Number(height));
    expect(report.frames).toBe(expected.frames);
    expect(frames).toHaveLength(expected.frames);
    expect(duration).toBe(expected.duration);
    for (const part of expected.stream.split(' & ')) expect(stream).toContain(part);
    expect(stream).toMatch(/^h264 .*yuv420p\(tv, bt709[,)]/);
  }

  test.each<[string, Root, Partial<RenderRequest>, Facts]>([
    [
      'the frame rate of the root',
      { duration: 1, attributes: 'data-fps="25"' },
      {},
      { frames: 25, stream: '64x48 & 25 fps', duration: '00:00:01.00' },
    ],
    [
      '240 frames per second',
      { duration: 0.5 },
      { fps: '240' },
      { frames: 120, stream: '240 fps', duration: '00:00:00.50' },
    ],
    ['one frame', { duration: 0.01 }, {}, { frames: 1, stream: '30 fps', duration: '00:00:00.03' }],
    [
      'an odd size by screenshots',
      { duration: 0.1, width: 321, height: 181 },
      { capture: 'screenshot' },
      { frames: 3, stream: ', 322x182', duration: '00:00:00.10' },
    ],
  ])('%s', (_, root, request, expected) => check(root, request, expected));
});

describe('colors', () => {
  const levels = [0, 51, 128, 204, 255];
  const colors = levels.flatMap((r) => levels.flatMap((g) => levels.map((b): [number, number, number] => [r, g, b])));
  const columns = 16;
  const grid = colors
    .map(
      ([r, g, b], index) =>
        `<i style="position:absolute;left:${(index % columns) * 16}px;top:${Math.floor(index / columns) * 16}px;width:16px;height:16px;background:rgb(${r} ${g} ${b})"></i>`,
    )
    .join('');
  const middle = (picture: Picture | undefined, index: number) =>
    picture?.at((index % columns) * 16 + 8, Math.floor(index / columns) * 16 + 8).slice(0, 3) ?? [];

  test.each(['paint', 'screenshot'] as const)('writes exact colors to png frames from %s', async (capture) => {
    const { output } = await render(grid, { width: 256, height: 128, duration: 0.1 }, { capture, format: 'png' });
    const [frame] = readFrames(output);
    expect(colors.map((_, index) => middle(frame, index))).toEqual(colors);
  });

  test.each(['paint', 'screenshot'] as const)('keeps transparency in png frames from %s', async (capture) => {
    const open = composition('<i style="position:absolute;width:8px;height:8px;background:rgb(255 0 0 / 0.5)"></i>', {
      duration: 0.1,
    }).replace('background:#000', '');
    const output = join(temporaryFolder(), 'frames');
    await renderVideo({ projectDir: project(open), output, format: 'png', capture });
    const [frame] = readFrames(output);
    expect(frame?.at(30, 30)).toEqual([0, 0, 0, 0]);
    const [r, g, b, a] = frame?.at(4, 4) ?? [];
    expect([r, g, b]).toEqual([255, 0, 0]);
    expect(Math.abs((a ?? 0) - 128)).toBeLessThanOrEqual(1);
  });
});

test('writes frames in which nothing changes', core, async () => {
  const body = `<div id="a" style="width:100%;height:100%;background:#f00"></div><script>setTimeout(() => { a.style.background = '#00f' }, 1500)</script>`;
  const { output } = await render(body, { duration: 3 }, { capture: 'paint' });
  const frames = await decode(output, 64, 48);
  const isBlue = frames.map((frame) => (frame.at(32, 24)[2] ?? 0) > 128);
  expect(isBlue).toEqual(Array.from({ length: 90 }, (_, index) => index >= 45));
});

describe('captures the same frames', () => {
  const capture = (duration: number, request: Partial<RenderRequest>) =>
    captureProject(composition(lively, { width: 48, height: 32, duration }), request);

  test.each(['paint', 'screenshot'] as const)('with one worker and with two: %s', async (path) => {
    const one = await capture(0.8, { fps: '30', capture: path, workers: 1, chunkFrames: 8 });
    const two = await capture(0.8, { fps: '30', capture: path, workers: 2, chunkFrames: 8 });
    expect(two.workers.count).toBe(2);
    expect(two.frames.map(allPixels)).toEqual(one.frames.map(allPixels));
  });

  test('with chunks of 7 frames and any number of workers', core, async () => {
    const [whole, short] = [await capture(1, { fps: '30' }), await capture(1, { fps: '30', chunkFrames: 7 })];
    expect(short.capture.path).toBe('paint');
    expect(short.frames.map(allPixels)).toEqual(whole.frames.map(allPixels));
    expect(new Set(short.frames.map(allPixels)).size).toBe(30);
  });
});

test('writes the same file when several pages capture one chunk in turn', async () => {
  // Moves for a second and a half, except between 0.5 and 1.1 s, where a share ends.
  const body = `<p id="b" style="position:absolute;margin:0;width:20px;height:20px;background:#f80">0</p><script>(function frame(t) {
    const at = t < 500 ? t : Math.max(500, t - 600); b.style.left = at / 40 + 'px'; b.textContent = Math.round(at / 30);
    requestAnimationFrame(frame) })(0)</script>`;
  const reports = [];
  for (const workers of [1, 3]) reports.push(await render(body, { duration: 2.1 }, { capture: 'paint', workers }));
  const [one, three] = reports;
  expect([one?.workers.count, three?.workers.count]).toEqual([1, 3]);
  const [expected = '', found = ''] = reports.map(({ output }) => readFileSync(output, 'latin1'));
  expect(found === expected).toBe(true);
});

describe('the capture path', () => {
  test('is screenshots for cards that intersect in 3D, with the reason', core, async () => {
    const card = (color: string, angle: number) =>
      `<i style="position:absolute;inset:0;background:${color};transform:rotateY(${angle}deg)"></i>`;
    const body = `<div style="position:absolute;inset:0;transform-style:preserve-3d">${card('#f00', 45)}${card('#00f', -45)}</div>`;
    const { capture, frames } = await captureProject(composition(body, { duration: 0.5 }));
    expect(capture).toMatchObject({ path: 'screenshot', reason: expect.stringContaining('preserve-3d') });
    // The left side of the red card and the right side of the blue card are in front.
    expect([hex(frames[0], 20, 24), hex(frames[0], 44, 24)]).toEqual([red, blue]);
  });

  test('is painting for elements that are sorted by depth and match screenshots', async () => {
    const card = (style: string) => `<i style="position:absolute;inset:8px;background:${style}"></i>`;
    const body = `<div style="position:absolute;inset:0;transform-style:preserve-3d">${card('#f00;transform:translateZ(9px)')}${card('#00f')}</div>`;
    const { capture, frames } = await captureProject(composition(body, { duration: 4 }));
    expect(capture).toMatchObject({ path: 'paint' });
    expect([hex(frames[0], 32, 24), hex(frames[39], 32, 24)]).toEqual([red, red]);
  });

  /** Cards that painting does not sort by depth, shown from `from` to `to` milliseconds. */
  const cards = (from: number, to: number) => {
    const card = (color: string, angle: number) =>
      `<i style="position:absolute;inset:0;background:${color};transform:rotateY(${angle}deg)"></i>`;
    return `<script>
      setTimeout(() => {
        root.innerHTML += '<div id="cards" style="position:absolute;inset:0;transform-style:preserve-3d">${card('#f00', 45)}${card('#00f', -45)}</div>';
      }, ${from});
      setTimeout(() => cards.remove(), ${to});
    </script>`;
  };

  test('is decided by another frame where a sample frame shows nothing', async () => {
    // Frame 7 is a sample, and frame 5 replaces it.
    const { capture } = await captureProject(composition(cards(450, 650), { duration: 1.2 }));
    expect(capture).toMatchObject({ path: 'screenshot', reason: expect.stringContaining('frame 5 painted differs') });
  });

  test('is screenshots from the first frame on if a sample frame differs', async () => {
    const { capture, frames, warnings } = await captureProject(composition(cards(200, 5000), { duration: 0.5 }));
    expect(capture).toMatchObject({
      path: 'screenshot',
      reason: expect.stringMatching(/differs from the browser's own screenshot/),
    });
    expect(warnings).toEqual([expect.stringContaining(capture.reason)]);
    expect([hex(frames[0], 20, 24), hex(frames[4], 20, 24)]).toEqual([black, red]);
  });
});
