// Renders a small project to frames and compares their content: a row of 8x8 cells that the page colors.
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { launch } from '../../../renderer-core/render/pipeline.ts';
import type { RenderEvent } from '../../../renderer-core/render/renderReport.ts';
import type { CaptureResult, RenderRequest } from '../../../renderer-core/render/types.ts';
import { composition, project } from '../project.ts';
import { core } from '../suites.ts';
import { captureFrames } from './captureFrames.ts';
import { hex, type Picture, pictureOf } from './video.ts';
import { launchShared, needsOwnBrowser, useSharedBrowser } from './warmRender.ts';

export type Files = Parameters<typeof project>[0];

/** Functions for the page: `cell(i, color)` fills the i-th cell of the top row, `number(i, n)` encodes an integer below 2^24. */
const cells = `<script>
function cell(index, color) {
  let box = window['cell' + index];
  if (!box) {
    box = window['cell' + index] = document.createElement('div');
    box.style.cssText = 'position:fixed;top:0;width:8px;height:8px;left:' + 8 * index + 'px';
    document.body.append(box);
  }
  box.style.background = color;
}
function number(index, value) { cell(index, '#' + Math.round(value).toString(16).padStart(6, '0')); }
</script>`;

/** The expected cells by frame: each a color or a number; null for any. */
export type Expected = Record<number, (string | number | null)[]>;

useSharedBrowser();

export type Captured = Pick<CaptureResult, 'capture' | 'workers'> & { frames: Picture[]; warnings: string[] };

/** Captures a project as a render does, by default at 10 frames per second. */
export async function captureProject(files: Files, request: Partial<RenderRequest> = {}): Promise<Captured> {
  const all = { fps: '10', ...request, projectDir: request.projectDir ?? project(files) };
  const { images, captured, warnings } = await captureFrames(all, needsOwnBrowser(request) ? launch : launchShared);
  return { capture: captured.capture, workers: captured.workers, frames: images.map(pictureOf), warnings };
}

/** The painted frames of `files`. */
export async function renderFrames(files: Files, request: Partial<RenderRequest> = {}): Promise<Picture[]> {
  return (await captureProject(files, { capture: 'paint', ...request })).frames;
}

/** The color of a cell, or the number that it encodes. */
export function readCell(picture: Picture | undefined, index: number, as: 'color' | 'number'): string | number {
  const color = hex(picture, 8 * index + 4, 4);
  return as === 'number' ? Number.parseInt(color.slice(1), 16) : color;
}

/** Renders the files and compares the cells of the frames in `expected`. */
export async function checkCells(files: Files, expected: Expected, request?: Partial<RenderRequest>): Promise<void> {
  const frames = await renderFrames(files, request);
  const found: Expected = {};
  for (const [frame, row] of Object.entries(expected)) {
    found[Number(frame)] = row.map((cell, index) =>
      cell === null ? null : readCell(frames[Number(frame)], index, typeof cell === 'number' ? 'number' : 'color'),
    );
  }
  expect(found).toEqual(expected);
}

type Case = [name: string, files: Files, expected: Expected, request?: Partial<RenderRequest>];

/** Registers one test for each case. The first ones, by default one, also belong to `npm test`. */
export function cases(table: Case[], { core: count = 1 } = {}): void {
  for (const [index, [name, files, expected, request]] of table.entries())
    test(`renders ${name}`, index < count ? core : {}, () => checkCells(files, expected, request));
}

export const red = '#ff0000';
export const green = '#00ff00';
export const blue = '#0000ff';
export const black = '#000000';

/** A composition of one frame with `body` and the functions for cells. */
export const page = (body: string, root: Parameters<typeof composition>[1] = {}): string =>
  composition(`${cells}${body}`, { duration: 0.1, ...root });

/** A box at the position and of the size of the i-th cell. */
export const box = (index: number, color: string, attributes = '', style = ''): string =>
  `<div ${attributes} style="position:absolute;top:0;left:${8 * index}px;width:8px;height:8px;background:${color};${style}"></div>`;

/** A host of the file `src`. */
export const mount = (src: string, values: object, attributes = ''): string =>
  `<div data-composition-src="${src}" data-variable-values='${JSON.stringify(values)}' ${attributes}></div>`;

/** Declarations of a string and a number. */
export const string = (id: string, value: string) => ({ id, type: 'string', label: id, default: value });
export const integer = (id: string, value: number) => ({ id, type: 'number', label: id, default: value });

/** An image of one color. */
export function png(color: [number, number, number], side = 8): Uint8Array {
  const image = new PNG({ width: side, height: side });
  for (let at = 0; at < image.data.length; at += 4) image.data.set([...color, 255], at);
  return PNG.sync.write(image);
}

/** A file of an installed package. */
export const packaged = (path: string): Uint8Array =>
  readFileSync(new URL(`../../../node_modules/${path}`, import.meta.url));

const gsap = packaged('gsap/dist/gsap.min.js');

/** A project with the real GSAP as `gsap.js`. */
export const withGsap = (index: string, others: Record<string, string> = {}) => ({
  'index.html': index,
  'gsap.js': gsap,
  ...others,
});

/** The length of the compositions of `checkCuts`. */
export const cutSeconds = 4;

/**
 * Renders `cutSeconds` with one worker and with two, where the second page must replay the frames before its first one, and
 * compares them: both must show the same, with at least `least` different frames.
 */
export async function checkCuts(files: Files, least = 20): Promise<void> {
  const stages: string[] = [];
  const onEvent = (event: RenderEvent) => {
    if (event.type === 'stage') stages.push(event.message);
  };
  const one = await renderFrames(files, { workers: 1, chunkFrames: 20 });
  const two = await renderFrames(files, { workers: 2, chunkFrames: 20, onEvent });
  expect([one.length, two.length]).toEqual([40, 40]);
  expect(stages).toContainEqual(expect.stringContaining('with 2 pages'));
  const row = (frame: Picture | undefined) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((x) => `${hex(frame, 8 * x + 4, 4)} ${hex(frame, 8 * x + 4, 20)}`).join();
  const different = one.findIndex((frame, index) => row(frame) !== row(two[index]));
  expect({ different, one: row(one[different]), two: row(two[different]) }).toEqual({
    different: -1,
    one: row(undefined),
    two: row(undefined),
  });
  expect(new Set(one.map(row)).size).toBeGreaterThanOrEqual(least);
}

/** Script that registers `tl` as the root composition's timeline. */
export const register = (options = 'paused: true'): string =>
  `const tl = window.__timelines['main'] = gsap.timeline({ ${options} });`;
