// The measured compositions, and how each becomes a project folder for us and, renamed, for the peer.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { referenceFfmpeg } from '../support/renders/ffmpeg.ts';
import { imageFile, imageNames } from './images.ts';

export const framesPerSecond = 30;

/** Videos with the same costs. A mean weights each kind equally, however many compositions it has. */
export const kinds = [
  'cards',
  'titles',
  'decks',
  'data',
  'photos',
  'footage',
  'shadows',
  'glass',
  '3d',
  'canvas',
  'shaders',
] as const;
export type Kind = (typeof kinds)[number];

export type Case = {
  /** Name of the folder in `compositions/`. */
  name: string;
  kind: Kind;
  seconds: number;
  /** Default `mp4`. */
  format?: 'mov';
  /** Whether it uses `clip.mp4`. */
  hasFootage?: boolean;
  webGl?: boolean;
  /** What it does that the Remotion component does not support. */
  notInRemotion?: string;
};

export const cases: readonly Case[] = [
  { name: 'text-shapes', kind: 'shadows', seconds: 6 },
  // The same composition with blurred shadows under moving elements: the most expensive thing to repaint in every frame.
  { name: 'soft-shadows', kind: 'shadows', seconds: 6 },
  { name: 'slide-deck', kind: 'decks', seconds: 12 },
  { name: 'transitions', kind: 'decks', seconds: 8 },
  { name: 'kinetic-type', kind: 'titles', seconds: 8 },
  { name: 'counter', kind: 'data', seconds: 5, notInRemotion: 'CSS animations' },
  { name: 'dashboard', kind: 'data', seconds: 6 },
  { name: 'terminal', kind: 'data', seconds: 6.6 },
  { name: 'hex-map', kind: 'data', seconds: 6 },
  { name: 'lower-third', kind: 'titles', seconds: 4.5 },
  // Without a background, with alpha.
  { name: 'lower-third-alpha', kind: 'titles', seconds: 4.5, format: 'mov' },
  { name: 'title-card', kind: 'cards', seconds: 3 },
  { name: 'quote-card', kind: 'cards', seconds: 5 },
  { name: 'price-card', kind: 'cards', seconds: 4 },
  { name: 'social-card', kind: 'cards', seconds: 4.8 },
  { name: 'logo-reveal', kind: 'titles', seconds: 4 },
  { name: 'photo-map', kind: 'photos', seconds: 6 },
  { name: 'photo-story', kind: 'photos', seconds: 8 },
  { name: 'footage', kind: 'footage', seconds: 6, hasFootage: true, notInRemotion: 'video' },
  { name: 'footage-frame', kind: 'footage', seconds: 6, hasFootage: true, notInRemotion: 'video' },
  { name: 'glass-cards', kind: 'glass', seconds: 6 },
  // Displacement filters behind panels that move, over a photograph that zooms.
  { name: 'glass-lens', kind: 'glass', seconds: 8 },
  { name: 'glass-player', kind: 'glass', seconds: 6 },
  { name: 'particles', kind: 'canvas', seconds: 6 },
  { name: 'preserve-3d', kind: '3d', seconds: 4 },
  { name: 'camera-3d', kind: '3d', seconds: 5 },
  { name: 'canvas-webgl', kind: 'canvas', seconds: 6, webGl: true },
  { name: 'shader', kind: 'shaders', seconds: 4, webGl: true },
  // 10 minutes, of which most frames repeat. The last one, because the other tools need most of an hour for it.
  { name: 'long-deck', kind: 'decks', seconds: 600 },
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

/** Seconds to compare: the first four, because lossless screenshots take longer than all renders together. */
export function comparedSeconds(one: Case): number {
  return Math.min(one.seconds, 4);
}

/** Copies a composition of `seconds` length to `folder`. */
export async function prepareProject(
  one: Pick<Case, 'name' | 'hasFootage'>,
  seconds: number,
  folder: string,
  audience: 'ours' | 'peer',
): Promise<void> {
  await cp(join(import.meta.dirname, 'compositions', one.name), folder, { recursive: true });
  await writeAssets(folder);
  if (one.hasFootage) await cp(await footageFile(), join(folder, 'clip.mp4'));
  const page = join(folder, 'index.html');
  const html = (await readFile(page, 'utf8')).replace(/data-duration="[\d.]+"/, `data-duration="${seconds}"`);
  await writeFile(page, audience === 'peer' ? html.replaceAll('window.__framework', 'window.__hyperframes') : html);
}

/** The examples' fonts, which the compositions use. */
export const fontFolders = ['launch-card', 'speaker-cards', 'quote-story'].map((example) =>
  join(import.meta.dirname, '../../examples', example, 'fonts'),
);

/** Copies what compositions share: the GSAP that this repository has installed, fonts and images. */
export async function writeAssets(folder: string): Promise<void> {
  await cp(createRequire(import.meta.url).resolve('gsap/dist/gsap.min.js'), join(folder, 'vendor/gsap.min.js'));
  for (const fonts of fontFolders) await cp(fonts, join(folder, 'fonts'), { recursive: true });
  for (const name of imageNames) await cp(await imageFile(name), join(folder, 'images', `${name}.jpg`));
}

/** Ten seconds of 1080p with sound: moving content under film grain, which is hard for encoders and decoders. */
async function footageFile(): Promise<string> {
  const folder = join(import.meta.dirname, '../../.cache/bench-images');
  const file = join(folder, 'clip-1.mp4');
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `clip-${process.pid}.mp4`);
  const pictures = `testsrc2=size=1920x1080:rate=${framesPerSecond}:duration=10,noise=alls=5:allf=t,format=yuv420p`;
  const sound = "aevalsrc='0.3*sin(2*PI*(220+40*sin(t))*t)':s=48000:d=10";
  const tags = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];
  await promisify(execFile)(referenceFfmpeg, [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', pictures, '-f', 'lavfi', '-i', sound],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-g', '60', ...tags, '-c:a', 'aac'],
    ...['-shortest', unfinished],
  ]);
  await rename(unfinished, file);
  return file;
}
