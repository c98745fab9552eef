// Footage of the corpus: a test pattern that moves.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceFfmpeg } from '../support/renders/ffmpeg.ts';

/** One second of a moving test pattern, encoded with the given arguments. */
export function pattern(name: string, ...args: string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'framework-fidelity-'));
  const file = join(folder, name);
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=480x270:rate=30:duration=1'];
  execFileSync(referenceFfmpeg, ['-v', 'error', ...source, ...args, file]);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

const h264 = ['-c:v', 'libx264', '-crf', '16', '-pix_fmt', 'yuv420p'];
export const files = { 'clip.mp4': pattern('clip.mp4', ...h264) };
export const videoTag = (attributes = ''): string =>
  `<video src="clip.mp4" data-start="0" muted ${attributes}></video>`;
