// The content of a rendered video: its frames, duration, tags and colors, for every capture path.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RenderReport } from '../../../renderer-core/render/renderReport.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { core } from '../../support/suites.ts';
import { decode, describeVideo, hex, type Picture, readFrames } from '../../support/video.ts';
import { warmRenderer } from '../../support/warmRender.ts';

const renderVideo = warmRenderer();

type Root = Parameters<typeof composition>[1];

/** Different in every frame: a counter as a color, a gradient, a rotating letter. */
const lively = `<div id="a" style="width:100%;height:100%;background:linear-gradient(90deg,#f80,#08f);font:20px serif;color:#fff"><p id="b" style="margin:0;width:max-content">frame</p></div>
<script>let n = 0; (function frame(t) { n = (n * 31 + 7) % 256; a.style.background = 'linear-gradient(' + t / 20 + 'deg,rgb(' + n + ' 40 90),#08f)';
b.style.transform = 'translate(' + t / 200 + 'px,9px) rotate(' + t / 50 + 'deg)'; b.textContent = n; requestAnimationFrame(frame) })(0)</script>`;

const still = '<div style="width:100%;height:100%;background:#369"></div>';

async function render(body: string, root: Root, request: Partial<RenderRequest>): Promise<RenderReport> {
  const output = join(temporaryFolder(), request.format === 'png' ? 'frames' : 'video.mp4');
  return renderVideo({ projectDir: project(composition(body, root)), output, ...request });
}

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
    ['30 frames per second', { duration: 2 }, {}, { frames: 60, stream: '64x48 & 30 fps', duration: '00:00:02.00' }],
    [
      'the frame rate of the root',
      { duration: 1, attributes: 'data-fps="25"' },
      {},
      { frames: 25, stream: '64x48 & 25 fps', duration: '00:00:01.00' },
    ],
    [
      '29.97 frames per second',
      { duration: 2 },
      { fps: '29.97' },
      { frames: 60, stream: '29.97 fps', duration: '00:00:02.00' },
    ],
    [
      '240 frames per second',
      { duration: 0.5 },
      { fps: '240' },
      { frames: 120, stream: '240 fps', duration: '00:00:00.50' },
    ],
    ['one frame', { duration: 0.01 }, {}, { frames: 1, stream: '30 fps', duration: '00:00:00.03' }],
    ['one pixel', { duration: 0.1, width: 1, height: 1 }, {}, { frames: 3, stream: ', 2x2', duration: '00:00:00.10' }],
    [
      'an odd size',
      { duration: 0.1, width: 321, height: 181 },
      {},
      { frames: 3, stream: ', 322x182', duration: '00:00:00.10' },
    ],
    [
      'an odd size by screenshots',
      { duration: 0.1, width: 321, height: 181 },
      { capture: 'screenshot' },
      { frames: 3, stream: ', 322x182', duration: '00:00:00.10' },
    ],
    [
      'portrait',
      { duration: 0.1, width: 90, height: 160 },
      {},
      { frames: 3, stream: ', 90x160', duration: '00:00:00.10' },
    ],
    ['draft', { duration: 0.5 }, { quality: 'draft' }, { frames: 15, stream: '64x48', duration: '00:00:00.50' }],
    ['high', { duration: 0.5 }, { quality: 'high' }, { frames: 15, stream: '64x48', duration: '00:00:00.50' }],
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

  // The encoder causes differences beyond rounding: flat areas of a lossy video are less exact.
  test.each([
    ['paint', 'high', 2],
    ['screenshot', 'high', 2],
    ['paint', 'standard', 2],
    ['screenshot', 'standard', 2],
    ['paint', 'draft', 3],
  ] as const)('from %s at quality %s come back within %d of 255', async (capture, quality, tolerance) => {
    const { output } = await render(grid, { width: 256, height: 128, duration: 0.1 }, { capture, quality });
    const [frame] = await decode(output, 256, 128);
    const wrong = colors.filter((color, index) =>
      middle(frame, index).some((channel, at) => Math.abs(channel - (color[at] ?? 0)) > tolerance),
    );
    expect(wrong).toEqual([]);
    expect(middle(frame, 124)).not.toEqual(middle(frame, 0));
  });

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

