// Sound as samples: generated from formulas, and decoded from files.
import { execFileSync } from 'node:child_process';
import { isLibrary } from '../../../renderer-core/media/ffmpeg.ts';
import { findFfmpeg } from '../../../renderer-core/media/findFfmpeg.ts';
import { referenceFfmpeg } from './ffmpeg.ts';

/** The ffmpeg versions that renders can use: the embedded one, and that of this machine. */
export async function everyFfmpeg(): Promise<{ version: string; ffmpeg: string }[]> {
  const found = [await findFfmpeg({ env: process.env }), await findFfmpeg({ env: { PATH: '' } })];
  return found
    .filter(({ path }, index) => found.findIndex((other) => other.path === path) === index)
    .map(({ path, version }) => ({ ffmpeg: path, version }));
}

export function ffmpegRun(ffmpeg: string, ...args: string[]): Buffer {
  // The embedded one only does what renders need.
  const program = isLibrary(ffmpeg) ? referenceFfmpeg : ffmpeg;
  // Errors have what the program printed; it is not printed by the tests as well.
  const options = { maxBuffer: 1 << 28, stdio: 'pipe' } as const;
  return execFileSync(program, ['-hide_banner', '-nostdin', '-v', 'error', '-y', ...args], options);
}

/**
 * Writes a media file and returns its path.
 * @param formula the samples as a function of the sample number `n` and the time `t`; `|` separates channels
 * @param encode additional arguments of ffmpeg
 */
export function makeSound(
  ffmpeg: string,
  path: string,
  formula: string,
  seconds: number,
  { rate = 48_000, layout = '', encode = [] as string[] } = {},
): string {
  const channels = layout === '' ? '' : `:c=${layout}`;
  const source = `aevalsrc='${formula}':s=${rate}:d=${seconds}${channels}`;
  ffmpegRun(ffmpeg, '-f', 'lavfi', '-i', source, ...encode, path);
  return path;
}

export type Stereo = { left: number[]; right: number[] };

/** Splits interleaved 32-bit samples into channels. */
export function sides(raw: Buffer): Stereo {
  const samples = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
  const side = (first: number) =>
    Array.from({ length: samples.length / 2 }, (_, index) => samples[2 * index + first] ?? 0);
  return { left: side(0), right: side(1) };
}

/** The sound of a video as a player outputs it, at 48 kHz. */
export function decodeSound(ffmpeg: string, file: string): Stereo {
  return sides(ffmpegRun(ffmpeg, '-i', file, '-map', '0:a:0', '-f', 'f32le', '-ac', '2', '-ar', '48000', '-'));
}

/** The level of each 0.1 seconds of a video, in tenths of full scale. */
export function tenths(file: string, count = 10): number[] {
  const { left } = decodeSound(referenceFfmpeg, file);
  return Array.from({ length: count }, (_, part) => {
    // Skips the edges, which the encoder blurs slightly.
    const samples = left.slice(part * 4800 + 1200, (part + 1) * 4800 - 1200);
    return Math.round(Math.max(...samples.map(Math.abs)) * 10);
  });
}

/** The indexes of samples that are not silent. */
export const sounding = (samples: number[], above = 0): number[] =>
  samples.flatMap((value, index) => (Math.abs(value) > above ? [index] : []));

/** The index of the loudest sample. */
export const loudest = (samples: number[]): number =>
  samples.reduce((best, value, index) => (Math.abs(value) > Math.abs(samples[best] ?? 0) ? index : best), 0);

/** The frequency in Hz between two samples. */
export function pitch(samples: number[], from: number, to: number): number {
  const rising = samples.slice(from, to).filter((value, index, all) => value >= 0 && (all[index - 1] ?? 0) < 0);
  return (rising.length * 48_000) / (to - from);
}
