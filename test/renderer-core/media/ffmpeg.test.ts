// An ffmpeg that reports success although it could not write the end of its output, as versions before 6 do.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFfmpeg } from '../../../renderer-core/media/ffmpeg.ts';
import { nodeProgram } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/project.ts';

/** Prints an error and succeeds. */
const succeeding = (error: string) => ({
  path: nodeProgram(join(temporaryFolder(), 'ffmpeg'), `process.stderr.write(${JSON.stringify(`${error}\n`)});`),
  env: {},
});

// Printed by ffmpeg 5.1.9 of Debian 12.
test.each([
  ['disk_full', 'Error writing trailer of a.mp4: No space left on device', 'the disk is full'],
  [
    'ffmpeg_failed',
    'Error writing trailer of a.mp4: Input/output error',
    'ffmpeg failed (exit 0): Error writing trailer of a.mp4: Input/output error',
  ],
  [
    'ffmpeg_failed',
    '[mp4] warning\nError closing file a.mp4: Input/output error',
    'ffmpeg failed (exit 0): [mp4] warning Error closing file a.mp4: Input/output error',
  ],
])('is %s: %s', (code, error, message) =>
  expect(runFfmpeg(succeeding(error), [])).rejects.toMatchObject({ code, message }));

test('is fine if it only warns', () => expect(runFfmpeg(succeeding('[mp4] no trailer'), [])).resolves.toBeUndefined());