describe('writes the same frames', () => {
  const fingerprints = (frames: Picture[], width: number, height: number) =>
    frames.map((frame) => {
      const hash = createHash('sha1');
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) hash.update(Uint8Array.from(frame.at(x, y)));
      return hash.digest('hex').slice(0, 8);
    });
  const size = { width: 48, height: 32 };
  const pictures = async (root: Root, request: Partial<RenderRequest>) => {
    const report = await render(lively, { ...size, ...root }, { format: 'png', ...request });
    return { report, frames: fingerprints(readFrames(report.output), size.width, size.height) };
  };

  test('in two renders that paint', async () => {
    const [one, two] = [
      await pictures({ duration: 0.5 }, { capture: 'paint' }),
      await pictures({ duration: 0.5 }, { capture: 'paint' }),
    ];
    expect(two.frames).toEqual(one.frames);
    expect(new Set(one.frames).size).toBe(15);
  });

  test.each(['paint', 'screenshot'] as const)('with one worker and with two: %s', async (capture) => {
    const [one, two] = [
      await pictures({ duration: 0.8 }, { capture, workers: 1, chunkFrames: 8 }),
      await pictures({ duration: 0.8 }, { capture, workers: 2, chunkFrames: 8 }),
    ];
    expect(two.report.workers.count).toBe(2);
    expect(two.frames).toEqual(one.frames);
  });

  test('with chunks of 7 frames and any number of workers', core, async () => {
    const whole = await pictures({ duration: 1 }, {});
    const short = await pictures({ duration: 1 }, { chunkFrames: 7 });
    expect(short.report.capture.path).toBe('paint');
    expect(short.frames).toEqual(whole.frames);
  });

  test('with one worker and with two, encoded', async () => {
    const videos = [];
    for (const workers of [1, 2])
      videos.push((await render(lively, { ...size, duration: 0.8 }, { workers, chunkFrames: 8 })).output);
    const [one, two] = await Promise.all(
      videos.map(async (video) => fingerprints(await decode(video, size.width, size.height), size.width, size.height)),
    );
    expect(one).toHaveLength(24);
    expect(two).toEqual(one);
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

test('painted and by screenshots, without visible differences', async () => {
  const size = { width: 320, height: 180, duration: 0.5 };
  const videos = [];
  for (const capture of ['paint', 'screenshot'] as const) {
    videos.push(await decode((await render(lively, size, { capture, quality: 'high' })).output, 320, 180));
  }
  const [painted = [], taken = []] = videos;
  expect(painted).toHaveLength(15);
  for (const [index, frame] of painted.entries()) expect(psnr(frame, taken[index], 320, 180)).toBeGreaterThan(40);
});

/** Peak signal-to-noise ratio of two frames in dB. */
function psnr(one: Picture, two: Picture | undefined, width: number, height: number): number {
  let sum = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [a, b] = [one.at(x, y), two?.at(x, y) ?? [-1000, 0, 0]];
      for (const channel of [0, 1, 2]) sum += ((a[channel] ?? 0) - (b[channel] ?? 0)) ** 2;
    }
  }
  return sum === 0 ? 99 : 10 * Math.log10(255 ** 2 / (sum / (width * height * 3)));
}

describe('the capture path', () => {
  test('is painting if painted frames match screenshots', core, async () => {
    const { capture } = await render(still, { duration: 0.5 }, {});
    expect(capture).toMatchObject({ path: 'paint', reason: expect.stringContaining('agree') });
  });

  test('is screenshots for cards that intersect in 3D, with the reason', core, async () => {
    const card = (color: string, angle: number) =>
      `<i style="position:absolute;inset:0;background:${color};transform:rotateY(${angle}deg)"></i>`;
    const body = `<div style="position:absolute;inset:0;transform-style:preserve-3d">${card('#f00', 45)}${card('#00f', -45)}</div>`;
    const { capture, output, frames } = await render(body, { duration: 0.5 }, { format: 'png' });
    expect(capture).toMatchObject({ path: 'screenshot', reason: expect.stringContaining('preserve-3d') });
    const pictures = readFrames(output);
    expect(pictures).toHaveLength(frames);
    // The left side of the red card and the right side of the blue card are in front.
    expect([hex(pictures[0], 20, 24), hex(pictures[0], 44, 24)]).toEqual(['#ff0000', '#0000ff']);
  });

  test('is painting for elements that are sorted by depth and match screenshots', async () => {
    const card = (style: string) => `<i style="position:absolute;inset:8px;background:${style}"></i>`;
    const body = `<div style="position:absolute;inset:0;transform-style:preserve-3d">${card('#f00;transform:translateZ(9px)')}${card('#00f')}</div>`;
    const { capture, output, frames } = await render(body, { duration: 4 }, { fps: '10', format: 'png' });
    expect(capture).toMatchObject({ path: 'paint' });
    const pictures = readFrames(output);
    expect(pictures).toHaveLength(frames);
    expect([hex(pictures[0], 32, 24), hex(pictures.at(-1), 32, 24)]).toEqual(['#ff0000', '#ff0000']);
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
    const { capture } = await render(cards(450, 650), { duration: 1.2 }, { fps: '10' });
    expect(capture).toMatchObject({ path: 'screenshot', reason: expect.stringContaining('frame 5 painted differs') });
  });

  test('is screenshots from the first frame on if a sample frame differs', async () => {
    const warnings: string[] = [];
    const { capture, output, frames } = await render(
      cards(200, 5000),
      { duration: 0.5 },
      { format: 'png', onEvent: (event) => event.type === 'warning' && warnings.push(event.message) },
    );
    expect(capture).toMatchObject({
      path: 'screenshot',
      reason: expect.stringMatching(/differs from the browser's own screenshot/),
    });
    expect(warnings).toEqual([expect.stringContaining(capture.reason)]);
    const pictures = readFrames(output);
    expect(pictures).toHaveLength(frames);
    expect([hex(pictures[0], 20, 24), hex(pictures.at(-1), 20, 24)]).toEqual(['#000000', '#ff0000']);
  });
});
