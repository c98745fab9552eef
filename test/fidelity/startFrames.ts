// Captures the same frames in pages that have shown different frames before.
import { canvasSize } from '../../renderer-core/capture/capturePage.ts';
import type { FrameSource } from '../../renderer-core/capture/frameSource.ts';
import { openPaintSource } from '../../renderer-core/capture/paintSource.ts';
import { openScreenshotSource } from '../../renderer-core/capture/screenshotSource.ts';
import type { ProbedRender } from '../../renderer-core/render/types.ts';
import { pageOf } from '../support/renders/openPage.ts';

export type CapturePath = 'paint' | 'screenshot';

/** The frames of a page that shows all of them. */
export const wholeFrames = (probed: ProbedRender, path: CapturePath): Promise<Buffer[]> =>
  withSource(probed, path, (source) => readFrames(source, 0, probed.plan.frames));

/** The frames of two pages that capture the chunks of the plan in turns, as two workers do. */
export async function chunkedFrames(probed: ProbedRender, path: CapturePath): Promise<Buffer[]> {
  const chunksOf = (worker: number) => probed.plan.chunks.filter(({ index }) => index % 2 === worker);
  const frames: Buffer[] = [];
  for (const worker of [0, 1]) {
    await withSource(probed, path, async (source) => {
      for (const { start, end } of chunksOf(worker)) {
        for (const [index, data] of (await readFrames(source, start, end)).entries()) frames[start + index] = data;
      }
    });
  }
  return frames;
}

/** One frame, of a page that shows no other. */
export async function startFrame(probed: ProbedRender, path: CapturePath, frame: number): Promise<Buffer> {
  const [data] = await withSource(probed, path, (source) => readFrames(source, frame, frame + 1));
  return data as Buffer;
}

async function withSource<T>(
  probed: ProbedRender,
  path: CapturePath,
  use: (source: FrameSource) => Promise<T>,
): Promise<T> {
  const source = await openSource(probed, path);
  try {
    return await use(source);
  } finally {
    await source.close();
  }
}

async function openSource(probed: ProbedRender, path: CapturePath): Promise<FrameSource> {
  if (path === 'paint') {
    const { target, launched } = probed.page;
    const options = { ...canvasSize(target), profile: launched.profile, samples: [] };
    return openPaintSource(await pageOf(probed, 'paint'), { ...options, pixels: 'i420', hdr: null });
  }
  const leave = () => Promise.resolve();
  return openScreenshotSource(() => pageOf(probed, 'plain'), leave, probed.plan, { format: 'png', findRepeats: false });
}

/** The pixels of each frame; a PNG file for screenshots. */
async function readFrames(source: FrameSource, start: number, end: number): Promise<Buffer[]> {
  const frames: Buffer[] = [];
  for await (const { data, repeat } of source.frames(start, end)) {
    const copy = Buffer.from(data);
    for (let left = repeat; left > 0; left--) frames.push(copy);
  }
  return frames;
}
