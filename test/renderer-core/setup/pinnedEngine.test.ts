// What a render says about a browser and an FFmpeg that are not those of the release.
import { expect, test } from 'vitest';
import type { Engine } from '../../../renderer-core/reports/engine.ts';
import { engineWarning } from '../../../renderer-core/setup/pinnedEngine.ts';

const engine = (browser: string, ffmpeg: string): Engine => ({
  browser: { version: browser, source: 'installed' },
  ffmpeg: { version: ffmpeg, source: 'installed' },
});
const end = 'frames can differ from those of other machines. "framework doctor" says how to use the pinned versions.';

test.each<[string, Engine, boolean, string | undefined]>([
  ['the pinned engine', engine('153.0.8010.0', '8.1'), true, undefined],
  ['another build of the milestone', engine('153.0.8010.12', '8.1'), true, undefined],
  [
    'another browser',
    engine('156.0.8078.108', '8.1'),
    true,
    `This render uses Chromium 156.0.8078.108 instead of 153: ${end}`,
  ],
  [
    'two other programs',
    engine('15.1', '7.1.2'),
    false,
    `This render uses Chromium 15.1 instead of 153 and FFmpeg 7.1.2 instead of the 8.1 of this release: ${end}`,
  ],
])('says what differs from the pinned engine: %s', (_, given, usesLibraries, expected) =>
  expect(engineWarning(given, usesLibraries)).toBe(expected));
