// Compares videos with lossless frames, and converts those frames to raw video, using ffmpeg.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { referenceFfmpeg } from '../support/renders/ffmpeg.ts';
import { framesPerSecond } from './cases.ts';

export type Likeness = {
  /** PSNR over all frames and planes in dB; Infinity if they are identical. */
  psnr: number;
  /** SSIM over all planes, 0 to 1. */
  ssim: number;
};

/** Converts sRGB frames to the format of the videos: BT.709, limited range, 4:2:0. */
const toBt709 =
  'scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp:out_color_matrix=bt709:out_range=tv,format=yuv420p';
/** Pairs frames by number, independent of the file's time stamps. */
const byNumber = `settb=1/${framesPerSecond},setpts=N`;

/** Runs ffmpeg and returns its output. */
async function runFfmpeg(args: string[]): Promise<string> {
  const all = ['-hide_banner', '-nostdin', '-nostats', '-y', ...args];
  const { stderr } = await promisify(execFile)(referenceFfmpeg, all, { maxBuffer: 1 << 26 });
  return stderr;
}

/** Input arguments for a folder of frames with the renderer's numbering. */
function framesInput(folder: string): string[] {
  return ['-framerate', String(framesPerSecond), '-start_number', '0', '-i', join(folder, 'frame-%06d.png')];
}

/** Writes a folder of frames as one file of raw yuv420p frames: 3 MB each at 1080p. */
export async function writeRaw(frames: string, output: string): Promise<void> {
  const picture = ['-vf', toBt709, '-pix_fmt', 'yuv420p', '-f', 'rawvideo'];
  await runFfmpeg(['-v', 'error', ...framesInput(frames), ...picture, output]);
}

/** Compares the first `count` frames of a video with a folder of lossless ones. */
export function compareWithFrames(video: string, frames: string, count: number): Promise<Likeness> {
  return compare(video, { input: framesInput(frames), filter: toBt709 }, count);
}

async function compare(
  video: string,
  reference: { input: string[]; filter: string },
  count: number,
): Promise<Likeness> {
  const graph = [
    `[0:v]scale=out_range=tv,format=yuv420p,trim=end_frame=${count},${byNumber},split[a][b]`,
    `[1:v]${reference.filter},trim=end_frame=${count},${byNumber},split[c][d]`,
    '[a][c]psnr=shortest=1[psnr]',
    '[b][d]ssim=shortest=1[ssim]',
  ].join(';');
  const outputs = ['-map', '[psnr]', '-f', 'null', '-', '-map', '[ssim]', '-f', 'null', '-'];
  const said = await runFfmpeg(['-i', video, ...reference.input, '-filter_complex', graph, ...outputs]);
  const psnr = /PSNR .*average:(\S+)/.exec(said)?.[1];
  const ssim = /SSIM .*All:(\S+)/.exec(said)?.[1];
  if (psnr === undefined || ssim === undefined) throw new Error(`ffmpeg compared nothing in ${video}`);
  return { psnr: psnr === 'inf' ? Number.POSITIVE_INFINITY : Number(psnr), ssim: Number(ssim) };
}

/** Counts the frames of a video by decoding it. */
export async function countFrames(video: string): Promise<number> {
  const said = await runFfmpeg(['-stats', '-i', video, '-map', '0:v:0', '-c', 'copy', '-f', 'null', '-']);
  const counts = [...said.matchAll(/frame= *(\d+)/g)];
  return Number(counts.at(-1)?.[1] ?? 0);
}
