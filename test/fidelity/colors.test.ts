// Colors of videos: every kind of source shows the colors that the same browser shows in a plain <video>, within 2 levels.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PNG } from 'pngjs';
import puppeteer from 'puppeteer-core';
import { expect, test } from 'vitest';
import { findBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { composition, project, temporaryFolder } from '../support/project.ts';
import { referenceFfmpeg } from '../support/renders/ffmpeg.ts';
import { rotated } from '../support/renders/footage.ts';
import { decode } from '../support/renders/video.ts';
import { warmRenderer } from '../support/renders/warmRender.ts';

const renderVideo = warmRenderer();
const ffmpeg = referenceFfmpeg;

type Color = [red: number, green: number, blue: number];
type Source = {
  name: string;
  file: string;
  rows: number;
  matrix: string;
  range?: string;
  codec: string[];
  shape?: string;
};

const swatches = ['fe0000', '00fe00', '0000fe', 'c08040', '4080c0', '808080', '101010', 'f0f0f0'];
const width = 128;
const [sd, hd] = [96, 720];

const h264 = (pixels: string, ...more: string[]) => ['-c:v', 'libx264', '-crf', '4', '-pix_fmt', pixels, ...more];
const vp9 = (...more: string[]) =>
  '-c:v libvpx-vp9 -crf 4 -b:v 0 -deadline realtime -cpu-used 8 -pix_fmt yuv420p'.split(' ').concat(more);
const vp8 = '-c:v libvpx -crf 4 -b:v 2M -deadline realtime -pix_fmt yuv420p'.split(' ');
const tags = (name: string, range = 'tv') =>
  `-colorspace ${name} -color_primaries ${name} -color_trc ${name} -color_range ${range}`.split(' ');
const tagged709 = tags('bt709');
const range = (name: string) => ['-color_range', name];

const source = (
  name: string,
  rows: number,
  matrix: 'bt601' | 'bt709',
  codec: string[],
  more: Partial<Source> = {},
): Source => ({ name, file: `${name.replaceAll(/\W+/g, '-')}.mp4`, rows, matrix, codec, ...more });
const full = { range: 'pc' };
const inWebm = (name: string) => ({ file: `${name}.webm` });

const sources: Source[] = [
  source('SD', sd, 'bt601', h264('yuv420p')),
  source('SD tagged BT.601', sd, 'bt601', h264('yuv420p', ...tags('smpte170m'))),
  source('SD tagged BT.709', sd, 'bt709', h264('yuv420p', ...tagged709)),
  source('SD full range', sd, 'bt601', h264('yuvj420p'), full),
  source('SD full range tagged BT.709', sd, 'bt709', h264('yuvj420p', ...tags('bt709', 'pc')), full),
  source('SD 4:2:2', sd, 'bt601', h264('yuv422p')),
  source('SD 4:4:4', sd, 'bt601', h264('yuv444p')),
  source('SD 10 bit', sd, 'bt601', h264('yuv420p10le')),
  source('SD VP8', sd, 'bt601', vp8, inWebm('sd-vp8')),
  source('SD VP9', sd, 'bt601', vp9(), inWebm('sd-vp9')),
  source('SD VP9 tagged BT.709', sd, 'bt709', vp9(...tagged709), inWebm('sd-vp9-709')),
  source('SD with wide pixels', sd, 'bt601', h264('yuv420p'), { shape: 'setsar=4/3' }),
  source('SD with high pixels, HD when shown', 400, 'bt601', h264('yuv420p'), { shape: 'setsar=1/2' }),
  source('SD rotated', sd, 'bt601', h264('yuv420p')),
  source('718 rows', 718, 'bt601', h264('yuv420p')),
  source('HD', hd, 'bt709', h264('yuv420p')),
  source('HD that states its range', hd, 'bt709', h264('yuv420p', ...range('tv'))),
  source('HD tagged BT.709', hd, 'bt709', h264('yuv420p', ...tagged709)),
  source('HD tagged BT.601', hd, 'bt601', h264('yuv420p', ...tags('smpte170m'))),
  source('HD full range', hd, 'bt709', h264('yuvj420p'), full),
  source('HD full range tagged BT.709', hd, 'bt709', h264('yuvj420p', ...tags('bt709', 'pc')), full),
  source('HD 4:4:4 tagged BT.709', hd, 'bt709', h264('yuv444p', ...tagged709)),
  source('HD 10 bit tagged BT.709', hd, 'bt709', h264('yuv420p10le', ...tagged709)),
  source('HD VP8', hd, 'bt709', vp8, inWebm('hd-vp8')),
  source('HD VP9', hd, 'bt709', vp9(), inWebm('hd-vp9')),
];
const isRotated = ({ name }: Pick<Source, 'name'>) => name === 'SD rotated';

/** Columns in the colors of the swatches. */
function makeClip({ file, rows, matrix, range = 'tv', codec, shape }: Source, folder: string): Buffer {
  const column = width / swatches.length;
  const boxes = swatches.map(
    (color, at) => `drawbox=x=${at * column}:y=0:w=${column}:h=${rows}:color=0x${color}:t=fill`,
  );
  const picture = [`color=c=black:size=${width}x${rows}:rate=10:duration=0.3`, 'format=rgb24', ...boxes].join(',');
  const filter = [`scale=out_color_matrix=${matrix}:out_range=${range}`, ...(shape ? [shape] : [])].join(',');
  const path = join(folder, file);
  execFileSync(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', picture, '-vf', filter, ...codec, path]);
  return readFileSync(path);
}

/** Each source fills a row of the page. */
const rowHeight = 16;
const pageSize = { width, height: rowHeight * sources.length, duration: 0.3 };
const body = sources
  .map(({ file }, at) => {
    const style = `position:absolute;left:0;top:${at * rowHeight}px;width:${width}px;height:${rowHeight}px;object-fit:fill`;
    return `<video src="${file}" data-start="0" muted style="${style}"></video>`;
  })
  .join('\n');

type Reference = {
  files: Record<string, Buffer>;
  /** By source: what a plain page shows. */
  colors: Color[][];
};

let made: Promise<Reference> | undefined;

/** The same for all tests. */
const reference = (): Promise<Reference> => {
  made ??= makeReference();
  return made;
};

async function makeReference(): Promise<Reference> {
  const folder = temporaryFolder();
  const clips = sources.map((one): [string, Buffer] => {
    const clip = makeClip(one, folder);
    return [one.file, isRotated(one) ? rotated(clip) : clip];
  });
  const files = Object.fromEntries(clips);
  const root = project({ 'plain.html': `<!doctype html><body style="margin:0">${body}`, ...files });
  return { files, colors: await plainColors(join(root, 'plain.html')) };
}

/** Screenshots of the videos in a page without any script of ours. */
async function plainColors(page: string): Promise<Color[][]> {
  const { path, env } = await findBrowser({ env: process.env });
  const args = ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'];
  const browser = await puppeteer.launch({ executablePath: path, env: { ...process.env, ...env }, args });
  try {
    const tab = await browser.newPage();
    await tab.setViewport(pageSize);
    await tab.goto(pathToFileURL(page).href);
    await tab.waitForFunction(() => [...document.querySelectorAll('video')].every(({ readyState }) => readyState >= 2));
    // A decoded frame is shown a moment later; until then the white page is seen, which no swatch is.
    let colors: Color[][] = [];
    await expect
      .poll(
        async () => {
          colors = colorsOf(PNG.sync.read(Buffer.from(await tab.screenshot())));
          return colors.flat().filter((color) => distance(color, [255, 255, 255]) === 0);
        },
        { timeout: 30_000 },
      )
      .toEqual([]);
    return colors;
  } finally {
    await browser.close();
  }
}

function colorsOf({ data, width: stride }: { data: Uint8Array; width: number }): Color[][] {
  return sources.map((one, row) =>
    swatches.map((_, at) => {
      // A quarter turn clockwise puts the first column at the top.
      const part = (at + 0.5) / swatches.length;
      const [x, y] = isRotated(one) ? [width / 2, part * rowHeight] : [part * width, rowHeight / 2];
      const start = 4 * (Math.floor(row * rowHeight + y) * stride + Math.floor(x));
      return [data[start], data[start + 1], data[start + 2]] as Color;
    }),
  );
}

const distance = (a: Color, b: Color): number => Math.max(...a.map((level, at) => Math.abs(level - (b[at] ?? 0))));

test.each([
  'paint',
  'screenshot',
] as const)('shows every source in the colors of the browser, by %s', async (capture) => {
  const { files, colors } = await reference();
  const output = join(temporaryFolder(), 'frames');
  await renderVideo({
    projectDir: project({ 'index.html': composition(body, pageSize), ...files }),
    output,
    format: 'png',
    fps: '10',
    capture,
  });
  const found = colorsOf(PNG.sync.read(readFileSync(join(output, 'frame-000001.png'))));
  const wrong = sources.flatMap(({ name }, row) =>
    swatches.flatMap((swatch, at) => {
      const [is, wanted] = [found[row]?.[at] as Color, colors[row]?.[at] as Color];
      return distance(is, wanted) > 2 ? [`${name}, #${swatch}: ${is} instead of ${wanted}`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});

test.each([
  'SD',
  'SD full range',
  'SD 4:4:4',
  'HD',
  'HD tagged BT.709',
  'HD full range tagged BT.709',
  'HD VP9',
])('writes the colors of the browser if frames bypass the page: %s', async (name) => {
  const { files, colors } = await reference();
  const row = sources.findIndex((one) => one.name === name);
  const { file, rows } = sources[row] as Source;
  const size = { width, height: rows, duration: 0.2 };
  const fill = `position:absolute;left:0;top:0;width:${width}px;height:${rows}px`;
  const video = `<video src="${file}" data-start="0" style="${fill}"></video>`;
  // The same colors as CSS backgrounds: the file's own rounding is not the footage's fault.
  const boxes = (colors[row] ?? [])
    .map(([r, g, b], at) => `<i style="${fill};left:${at * 16}px;width:16px;background:rgb(${r} ${g} ${b})"></i>`)
    .join('');
  const [ours, wanted] = await Promise.all(
    [video, boxes].map((html) =>
      renderColors({ 'index.html': composition(html, size), [file]: files[file] as Buffer }, rows),
    ),
  );
  const wrong = swatches.flatMap((swatch, at) => {
    const [is, was] = [ours?.[at] as Color, wanted?.[at] as Color];
    return distance(is, was) > 2 ? [`#${swatch}: ${is} instead of ${was}`] : [];
  });
  expect(wrong).toEqual([]);
});

async function renderColors(files: Record<string, string | Buffer>, height: number): Promise<Color[]> {
  const projectDir = project(files);
  const output = join(temporaryFolder(), 'out.mp4');
  await renderVideo({ projectDir, output, fps: '10', quality: 'high', capture: 'paint' });
  const frame = (await decode(output, width, height))[1];
  return swatches.map((_, at) => [...(frame?.at(at * 16 + 8, height / 2) ?? [])].slice(0, 3) as Color);
}
