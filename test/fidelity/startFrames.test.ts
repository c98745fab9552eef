// Compares the same frames of pages that have shown different frames before: all of them, some, or none; and of the paused
// preview. Painted frames must be equal. ALL_PAGES=1 compares all pages of the corpus and all examples, which takes minutes.
import { cpSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProbedRender } from '../../renderer-core/render/types.ts';
import { openPreview, previewBrowser } from '../support/previewPage.ts';
import { project, temporaryFolder } from '../support/project.ts';
import { openSession, type SharedSession } from '../support/warmRender.ts';
import { withProbed } from './capture.ts';
import { psnr } from './compare.ts';
import { corpus } from './corpus.ts';
import { type CapturePath, chunkedFrames, startFrame, wholeFrames } from './startFrames.ts';

const isComplete = process.env.ALL_PAGES === '1';
const examples = fileURLToPath(new URL('../../examples/', import.meta.url));

/** In dB. Painted frames are equal; in screenshots, layers may be drawn at another scale, see docs/capture.md. */
const leastShot = 70;

/** `paths`: the capture paths to compare. `frame`: the first frame of a page, and of the preview. */
type Compared = {
  name: string;
  open(): string;
  fps: string;
  paths: CapturePath[];
  frame: number;
  previewFrame: number;
};

const sampled = ['footage under a caption', 'footage with filters', 'animated images', 'footage with a 3D transform'];

const pages = corpus
  .filter(({ name }) => isComplete || sampled.includes(name))
  .map(
    ({ name, files, path }): Compared => ({
      name,
      open: () => project(files),
      fps: '30',
      paths: isComplete && path === 'paint' ? ['paint', 'screenshot'] : [path],
      ...{ frame: 11, previewFrame: 11 },
    }),
  );

const projects = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && (isComplete || entry.name === 'countdown'))
  .map(
    ({ name }): Compared => ({
      name,
      open() {
        const folder = temporaryFolder();
        cpSync(`${examples}${name}`, folder, { recursive: true });
        return folder;
      },
      fps: isComplete ? '4' : '2',
      paths: isComplete ? ['paint', 'screenshot'] : ['paint'],
      ...{ frame: 9, previewFrame: 70 },
    }),
  );

let shared: SharedSession;
beforeAll(async () => {
  shared = await openSession(tmpdir());
});
afterAll(() => shared.close());
const launched = previewBrowser();

describe('shows the same frame in every page:', () => {
  test.each([...pages, ...projects])('$name', async ({ open, fps, paths, frame, previewFrame }) => {
    const root = open();
    const differences: string[] = [];
    for (const path of paths)
      differences.push(...(await withPages(root, fps, (probed) => compareStarts(probed, path, frame))));
    expect(differences).toEqual([]);

    const { goTo, atRest, alone } = await openPreview(launched(), root);
    await atRest();
    await goTo(`${previewFrame}f`);
    expect(await atRest()).toBe(previewFrame);
    const shot = await withPages(root, '30', (probed) => startFrame(probed, 'screenshot', previewFrame));
    // The compositor may be late with a video.
    await expect.poll(async () => psnr(await alone(), PNG.sync.read(shot))).toBeGreaterThanOrEqual(leastShot);
  });
});

async function withPages<T>(projectDir: string, fps: string, use: (probed: ProbedRender) => Promise<T>): Promise<T> {
  const { session, browsers } = shared;
  const site = await session.openSite(projectDir);
  try {
    return await withProbed({ projectDir, format: 'png', fps, chunkFrames: 7 }, { session, browsers, site }, use);
  } finally {
    await site.close();
  }
}

/** The frames that differ from those of a page that shows all frames. */
async function compareStarts(probed: ProbedRender, path: CapturePath, start: number): Promise<string[]> {
  const whole = await wholeFrames(probed, path);
  const chunked = await chunkedFrames(probed, path);
  const started = await startFrame(probed, path, start);
  const compare = (found: Buffer | undefined, way: string, frame: number): string[] => {
    const expected = whole[frame];
    if (!expected || !found) return [`${path}, ${way}: frame ${frame} is missing`];
    if (expected.equals(found)) return [];
    const similar = path === 'paint' ? 0 : psnr(PNG.sync.read(expected), PNG.sync.read(found));
    return similar >= leastShot ? [] : [`${path}, ${way}: frame ${frame} (${similar.toFixed(1)} dB)`];
  };
  const inChunks = chunked.flatMap((found, frame) => compare(found, 'chunks', frame));
  return [...inChunks, ...compare(started, 'started', start)];
}
