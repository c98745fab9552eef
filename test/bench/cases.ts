// The measured compositions, and how each becomes a project folder for us and, renamed, for the peer.
import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { referenceFfmpeg } from '../support/ffmpeg.ts';

export const framesPerSecond = 30;

export type Case = {
  /** Name in the tables. */
  name: string;
  /** Name of the folder in `compositions/`. */
  folder: string;
  seconds: number;
  /** Whether it uses `clip.mp4`. */
  hasFootage?: boolean;
};

export const cases: readonly Case[] = [
  { name: 'text-shapes', folder: 'text-shapes', seconds: 10 },
  // The same composition with blurred shadows under moving elements: the most expensive thing to repaint in every frame.
  { name: 'soft-shadows', folder: 'soft-shadows', seconds: 10 },
  { name: 'slide-deck-10s', folder: 'slide-deck', seconds: 10 },
  { name: 'slide-deck-60s', folder: 'slide-deck', seconds: 60 },
  { name: 'footage', folder: 'footage', seconds: 10, hasFootage: true },
  { name: 'canvas-webgl', folder: 'canvas-webgl', seconds: 6 },
  { name: 'preserve-3d', folder: 'preserve-3d', seconds: 4 },
];

/** The cases with these names or prefixes; all without arguments. */
export function chooseCases(names: string[], maxSeconds: number): Case[] {
  const unknown = names.find((name) => !cases.some((one) => one.name.startsWith(name)));
  if (unknown !== undefined) {
    throw new Error(`Unknown composition ${unknown}; choose from ${cases.map(({ name }) => name).join(', ')}.`);
  }
  return cases
    .filter((one) => names.length === 0 || names.some((name) => one.name.startsWith(name)))
    .map((one) => ({ ...one, seconds: Math.min(one.seconds, maxSeconds) }));
}

export function frameCountOf(seconds: number): number {
  return Math.round(seconds * framesPerSecond);
}

/** Seconds to compare: at most ten, because lossless frames of long videos would fill the disk. */
export function comparedSeconds(one: Case): number {
  return Math.min(one.seconds, 10);
}

/** Copies a composition of `seconds` length to `folder`, with the GSAP that this repository has installed. */
export async function prepareProject(
  one: Case,
  seconds: number,
  folder: string,
  audience: 'ours' | 'peer',
): Promise<void> {
  await cp(join(import.meta.dirname, 'compositions', one.folder), folder, { recursive: true });
  await cp(createRequire(import.meta.url).resolve('gsap/dist/gsap.min.js'), join(folder, 'vendor/gsap.min.js'));
  if (one.hasFootage) await makeFootage(join(folder, 'clip.mp4'));
  const page = join(folder, 'index.html');
  const html = (await readFile(page, 'utf8')).replace(/data-duration="[\d.]+"/, `data-duration="${seconds}"`);
  await writeFile(page, audience === 'peer' ? html.replaceAll('window.__framework', 'window.__hyperframes') : html);
}

/** Ten seconds of 1080p with sound: moving content under film grain, which is hard for encoders and decoders. */
async function makeFootage(file: string): Promise<void> {
  const pictures = `testsrc2=size=1920x1080:rate=${framesPerSecond}:duration=10,noise=alls=5:allf=t,format=yuv420p`;
  const sound = "aevalsrc='0.3*sin(2*PI*(220+40*sin(t))*t)':s=48000:d=10";
  const tags = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];
  await promisify(execFile)(referenceFfmpeg, [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', pictures, '-f', 'lavfi', '-i', sound],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-g', '60', ...tags, '-c:a', 'aac', '-shortest', file],
  ]);
}
