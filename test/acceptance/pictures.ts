// The content of images and videos, as steps of a statement.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect } from 'vitest';
import { decode, describeVideo, hex, type Picture, pictureOf, readFrames } from '../support/renders/video.ts';
import type { Check } from './acceptance.ts';

/** Colors by position: `{ '10,20': '#ff0000' }`. */
type Colors = Record<string, string>;

/** A PNG file has this size and these colors, up to 3 levels. */
export function image(path: string, size: string, colors: Colors = {}): Check {
  return ({ folder }) => {
    const picture = pictureOf(PNG.sync.read(readFileSync(join(folder, path))));
    expect(`${picture.width}x${picture.height}`).toBe(size);
    expectColors(picture, colors);
  };
}

/** A folder of PNG frames has this many, and these colors by frame number. */
export function frames(path: string, total: number, colors: Record<number, Colors>): Check {
  return ({ folder }) => {
    const pictures = readFrames(join(folder, path));
    expect(pictures).toHaveLength(total);
    for (const [index, expected] of Object.entries(colors)) expectColors(pictures[Number(index)], expected, index);
  };
}

type Video = { stream?: RegExp; duration?: string; frames?: number; alpha?: boolean; first?: Colors; last?: Colors };

/** A video as ffmpeg describes it, and the colors of its first and last frame. */
export function video(path: string, size: string, expected: Video = {}): Check {
  return async ({ folder }) => {
    const file = join(folder, path);
    const { stream, duration, alpha } = await describeVideo(file);
    expect(stream).toContain(` ${size}`);
    if (expected.stream) expect(stream).toMatch(expected.stream);
    if (expected.duration) expect(duration).toBe(expected.duration);
    if (expected.alpha !== undefined) expect(alpha).toBe(expected.alpha);
    if (!expected.frames && !expected.first && !expected.last) return;
    const [width = 0, height = 0] = size.split('x').map(Number);
    const frames = await decode(file, width, height);
    if (expected.frames) expect(frames).toHaveLength(expected.frames);
    expectColors(frames[0], expected.first ?? {});
    expectColors(frames.at(-1), expected.last ?? {});
  };
}

function expectColors(picture: Picture | undefined, colors: Colors, frame = ''): void {
  const found = Object.keys(colors).map((place) => {
    const [x = 0, y = 0] = place.split(',').map(Number);
    const shown = hex(picture, x, y);
    return [place, isNear(shown, colors[place] ?? '') ? colors[place] : shown];
  });
  expect({ frame, ...Object.fromEntries(found) }).toEqual({ frame, ...colors });
}

function isNear(shown: string, wanted: string): boolean {
  const [one, other] = [shown, wanted].map((color) =>
    [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)),
  );
  return (one ?? []).every((level, index) => Math.abs(level - (other?.[index] ?? -9)) <= 3);
}
