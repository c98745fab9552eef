// The fast paths of capture: optimizations that leave the frames as they are, and the switch that turns them off.
import { UserError } from '../../errors.ts';

export type FastPathName =
  | 'background-video'
  | 'banding'
  | 'clipped-backdrops'
  | 'repeated-frames'
  | 'skipped-drawing'
  | 'skipped-frames'
  | 'warm-pages';

/** `reason`: why the fast path exists, as measured (docs/internals/benchmarks.md). `code`: the files that implement it. */
export type FastPath = { name: FastPathName; reason: string; code: readonly string[] };

export const fastPaths: readonly FastPath[] = [
  {
    name: 'background-video',
    reason:
      'Footage that fills the frame below everything else goes from its decoder to the encoder; the page is laid over it. 197 instead of 271 ms of CPU for a 1080p frame with much noise, decoding and encoding included.',
    code: [
      'page/runtime/media/backgroundFrame.ts',
      'page/runtime/media/backgroundVideo.ts',
      'page/runtime/media/occlusion.ts',
      'capture/frameWriter.ts',
    ],
  },
  {
    name: 'banding',
    reason:
      'Pages without blurs are drawn in bands that fit into memory that the browser already has. Saves 3 of 6 ms for a 720p frame.',
    code: ['page/features/banding/bands.ts'],
  },
  {
    name: 'clipped-backdrops',
    reason:
      'Elements with backdrop-filter are drawn with a clip path, so that their layers are not as large as the frame. 145 instead of 172 ms of CPU for a 1080p frame with three panels.',
    code: ['page/features/backdrop/clippedBackdrops.ts', 'page/features/backdrop/backdropReach.ts'],
  },
  {
    name: 'repeated-frames',
    reason:
      'A frame without changes is neither drawn nor encoded again. 1 ms in the page and a dozen bytes in the stream, instead of 6 ms for transport and encoding.',
    code: ['capture/inPage.ts', 'capture/screenshotSource.ts', 'media/repeatedFrames.ts'],
  },
  {
    name: 'skipped-drawing',
    reason:
      'Frames that a page only passes are not drawn on its canvases. A snapshot at 20 % of a 6 s shader takes 2 instead of 25 s, and one at 60 s of a 2D canvas with 2000 lines 4.5 instead of 26 s.',
    code: ['page/features/canvas/canvasFrames.ts', 'page/features/webgl/webglInPage.ts'],
  },
  {
    name: 'skipped-frames',
    reason:
      'Frames that a page without scripts, media and transitions only passes are not shown. A snapshot at 80 % of a 20-minute deck with 240 CSS animations takes 3 instead of 195 s on a busy machine.',
    code: ['page/features/skippedFrames/pureTime.ts', 'capture/frameClock.ts'],
  },
  {
    name: 'warm-pages',
    reason:
      'Tabs stay open between the rows of a batch, or between snapshots. Loading a row takes 0.17 instead of 0.45 s.',
    code: ['capture/fastPaths/warmPages.ts'],
  },
];

/** The fast paths that are on. */
export type FastPaths = ReadonlySet<FastPathName>;

export const allFastPaths: FastPaths = new Set(fastPaths.map(({ name }) => name));

/** The environment variable, for entry points that read the environment. */
const variable = 'FRAMEWORK_FAST_PATHS';

/** The request option for the value of FRAMEWORK_FAST_PATHS; empty if it is not set. */
export function fastPathsOption(env: Readonly<Record<string, string | undefined>>): { fastPaths?: string } {
  const value = env[variable];
  return value === undefined ? {} : { fastPaths: value };
}

/**
 * Reads a comma-separated list of fast paths to switch off, such as `-banding,-background-video`; `-all` switches off
 * all of them. Returns those that stay on. Throws UserError `usage`.
 */
export function readFastPaths(list = ''): FastPaths {
  const on = new Set(allFastPaths);
  for (const item of list.split(',').map((part) => part.trim())) {
    if (item === '') continue;
    if (item === '-all') on.clear();
    else if (isSwitch(item)) on.delete(item.slice(1) as FastPathName);
    else throw unknownFastPath(item);
  }
  return on;
}

const isSwitch = (item: string): boolean => item.startsWith('-') && allFastPaths.has(item.slice(1) as FastPathName);

function unknownFastPath(item: string): UserError {
  const switches = ['all', ...allFastPaths].map((name) => `-${name}`).join(', ');
  return new UserError('usage', `Unknown fast path "${item}" in ${variable}`, {
    hint: `Use a comma-separated list of ${switches}.`,
  });
}
