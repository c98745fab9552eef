// Files that ffmpeg has written only in part, although it reported success.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Encoder } from '../../../renderer-core/media/codecs.ts';
import { joinSegments } from '../../../renderer-core/media/join.ts';
import { startSegment } from '../../../renderer-core/media/segment.ts';
import { requireWhole, type WholeContainer } from '../../../renderer-core/media/wholeFile.ts';
import type { RenderPlan } from '../../../renderer-core/plan/renderPlan.ts';
import { ffmpegAt, referenceFfmpeg } from '../../support/ffmpeg.ts';
import { nodeProgram } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/project.ts';

const ffmpeg = referenceFfmpeg;
const folder = mkdtempSync(join(tmpdir(), 'framework-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const source = ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=64x48:r=10:d=0.5'];
const file = (name: string) => join(folder, name);

const outputs: [WholeContainer, string[]][] = [
  ['mp4', ['-movflags', '+faststart', '-c:v', 'libx264', '-f', 'mp4']],
  ['mov', ['-c:v', 'prores_ks', '-f', 'mov']],
  ['webm', ['-c:v', 'libvpx-vp9', '-f', 'webm']],
  ['nut', ['-c:v', 'ffv1', '-f', 'nut']],
  ['gif', ['-f', 'gif']],
  ['png', ['-frames:v', '1', '-f', 'image2']],
];

describe.each(outputs)('%s', (container, args) => {
  const whole = file(`whole.${container}`);
  beforeAll(() => void execFileSync(ffmpeg, [...source, ...args, whole]));

  test('accepts a complete file', () => requireWhole(whole, container));

  test.each([0, 1, 4, 12, 100, 1000])('rejects a file without its last bytes, down to %i', async (kept) => {
    const { size } = statSync(whole);
    for (const length of new Set([Math.min(kept, size - 1), size - Math.max(1, kept)])) {
      if (length < 0) continue;
      const cut = file(`cut.${container}`);
      copyFileSync(whole, cut);
      truncateSync(cut, length);
      await expect(requireWhole(cut, container), `${length} of ${size} bytes`).rejects.toMatchObject({
        code: 'ffmpeg_failed',
        message: `ffmpeg reported success, but cut.${container} is incomplete`,
      });
    }
  });

  test('rejects a missing file', () =>
    expect(requireWhole(file(`none.${container}`), container)).rejects.toMatchObject({
      message: `ffmpeg reported success, but none.${container} is missing`,
    }));
});

/** An ffmpeg that succeeds without writing the last bytes of its last file. */
function lyingFfmpeg(): string {
  return nodeProgram(
    file('lying-ffmpeg'),
    `const args = process.argv.slice(2);
require('node:child_process').execFileSync(${JSON.stringify(ffmpeg)}, args, { stdio: 'inherit' });
const last = args.at(-1).replace('%06d', '000002');
const { statSync, truncateSync } = require('node:fs');
truncateSync(last, statSync(last).size - 1);
`,
  );
}

describe.skipIf(process.platform === 'win32')('an ffmpeg that loses the end of its output', () => {
  const chunk = { index: 0, start: 0, end: 3 };
  const plan = (changes: Partial<RenderPlan>) =>
    ({
      fps: { num: 10, den: 1 },
      frames: 3,
      width: 64,
      height: 48,
      chunks: [chunk],
      quality: 'draft',
      hdr: false,
      ...changes,
    }) as RenderPlan;
  const write = async (program: string, encoder: Encoder, changes: Partial<RenderPlan>) => {
    const job = {
      ffmpeg: ffmpegAt(program),
      encoder,
      plan: plan(changes),
      folder: temporaryFolder(),
      signal: new AbortController().signal,
    };
    const segment = startSegment(job, { pixels: 'rgba', width: 64, height: 48 }, chunk);
    await segment.write(new Uint8Array(64 * 48 * 4).fill(99), 3, false);
    await segment.finish();
    return segment.path;
  };

  test.each<[Encoder, Partial<RenderPlan>, string]>([
    ['libx264', { format: 'mp4', codec: 'h264', quality: 'high' }, 'segment-00000.mp4'],
    ['libvpx-vp9', { format: 'webm', codec: 'vp9' }, 'segment-00000.webm'],
    ['prores_ks', { format: 'mov', codec: 'prores' }, 'segment-00000.mov'],
    ['ffv1', { format: 'gif', codec: null }, 'segment-00000.nut'],
    ['png', { format: 'png', codec: null }, 'frame-000002.png'],
  ])('fails a segment of %s', async (encoder, changes, name) =>
    expect(write(lyingFfmpeg(), encoder, changes)).rejects.toMatchObject({
      message: `ffmpeg reported success, but ${name} is incomplete`,
    }));

  test.each<[Encoder, Partial<RenderPlan>]>([
    ['libx264', { format: 'mp4', codec: 'h264', quality: 'high' }],
    ['libvpx-vp9', { format: 'webm', codec: 'vp9' }],
    ['ffv1', { format: 'gif', codec: null }],
  ])('fails a video of %s', async (encoder, changes) => {
    const segment = await write(ffmpeg, encoder, changes);
    const output = file(`joined.${changes.format}`);
    await joinSegments(ffmpegAt(ffmpeg), [segment], plan(changes), temporaryFolder(), output);
    await expect(
      joinSegments(ffmpegAt(lyingFfmpeg()), [segment], plan(changes), temporaryFolder(), output),
    ).rejects.toMatchObject({
      message: `ffmpeg reported success, but joined.${changes.format} is incomplete`,
    });
  });
});
