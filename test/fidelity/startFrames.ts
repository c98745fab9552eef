// Captures the same frames in pages that have shown different frames before: all of them, none of them, or some.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { renderWith } from '../../renderer-core/render/pipeline.ts';
import { snapshotIn } from '../../renderer-core/render/snapshot/takeSnapshot.ts';
import type { RenderPlace, RenderRequest } from '../../renderer-core/render/types.ts';
import { psnr } from './compare.ts';

export type CapturePath = 'paint' | 'screenshot';

/** A project, and the frames to compare. */
export type Started = { projectDir: string; fps: string; path: CapturePath; frames: readonly number[] };

/** A frame that differs from the same frame of a page that has shown all frames. `decibels`: how similar they are. */
export type Difference = { way: string; frame: number; decibels: number };

/** Compares pages that start at a frame, and chunks of 7 frames, with one page that shows all frames. */
export async function compareStarts(started: Started, place: RenderPlace): Promise<Difference[]> {
  const whole = await renderAll(started, 'whole', { workers: 1 }, place);
  const chunks = await renderAll(started, 'chunks', { workers: 2, chunkFrames: 7 }, place);
  const differences: Difference[] = [];
  for (let frame = 0; frame < whole.frames; frame++) {
    differences.push(...difference('chunks of 7 frames', frame, whole.image(frame), chunks.image(frame)));
  }
  for (const frame of started.frames) {
    const image = await startAt(started, frame, place);
    differences.push(...difference('a page that starts at the frame', frame, whole.image(frame), image));
  }
  return differences;
}

/** The image file of a frame, in a page that shows no other frame. */
export async function startAt(
  { projectDir, fps, path }: Omit<Started, 'frames'>,
  frame: number,
  place: RenderPlace,
): Promise<Buffer> {
  const output = join(projectDir, 'snapshots', `${path}-${frame}.png`);
  await snapshotIn(place, { projectDir, fps, capture: path, at: [`${frame}f`], output });
  return readFileSync(output);
}

async function renderAll(
  { projectDir, fps, path }: Started,
  name: string,
  request: Partial<RenderRequest>,
  place: RenderPlace,
) {
  const folder = join(projectDir, 'renders', `${path}-${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(projectDir, 'renders'), { recursive: true });
  const { frames } = await renderWith(
    (_, use) => use(place),
    { projectDir, fps, capture: path, format: 'png', output: folder, ...request },
    () => performance.now(),
  );
  const image = (frame: number) => readFileSync(join(folder, `frame-${String(frame).padStart(6, '0')}.png`));
  return { frames, image };
}

/** Nothing if both images have the same pixels. */
export function difference(way: string, frame: number, expected: Buffer, found: Buffer): Difference[] {
  if (expected.equals(found)) return [];
  const decibels = psnr(PNG.sync.read(expected), PNG.sync.read(found));
  return decibels === Number.POSITIVE_INFINITY ? [] : [{ way, frame, decibels }];
}
