// Runs the closest peer's published command line, installed once into a folder that git ignores.
import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { FoundBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { referenceFfmpeg } from '../../support/renders/ffmpeg.ts';
import { type Measured, measure } from '../processTree.ts';
import { installPackages } from './npmPackages.ts';

/** The peer runs ffprobe; the third package has it, for machines without one. */
export const peerPackages = ['hyperframes@0.8.170', 'node@24', '@ffprobe-installer/ffprobe@2.1.2'];

/** The peer's names of the compared qualities: its default, and its fastest. */
export const peerQualities: Record<string, string> = { standard: 'looks', draft: 'draft' };

const folder = join(import.meta.dirname, '../../../.cache/bench-peer');

/** Disables telemetry and downloads during the render. */
const quiet = {
  DO_NOT_TRACK: '1',
  HYPERFRAMES_TELEMETRY: '0',
  HYPERFRAMES_SKIP_SKILLS: '1',
  PUPPETEER_SKIP_DOWNLOAD: '1',
};

export async function installPeer(): Promise<void> {
  await installPackages('bench-peer', peerPackages, quiet);
  // Its install script, which does the same, does not always run.
  await chmod(ownFfprobe(), 0o755);
}

function ownFfprobe(): string {
  return (createRequire(join(folder, 'package.json'))('@ffprobe-installer/ffprobe') as { path: string }).path;
}

/** The peer, and the Node and ffmpeg that it runs. */
export async function describePeer(ffmpeg: string): Promise<string> {
  const run = promisify(execFile);
  const env = { ...process.env, PATH: peerPath(ffmpeg) };
  const node = (await run(peerNode(), ['--version'])).stdout.trim();
  const encoder = (await run('ffmpeg', ['-version'], { env })).stdout.split(' ')[2];
  return `${peerPackages[0]} on node ${node}, ffmpeg ${encoder}`;
}

function peerNode(): string {
  return join(folder, 'node_modules/node/bin/node');
}

/** Renders one video. */
export function renderPeer(
  browser: FoundBrowser,
  ffmpeg: string,
  { project, output, quality, format }: { project: string; output: string; quality: string; format: string },
): Promise<Measured> {
  const args = [project, '-o', output, '--format', format, '--quality', peerQualities[quality] ?? quality];
  return runPeer(browser, ffmpeg, args);
}

/** Renders one video for each row of a JSON file. `output` contains `{name}`. */
export function renderPeerBatch(
  browser: FoundBrowser,
  ffmpeg: string,
  { project, batch, output, quality }: { project: string; batch: string; output: string; quality: string },
): Promise<Measured> {
  const args = [project, '--batch', batch, '-o', output, '--quality', peerQualities[quality] ?? quality];
  return runPeer(browser, ffmpeg, args);
}

/** Uses the same browser as our renderer. */
function runPeer(browser: FoundBrowser, ffmpeg: string, args: string[]): Promise<Measured> {
  const cli = join(folder, 'node_modules/hyperframes/bin/hyperframes.mjs');
  return measure({
    command: peerNode(),
    args: [cli, 'render', ...args, '--quiet'],
    env: {
      ...browser.env,
      ...quiet,
      HYPERFRAMES_BROWSER_PATH: browser.path,
      PRODUCER_HEADLESS_SHELL_PATH: browser.path,
      PATH: peerPath(ffmpeg),
    },
  });
}

/** The same ffmpeg as our renderer's if it is a program with that name, else the machine's, else one of our packages. */
function peerPath(ffmpeg: string): string {
  const ours = basename(ffmpeg) === 'ffmpeg' ? [dirname(ffmpeg)] : [];
  return [...ours, process.env.PATH ?? '', dirname(referenceFfmpeg), dirname(ownFfprobe())].join(delimiter);
}
