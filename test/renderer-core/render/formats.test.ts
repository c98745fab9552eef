// The content of files of each format: frames and their times, codec and tags, colors, and alpha. deepColor.test.ts has 10 bits and HDR.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFfmpeg } from '../../../renderer-core/media/findFfmpeg.ts';
import type { RenderReport } from '../../../renderer-core/render/renderReport.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { program } from '../../support/programs.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { indexIsFirst } from '../../support/renders/movieBoxes.ts';
import { decibels, decode, describeVideo, type Picture, readFrames, timesOf } from '../../support/renders/video.ts';
import { warmRenderer } from '../../support/renders/warmRender.ts';
import { silence } from '../../support/renders/wav.ts';
import { core } from '../../support/suites.ts';

const renderVideo = warmRenderer();

type Root = Parameters<typeof composition>[1];
type Request = Partial<RenderRequest>;

const ffmpeg = referenceFfmpeg;
const { encoders } = await findFfmpeg({ env: process.env });
const hasAv1 = encoders.has('libsvtav1') || encoders.has('libaom-av1');

/** Without sample frames: they are not about formats, and take longer than the other frames of a short video. */
const capture = 'paint' as const;

/** Some formats need an ffmpeg build that not every machine has. */
const canMake = ({ codec }: { codec?: string }): boolean => codec !== 'av1' || hasAv1;

async function render(html: string, request: Request): Promise<RenderReport> {
  const extension = /mov|gif|webm/.exec(request.format ?? '')?.[0] ?? 'mp4';
  const output = join(temporaryFolder(), `video.${extension}`);
  return renderVideo({ projectDir: project(html), output, capture, ...request });
}

