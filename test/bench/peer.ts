// Runs the closest peer's published command line, installed once into a folder that git ignores.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { FoundBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { type Measured, measure } from './processTree.ts';

export const peerPackages = ['hyperframes@0.8.170', 'node@24'];

/** The peer's names of the compared qualities: its default, and its fastest. */
export const peerQualities: Record<string, string> = { standard: 'looks', draft: 'draft' };

const folder = join(import.meta.dirname, '../../.cache/bench-peer');
const stamp = join(folder, 'installed.txt');

/** Disables telemetry and downloads during the render. */
const quiet = {
  DO_NOT_TRACK: '1',
  HYPERFRAMES_TELEMETRY: '0',
  HYPERFRAMES_SKIP_SKILLS: '1',
  PUPPETEER_SKIP_DOWNLOAD: '1',
};

/** Installs the peer unless the stamp file exists. */
export async function installPeer(): Promise<void> {
  const wanted = peerPackages.join(' ');
  if ((await readFile(stamp, 'utf8').catch(() => '')).trim() === wanted) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...peerPackages], {
    cwd: folder,
    env: { ...process.env, ...quiet },
    shell: process.platform === 'win32',
  });
  await writeFile(stamp, `${wanted}\n`);
}

/** The Node version that the peer runs on. */
export async function peerNodeVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)(peerNode(), ['--version']);
  return stdout.trim();
}

function peerNode(): string {
  return join(folder, 'node_modules/node/bin/node');
}

/** Renders one video. */
export function renderPeer(
  browser: FoundBrowser,
  ffmpeg: string,
  { project, output, quality }: { project: string; output: string; quality: string },
): Promise<Measured> {
  return runPeer(browser, ffmpeg, [project, '-o', output, '--quality', peerQualities[quality] ?? quality]);
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

/** Uses the same browser as our renderer and, if its name is accepted, the same ffmpeg. */
function runPeer(browser: FoundBrowser, ffmpeg: string, args: string[]): Promise<Measured> {
  const cli = join(folder, 'node_modules/hyperframes/bin/hyperframes.mjs');
  const path = process.env.PATH ?? '';
  return measure({
    command: peerNode(),
    args: [cli, 'render', ...args, '--quiet'],
    env: {
      ...browser.env,
      ...quiet,
      HYPERFRAMES_BROWSER_PATH: browser.path,
      PRODUCER_HEADLESS_SHELL_PATH: browser.path,
      PATH: basename(ffmpeg) === 'ffmpeg' ? `${dirname(ffmpeg)}${delimiter}${path}` : path,
    },
  });
}
