// The images of the compositions: computed once, and kept in a folder that git ignores. They look like photographs, so that
// scaling, blurring and encoding them costs what photographs cost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { referenceFfmpeg } from '../support/renders/ffmpeg.ts';

type Color = readonly [red: number, green: number, blue: number];
type Image = { width: number; height: number; at(x: number, y: number): Color };

export const imageNames = ['terrain', 'ridges'] as const;
export type ImageName = (typeof imageNames)[number];

/** Part of the file names: a new version of the images is a new file. */
const version = 1;

/** Returns the path of a JPEG, after creating it if necessary. */
export async function imageFile(name: ImageName): Promise<string> {
  const folder = join(import.meta.dirname, '../../.cache/bench-images');
  const file = join(folder, `${name}-${version}.jpg`);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `${name}-${process.pid}.jpg`);
  await writeJpeg(name === 'terrain' ? terrain : ridges, unfinished);
  await rename(unfinished, file);
  return file;
}

async function writeJpeg({ width, height, at }: Image, file: string): Promise<void> {
  const pixels = new Uint8ClampedArray(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(at(x, y), (y * width + x) * 3);
  }
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', '-'];
  const child = spawn(referenceFfmpeg, ['-v', 'error', '-y', ...input, '-q:v', '3', '-f', 'mjpeg', file], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(Buffer.from(pixels.buffer));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`ffmpeg could not write ${file}`);
}

/** A number from 0 to 1 for each pair of integers. */
function hash(x: number, y: number): number {
  let bits = Math.imul(x, 374_761_393) ^ Math.imul(y, 668_265_263);
  bits = Math.imul(bits ^ (bits >>> 13), 1_274_126_177);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

function smoothNoise(x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const ease = (t: number) => t * t * (3 - 2 * t);
  const [u, v] = [ease(x - left), ease(y - top)];
  const upper = mix(hash(left, top), hash(left + 1, top), u);
  return mix(upper, mix(hash(left, top + 1), hash(left + 1, top + 1), u), v);
}

/** Noise of several sizes, about 0 to 1. */
function fractal(x: number, y: number, octaves: number): number {
  let sum = 0;
  for (let octave = 0; octave < octaves; octave++)
    sum += smoothNoise(x * 2 ** octave, y * 2 ** octave) / 2 ** (octave + 1);
  return sum;
}

function mix(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

function mixColors(from: Color, to: Color, part: number): Color {
  return [mix(from[0], to[0], part), mix(from[1], to[1], part), mix(from[2], to[2], part)];
}

function lighten([red, green, blue]: Color, factor: number): Color {
  return [red * factor, green * factor, blue * factor];
}

type Level = readonly [height: number, color: Color];

/** Colors by height, from deep water to snow. */
const levels: readonly Level[] = [
  [0, [22, 58, 92]],
  [0.42, [46, 112, 140]],
  [0.455, [214, 198, 150]],
  [0.5, [112, 146, 84]],
  [0.6, [66, 104, 62]],
  [0.7, [120, 104, 84]],
];
const snow: Level = [0.8, [236, 236, 232]];

function colorOf(height: number): Color {
  const index = levels.filter(([limit]) => limit <= height).length;
  const [to, above] = levels[index] ?? snow;
  const [from, below] = levels[index - 1] ?? snow;
  return mixColors(below, above, Math.min(1, (height - from) / (to - from)));
}

/** An island from above, with light from the upper left. */
const terrain: Image = {
  width: 2880,
  height: 1620,
  at(x, y) {
    const heightAt = (column: number, row: number) => {
      const far = Math.hypot((column - 1500) / 1700, (row - 780) / 1000);
      return Math.max(0, 0.3 + 0.75 * fractal(column / 520 + 7, row / 520 + 3, 7) - 0.3 * far * far);
    };
    const height = heightAt(x, y);
    const slope = heightAt(x - 2, y - 2) - height;
    return lighten(colorOf(height), height < 0.455 ? 1 : Math.max(0.45, 1 - slope * 26));
  },
};

/** For each ridge and column, the row where the ridge begins. */
const ridgeTops = Array.from({ length: 6 }, (_, ridge) =>
  Array.from({ length: 1920 }, (_, x) => {
    return 470 + ridge * 122 - 260 * (fractal(x / (620 - ridge * 50) + ridge * 31, ridge * 9, 6) - 0.42);
  }),
);

/** Ridges in the fog of an evening, with the grain of a film. */
const ridges: Image = {
  width: 1920,
  height: 1280,
  at(x, y) {
    const sun = Math.hypot(x - 1330, y - 430);
    let color = mixColors([44, 62, 104], [248, 178, 120], Math.min(1, y / 620));
    color = mixColors(color, [255, 236, 196], Math.max(0, 1 - sun / 520) ** 2);
    if (sun < 74) color = [255, 246, 222];
    for (const [ridge, tops] of ridgeTops.entries()) {
      const top = tops[x] ?? 0;
      if (y < top) continue;
      const near = (ridge + 1) / 6;
      const base = mixColors([206, 146, 130], [18, 26, 44], near ** 0.8);
      const trees = 1 - 0.22 * near * fractal(x / 26, y / 18 + ridge * 50, 4);
      const fog = Math.max(0, Math.min(1, (y - top) / 210)) * (1 - near) * 0.75;
      color = mixColors(lighten(base, trees), [240, 190, 160], fog);
    }
    return lighten(color, 0.97 + 0.06 * hash(x, y));
  },
};