const formats: [name: string, request: Request & { format: string }, stream: RegExp][] = [
  ['mp4 h264', { format: 'mp4' }, /^h264 .*yuv420p\(tv, bt709[,)]/],
  ['mp4 h265', { format: 'mp4', codec: 'h265' }, /^hevc \(Main\) \(hvc1 .*yuv420p\(tv, bt709[,)]/],
  ['mp4 av1', { format: 'mp4', codec: 'av1' }, /^(lib\w+-)?av1 .*yuv420p\(tv, bt709[,)]/],
  ['webm vp9', { format: 'webm' }, /^vp9 .*yuv420p\(tv, bt709[,)]/],
  ['webm av1', { format: 'webm', codec: 'av1' }, /^(lib\w+-)?av1 .*yuv420p\(tv, bt709[,)]/],
  ['mov prores', { format: 'mov' }, /^prores (\(4444\) )?\(ap4h .*yuva444p1[02]le\(tv, bt709[,)]/],
  ['mov h264', { format: 'mov', codec: 'h264' }, /^h264 .*\(avc1 .*yuv420p\(tv, bt709[,)]/],
  ['gif', { format: 'gif' }, /^gif, bgra/],
];

/** A new color in every frame; half of the page is transparent. */
const lively = `<div id="a" style="width:50%;height:100%"></div>
<script>(function frame(t) { a.style.background = 'rgb(' + Math.round(t / 10) % 256 + ' 80 ' + Math.round(t / 3) % 256 + ')'; requestAnimationFrame(frame) })(0)</script>`;

describe.each(formats.filter(([, request]) => canMake(request)))('%s', (name, request, stream) => {
  const { format } = request;
  const times = async (root: Root, more: Request) => {
    const { output, frames } = await render(composition(lively, root), { ...request, ...more });
    const facts = await describeVideo(output);
    expect(facts.stream).toMatch(stream);
    return { ...facts, ...(await timesOf(output)), frames, output };
  };
  /** The time of frame `index` in units of the container. */
  const tick = (index: number, rate: number, per: number): number =>
    format === 'gif'
      ? Math.round((index * 100) / rate)
      : format === 'webm'
        ? Math.round((index * 1000) / rate)
        : index * per;

  test('writes 30 frames per second', core, async () => {
    const { times: found, frames, duration, output } = await times({ duration: 1, height: 64 }, {});
    expect(frames).toBe(30);
    expect(found).toEqual(Array.from({ length: 30 }, (_, index) => tick(index, 30, 1)));
    // Old versions of ffmpeg do not report the duration of a gif.
    if (duration !== '') expect(duration).toBe('00:00:01.00');
    expect(await decode(output, 64, 64)).toHaveLength(30);
  });

  test('writes 29.97 frames per second in several segments', async () => {
    const { times: found, duration } = await times(
      { duration: 2.2, height: 64 },
      { fps: '29.97', quality: 'draft', chunkFrames: 30 },
    );
    expect(found).toEqual(Array.from({ length: 66 }, (_, index) => tick(index, 30000 / 1001, 1001)));
    if (duration !== '') expect(duration).toMatch(/^00:00:02\.2[0-2]$/);
  });

  if (format === 'mp4' || format === 'mov') {
    // Only the kind of H.264 segments depends on the quality.
    test.each(
      name.endsWith('h264') ? ['draft', 'high'] : ['draft'],
    )('has the index before the frames, in %s quality, with sound and without', async (quality) => {
      const sound = '<audio src="tone.wav" data-start="0"></audio>';
      for (const body of [lively, `${lively}${sound}`]) {
        const projectDir = project({
          'index.html': composition(body, { height: 64, duration: 0.5 }),
          'tone.wav': silence(1),
        });
        const output = join(temporaryFolder(), `video.${format}`);
        await renderVideo({ projectDir, output, capture, ...request, quality, workers: 1, chunkFrames: 8 });
        expect(indexIsFirst(readFileSync(output))).toBe(true);
      }
    });
  }

  test.each(
    request.codec === 'h265'
      ? [[65, 99]]
      : [
          [1, 1],
          [33, 17],
        ],
  )('%dx%d pixels', async (width, height) => {
    if (request.codec === 'av1' && !encoders.has('libaom-av1')) {
      // SVT-AV1 does not encode such sizes, and the embedded ffmpeg has no other AV1 encoder.
      await expect(times({ duration: 0.1, width, height }, {})).rejects.toThrow('has no AV1 encoder (libaom-av1)');
      return;
    }
    const { stream: found, times: all } = await times({ duration: 0.1, width, height }, {});
    const even = (side: number) => (format === 'gif' ? side : side + (side % 2));
    expect(found).toContain(`, ${even(width)}x${even(height)}`);
    expect(all).toHaveLength(3);
  });
});

describe('the rate', () => {
  /** Squares that move and change their colors in every frame. */
  const busy = `<canvas id="c" width="320" height="180"></canvas><script>
    const draw = c.getContext('2d');
    (function frame(t) {
      for (let i = 0; i < 400; i++) {
        draw.fillStyle = 'hsl(' + (i * 47 + t / 5) + ' 80% ' + (30 + i % 50) + '%)';
        draw.fillRect((i * 83 + t / 9) % 320, (i * 59 + t / 13) % 180, 12, 12);
      }
      requestAnimationFrame(frame);
    })(0)</script>`;
  const page = composition(busy, { width: 320, height: 180, duration: 4 });
  const short = composition(busy, { width: 320, height: 180, duration: 0.5 });
  const bytes = async (request: Request) =>
    (await render(page, { chunkFrames: 120, quality: 'draft', ...request })).bytes;

  test.each(
    [
      { codec: 'h264', tolerance: 0.15 },
      { codec: 'h264', quality: 'high', tolerance: 0.15 },
      { codec: 'h265', tolerance: 0.4 },
      { codec: 'av1', tolerance: 0.4 },
      { codec: 'vp9', format: 'webm', tolerance: 0.4 },
    ].filter(canMake),
  )('is the bitrate of a page with motion: %j', async ({ tolerance, ...request }) => {
    const seconds = 4;
    const bitrate = (8 * (await bytes({ ...request, bitrate: '1500k' }))) / seconds;
    expect(Math.abs(bitrate / 1_500_000 - 1)).toBeLessThan(tolerance);
  });

  test.each(
    ['h264', 'h265', 'av1'].filter((codec) => canMake({ codec })),
  )('is better with a smaller rate factor: %s', async (codec) => {
    const frames = join(temporaryFolder(), 'frames');
    await render(short, { format: 'png', output: frames });
    const last = readFrames(frames).at(-1) as Picture;
    const quality = async (crf: number) => {
      const { output } = await render(short, { quality: 'draft', codec, crf });
      return decibels(last, (await decode(output, 320, 180)).at(-1), 1);
    };
    const [small, middle, large] = [await quality(1), await quality(20), await quality(51)];
    expect(small).toBeGreaterThan(middle);
    expect(middle).toBeGreaterThan(large);
  });

  test('is the same in every render', async () => {
    const videos = [];
    for (const _ of [1, 2]) videos.push(readFileSync((await render(page, { codec: 'av1', bitrate: '1M' })).output));
    expect(videos[0]?.equals(videos[1] as Buffer)).toBe(true);
  });
});

/** Cells of 16x16 pixels, sixteen in a row: the color of each cell, and its center in the frame. */
const columns = 16;
const size = { width: 256, height: 144, duration: 0.1 };
const place = (index: number) => ({ x: (index % columns) * 16, y: Math.floor(index / columns) * 16 });
const cell = (color: string, index: number) =>
  `<i style="position:absolute;left:${place(index).x}px;top:${place(index).y}px;width:16px;height:16px;background:${color}"></i>`;
const middle = (picture: Picture | undefined, index: number) =>
  picture?.at(place(index).x + 8, place(index).y + 8) ?? [-1, -1, -1, -1];

const mix = (levels: number[]) =>
  levels.flatMap((r) => levels.flatMap((g) => levels.map((b): [number, number, number] => [r, g, b])));
const within = (found: readonly number[], expected: readonly number[], tolerance = 2) =>
  expected.every((value, at) => Math.abs(value - (found[at] ?? -999)) <= tolerance);

describe('keeps colors', () => {
  const colors = mix([0, 51, 128, 204, 255]);
  const html = composition(colors.map(([r, g, b], index) => cell(`rgb(${r} ${g} ${b})`, index)).join(''), size);
  const h264 = { name: 'mp4 h264', format: 'mp4' };
  const [quality, tolerance] = ['high', 2];
  // Both captures give the encoder the same pixels, which one format shows. Flat areas of a lossy video are less exact.
  const rows: ({ name: string; tolerance: number } & Request)[] = [
    ...formats.map(([name, request]) => ({ name, ...request, capture, quality, tolerance })),
    { ...h264, capture: 'screenshot', quality, tolerance },
    { ...h264, capture, quality: 'standard', tolerance },
    { ...h264, capture: 'screenshot', quality: 'standard', tolerance },
    { ...h264, capture, quality: 'draft', tolerance: 3 },
  ];

  test.each(
    rows.filter(canMake),
  )('of $name from $capture in $quality quality within $tolerance of 255', async (row) => {
    const { name: _, tolerance: allowed, ...request } = row;
    const { output } = await render(html, { fps: '25', ...request });
    const [frame] = await decode(output, 256, 144);
    const found = colors.map((_, index) => middle(frame, index));
    expect(found.filter((pixel, index) => !within(pixel, [...(colors[index] ?? []), 255], allowed))).toEqual([]);
  });
});

describe('keeps colors with alpha within 2 of 255 over any background', () => {
  const opacities = [0, 64, 128, 200, 255];
  const colors = mix([0, 128, 255]).flatMap((color) => opacities.map((opacity) => ({ color, opacity })));
  const html = composition(
    colors.map(({ color, opacity }, index) => cell(`rgb(${color.join(' ')} / ${opacity / 255})`, index)).join(''),
    size,
  ).replace('background:#000', '');
  const backgrounds = [
    [0, 0, 0],
    [255, 255, 255],
    [40, 120, 200],
  ];
  const over = (color: number[], opacity: number, background: number[]) =>
    background.map((behind, at) => ((color[at] ?? 0) * opacity + behind * (255 - opacity)) / 255);
  // The browser's canvas multiplies colors by alpha, which loses one more.
  const rows = [
    { format: 'webm', capture: 'screenshot', tolerance: 2 },
    { format: 'webm', capture: 'paint', tolerance: 3 },
    { format: 'mov', capture: 'paint', tolerance: 3 },
  ] as const;

  test.each(rows)('$format from $capture', async ({ tolerance, ...request }) => {
    const { output } = await render(html, { quality: 'high', ...request });
    const [frame] = await decode(output, 256, 144);
    const wrong = colors.flatMap(({ color, opacity }, index) => {
      const [r, g, b, a] = middle(frame, index);
      const fits = backgrounds.every((behind) =>
        within(over([r, g, b], a, behind), over(color, opacity, behind), tolerance),
      );
      return fits ? [] : [{ expected: [...color, opacity], found: [r, g, b, a] }];
    });
    expect(wrong).toEqual([]);
  });
});

describe('gif', () => {
  const moving = `<div id="a" style="position:absolute;width:16px;height:16px;background:#f00"></div>
<script>(function frame(t) { a.style.left = Math.round(t / 1000 * 25) * 4 + 'px'; requestAnimationFrame(frame) })(0)</script>`;
  const at = (frames: Picture[], x: number) => frames.map((frame) => frame.at(x, 8).join(' '));

  test('keeps transparency, without trails of moving elements', async () => {
    const open = composition(moving, { duration: 0.4 }).replace('background:#000', '');
    const { output } = await render(open, { format: 'gif', fps: '25' });
    const frames = await decode(output, 64, 48);
    expect(frames).toHaveLength(10);
    // The box covers x from 4n to 4n + 16 in frame n.
    const shows = (x: number) => frames.map((_, n) => (x >= 4 * n && x < 4 * n + 16 ? '255 0 0 255' : 'open'));
    for (const x of [2, 18, 34])
      expect(at(frames, x).map((pixel) => (pixel.endsWith(' 0') ? 'open' : pixel))).toEqual(shows(x));
  });

  test('repeats forever', async () => {
    const { output } = await render(composition(moving, { duration: 0.2 }), { format: 'gif', fps: '25' });
    const bytes = readFileSync(output);
    const application = bytes.indexOf('NETSCAPE2.0');
    expect([...bytes.subarray(application + 11, application + 16)]).toEqual([3, 1, 0, 0, 0]);
  });

  test('warns if some frames are shown longer than others', async () => {
    const { warnings } = await render(composition(moving, { duration: 0.1 }), { format: 'gif' });
    expect(warnings).toEqual([expect.stringContaining('at 30 frames per second')]);
  });
});

describe('writes the same bytes with one worker and with two', () => {
  const mov = [{ format: 'mov' }, { format: 'mov', codec: 'h264' }];
  const codecs = [{ codec: 'h264' }, { codec: 'h265' }, { format: 'webm' }, ...mov, { codec: 'av1' }, { hdr: true }];
  const hashes = (file: string) => String(execFileSync(ffmpeg, ['-v', 'error', '-i', file, '-f', 'framemd5', '-']));

  test.each(codecs.filter(canMake))('%j', async (request) => {
    const html = composition(lively, { duration: 0.8, width: 64, height: 64 });
    const [one, two] = [
      await render(html, { ...request, quality: 'draft', workers: 1, chunkFrames: 8 }),
      await render(html, { ...request, quality: 'draft', workers: 2, chunkFrames: 8 }),
    ];
    expect(two.workers.count).toBe(2);
    expect(readFileSync(two.output).equals(readFileSync(one.output))).toBe(true);
    expect(hashes(one.output).match(/^0, /gm)).toHaveLength(24);
  });
});

describe('reports an ffmpeg without the encoder', () => {
  test.each([
    [{ codec: 'h265' }, 'H.265 encoder (libx265)'],
    [{ codec: 'av1' }, 'AV1 encoder (libsvtav1 or libaom-av1)'],
    [{ format: 'webm' }, 'VP9 encoder (libvpx-vp9)'],
    [{ hdr: true }, 'H.265 encoder (libx265)'],
  ])('ends the render before a browser starts: %j', async (request, title) => {
    const poor = program(
      join(temporaryFolder(), 'ffmpeg'),
      "echo 'ffmpeg version 6.1' >&2; echo ' V..... libx264  H.264'",
    );
    const stages: string[] = [];
    const work = render(composition(lively, { height: 64 }), {
      ...request,
      ffmpegPath: poor,
      browserPath: program(join(temporaryFolder(), 'browser')),
      onEvent: (event) => event.type === 'stage' && stages.push(event.stage),
    });
    await expect(work).rejects.toMatchObject({
      code: 'ffmpeg_failed',
      message: `${poor} has no ${title}`,
      hint: expect.stringContaining('--ffmpeg'),
    });
    expect(stages).toEqual(['check', 'launch']);
  });
});
