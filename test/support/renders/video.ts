// The content of a rendered file: frames as pixels, and metadata read by ffmpeg.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { referenceFfmpeg } from './ffmpeg.ts';

export type Picture = { width: number; height: number; at(x: number, y: number): [number, number, number, number] };

/** The frames of a PNG render, in order. */
export function readFrames(folder: string): Picture[] {
  const names = readdirSync(folder).sort();
  return names.map((name) => pictureOf(PNG.sync.read(readFileSync(join(folder, name)))));
}

export function pictureOf({ width, height, data }: { width: number; height: number; data: Buffer }): Picture {
  return {
    width,
    height,
    at(x, y) {
      const offset = (y * width + x) * 4;
      return [data[offset] ?? -1, data[offset + 1] ?? -1, data[offset + 2] ?? -1, data[offset + 3] ?? -1];
    },
  };
}

/** All pixels as a text. */
export const allPixels = ({ width, height, at }: Picture): string =>
  Array.from({ length: width * height }, (_, index) => at(index % width, Math.floor(index / width))).join(' ');

/** Peak signal-to-noise ratio of the colors in dB, in every `step`th row and column. Infinity if they are equal. */
export function decibels(one: Picture, other: Picture | undefined, step: number): number {
  let [squares, values] = [0, 0];
  for (let y = 0; y < one.height; y += step) {
    for (let x = 0; x < one.width; x += step) {
      const [a, b] = [one.at(x, y), other?.at(x, y) ?? [-255, -255, -255]];
      for (const channel of [0, 1, 2] as const) squares += (a[channel] - (b[channel] ?? 0)) ** 2;
      values += 3;
    }
  }
  return 10 * Math.log10(255 ** 2 / (squares / values));
}

/** `#rrggbb` of a pixel. */
export function hex(picture: Picture | undefined, x: number, y: number): string {
  const [r, g, b] = picture?.at(x, y) ?? [-1, -1, -1];
  return `#${[r, g, b].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Decodes every frame of a video. Converts BT.709 limited range to RGB here, exactly, because ffmpeg's conversion has
 * rounding errors as large as the differences to detect. Includes alpha if the file has it.
 */
export async function decode(file: string, width: number, height: number): Promise<Picture[]> {
  const { stream, alpha } = await describeVideo(file);
  const own = /, (yuva?4[24][024]p(?:1[026]le)?)[(,]/.exec(stream)?.[1];
  const layout = alpha ? 'yuva420p' : (own ?? 'rgba');
  const raw = execFileSync(
    referenceFfmpeg,
    // ffmpeg's native VP9 decoder ignores alpha.
    [
      ...['-v', 'error', ...(alpha ? ['-c:v', 'libvpx-vp9'] : []), '-i', file],
      ...['-vsync', '0', '-pix_fmt', layout, '-f', 'rawvideo', '-'],
    ],
    { maxBuffer: 2 ** 31 },
  );
  if (layout === 'rgba') {
    const size = width * height * 4;
    return Array.from({ length: raw.length / size }, (_, index) =>
      pictureOf({ width, height, data: raw.subarray(index * size, (index + 1) * size) }),
    );
  }
  return decodePlanes(raw, layout, width, height).map((planes) => ({
    width,
    height,
    at(x, y) {
      const [luma, cb, cr, opacity] = planes(x, y);
      return [...toRgb(luma, cb, cr, 0.2126, 0.0722).map(toByte), toByte(opacity)] as [number, number, number, number];
    },
  }));
}

/** The samples of a pixel: luma and opacity from 0 to 1, chroma from -0.5 to 0.5. */
export type Samples = (x: number, y: number) => [luma: number, cb: number, cr: number, opacity: number];

/** Decodes frames of raw planes in limited range. `layout`: ffmpeg's name of the pixel format. */
export function decodePlanes(raw: Buffer, layout: string, width: number, height: number): Samples[] {
  const [, hasAlpha, sampling, depth] = /^yuv(a?)4([24][024])p(?:(\d+)le)?$/.exec(layout) ?? [];
  const bits = Number(depth ?? 8);
  const bytes = bits > 8 ? 2 : 1;
  const [divideX, divideY] = [sampling === '44' ? 1 : 2, sampling === '20' ? 2 : 1];
  const [chromaWidth, chromaHeight] = [Math.ceil(width / divideX), Math.ceil(height / divideY)];
  const [lumas, chromas] = [width * height, chromaWidth * chromaHeight];
  const samples = lumas * (hasAlpha ? 2 : 1) + chromas * 2;
  const unit = 2 ** (bits - 8);
  return Array.from({ length: raw.length / (samples * bytes) }, (_, frame) => {
    const sample = (at: number) => {
      const place = (frame * samples + at) * bytes;
      return bytes === 2 ? raw.readUInt16LE(place) : (raw[place] ?? -1);
    };
    return (x, y) => {
      const chroma = Math.floor(y / divideY) * chromaWidth + Math.floor(x / divideX);
      return [
        (sample(y * width + x) / unit - 16) / 219,
        (sample(lumas + chroma) / unit - 128) / 224,
        (sample(lumas + chromas + chroma) / unit - 128) / 224,
        hasAlpha ? sample(lumas + 2 * chromas + y * width + x) / (2 ** bits - 1) : 1,
      ];
    };
  });
}

/** Converts luma and chroma to RGB from 0 to 1, with the given weights of red and blue in luma. */
export function toRgb(luma: number, cb: number, cr: number, red: number, blue: number): [number, number, number] {
  const r = luma + 2 * (1 - red) * cr;
  const b = luma + 2 * (1 - blue) * cb;
  return [r, (luma - red * r - blue * b) / (1 - red - blue), b];
}

const toByte = (value: number): number => Math.round(255 * Math.min(1, Math.max(0, value)));

type Description = { stream: string; duration: string; alpha: boolean; hasSound: boolean; light: string | null };

/** ffmpeg's description of the first video stream (`h264 (High), yuv420p(tv, bt709), 64x48, 30 fps`), and the duration. */
export async function describeVideo(file: string): Promise<Description> {
  let text = '';
  try {
    execFileSync(referenceFfmpeg, ['-hide_banner', '-i', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    // Without an output, ffmpeg always exits with an error after describing the input.
    text = String((error as { stderr: Buffer }).stderr);
  }
  return {
    stream: /Video: (.*)/.exec(text)?.[1] ?? '',
    duration: /Duration: ([\d:.]+)/.exec(text)?.[1] ?? '',
    // WebM marks videos with alpha like this.
    alpha: /alpha_mode\s*: 1/i.test(text),
    hasSound: / Audio: /.test(text),
    light: /MaxCLL=.*/.exec(text)?.[0] ?? null,
  };
}

/** The time stamps of the frames in ticks of the time base: `{ base: '1/30000', times: [0, 1001, ...] }`. */
export async function timesOf(file: string): Promise<{ base: string; times: number[] }> {
  const path = referenceFfmpeg;
  const text = execFileSync(path, ['-v', 'error', '-i', file, '-map', '0:v', '-c', 'copy', '-f', 'framecrc', '-']);
  const rows = String(text).split('\n');
  const times = rows.flatMap((row) => /^0, *-?\d+, *(-?\d+),/.exec(row)?.slice(1).map(Number) ?? []);
  return { base: /^#tb 0: (\S+)/m.exec(String(text))?.[1] ?? '', times: times.sort((a, b) => a - b) };
}
