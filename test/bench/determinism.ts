// Checks whether renders with one page and with two have the same frames and the same bytes.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Case, comparedSeconds, prepareProject } from './cases.ts';
import type { Tools } from './measureCase.ts';
import { renderOurs } from './ours.ts';
import { compareVideos } from './quality.ts';

export type DeterminismRow = {
  name: string;
  /** The number of pages that each render used: a short one has only one chunk. */
  workers: string;
  frames: number;
  /** Numbers of the frames that differ. */
  differentFrames: number[];
  /** PSNR between the two MP4 files in dB; Infinity if they are identical. */
  psnr: number;
  sameBytes: boolean;
};

/** Renders frames and a video with one page and with two. */
export async function measureDeterminism(one: Case, tools: Tools, folder: string): Promise<DeterminismRow> {
  const { browser, ffmpeg, report } = tools;
  const project = join(folder, 'project');
  await mkdir(folder, { recursive: true });
  await prepareProject(one, comparedSeconds(one), project, 'ours');
  const hashes: string[][] = [];
  const used: number[] = [];
  for (const workers of [1, 2]) {
    report(`${one.name}: screenshots and a file with --workers ${workers}`);
    const output = join(folder, `frames-${workers}`);
    const run = await renderOurs(browser, ffmpeg, { project, output, format: 'png', capture: 'screenshot', workers });
    used.push(run.report.workers.count);
    hashes.push(await hashFolder(output));
    await rm(output, { recursive: true });
    await renderOurs(browser, ffmpeg, { project, output: join(folder, `${workers}.mp4`), workers });
  }
  const [first = [], second = []] = hashes;
  const [video, other] = [join(folder, '1.mp4'), join(folder, '2.mp4')];
  const row = {
    name: one.name,
    workers: used.join(' and '),
    frames: first.length,
    differentFrames: Array.from({ length: Math.max(first.length, second.length) }, (_, frame) => frame).filter(
      (frame) => first[frame] !== second[frame],
    ),
    psnr: (await compareVideos(ffmpeg, video, other, first.length)).psnr,
    sameBytes: (await hashFile(video)) === (await hashFile(other)),
  };
  await rm(folder, { recursive: true, force: true });
  return row;
}

async function hashFolder(folder: string): Promise<string[]> {
  const hashes: string[] = [];
  for (const name of (await readdir(folder)).sort()) hashes.push(await hashFile(join(folder, name)));
  return hashes;
}

async function hashFile(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
