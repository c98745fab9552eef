// Compares the same frames of pages that have shown different frames before: all of them, some, or none; and of the paused
// preview. Painted frames must be equal. ALL_PAGES=1 compares all pages of the corpus and all examples, which takes minutes.
import { cpSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProbedRender, RenderRequest } from '../../renderer-core/render/types.ts';
import { openPreview } from '../support/editor/previewPage.ts';
import { project, temporaryFolder } from '../support/project.ts';
import { withProbed } from '../support/renders/openPage.ts';
import { inSession, openSession, type SharedSession, sharedBrowser } from '../support/renders/warmRender.ts';
import { psnr } from './compare.ts';
import { corpus } from './corpus.ts';
import { type CapturePath, chunkedFrames, startFrame, wholeFrames } from './startFrames.ts';

const isComplete = process.env.ALL_PAGES === '1';
const examples = fileURLToPath(new URL('../../examples/', import.meta.url));

/** In dB. Painted frames are equal; in screenshots, layers may be drawn at another scale, see docs/internals/capture.md. */
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

const sampled = [
  'footage under a caption',
  'footage with filters',
  'animated images',
  'footage with a 3D transform',
  'WebGL',
];
/** Chrome's compositor moves their animations. */
const sampledShots = ['transitions started by a script', 'group opacity'];

/** The preview differs more on these pages; docs/internals/capture.md has the reasons. */
const leastPreview: Record<string, number> = {
  'composited layers': 24,
  'dialog and popover in the top layer': 23,
  'clip paths': 65,
  'a view transition': 30,
};

const pages = corpus
  .filter(({ name }) => isComplete || [...sampled, ...sampledShots].includes(name))
  .map(
    ({ name, files, path }): Compared => ({
      name,
      open: () => project(files),
      fps: isComplete ? '30' : '15',
      paths: pathsOf(name, path),
      ...{ frame: isComplete ? 11 : 5, previewFrame: 11 },
    }),
  );

function pathsOf(name: string, path: CapturePath): CapturePath[] {
  if (isComplete && path === 'paint') return ['paint', 'screenshot'];
  return sampledShots.includes(name) ? ['screenshot'] : [path];
}

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
const launched = sharedBrowser();

test('has limits only for pages of the corpus', () => {
  expect(corpus.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(leastPreview)));
});

describe('shows the same frame in every page:', () => {
  test.each([...pages, ...projects])('$name', async ({ name, open, fps, paths, frame, previewFrame }) => {
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
    const least = leastPreview[name] ?? leastShot;
    await expect.poll(async () => psnr(await alone(), PNG.sync.read(shot))).toBeGreaterThanOrEqual(least);
  });
});

function withPages<T>(projectDir: string, fps: string, use: (probed: ProbedRender) => Promise<T>): Promise<T> {
  const request: RenderRequest = { projectDir, format: 'png', fps, chunkFrames: isComplete ? 7 : 4 };
  return inSession(shared, projectDir, (place) => withProbed(request, place, use));
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
