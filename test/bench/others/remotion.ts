// Renders compositions with Remotion, installed once into a folder that git ignores. A composition is shown by one
// component that seeks its GSAP timeline (remotionScene.mjs).
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FoundBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { type Case, frameCountOf, writeAssets } from '../cases.ts';
import { type Measured, measure } from '../processTree.ts';
import { installPackages } from './npmPackages.ts';

export const remotionPackages = ['remotion@4.0.529', '@remotion/cli@4.0.529', 'react@19.3.1', 'react-dom@19.3.1'];

export type Remotion = { cli: string; site: string };

/** Installs Remotion and bundles its project. A render's time includes neither. */
export async function openRemotion(): Promise<Remotion> {
  const folder = await installPackages('bench-remotion', remotionPackages);
  const cli = join(folder, 'node_modules/@remotion/cli/remotion-cli.js');
  const assets = join(folder, 'assets');
  const site = join(folder, 'site');
  const entry = join(folder, 'remotionScene.mjs');
  await rm(site, { recursive: true, force: true });
  await mkdir(assets, { recursive: true });
  await writeAssets(assets);
  await copyFile(join(import.meta.dirname, 'remotionScene.mjs'), entry);
  const args = [cli, 'bundle', entry, '--public-dir', assets, '--out-dir', site];
  await promisify(execFile)(process.execPath, args, { cwd: folder });
  return { cli, site };
}

/** Renders a project folder of `prepareProject`, with as many pages as the machine has cores, and Remotion's own ffmpeg. */
export async function renderRemotion(
  { cli, site }: Remotion,
  browser: FoundBrowser,
  { one, project, output }: { one: Case; project: string; output: string },
): Promise<Measured> {
  const props = `${output}.json`;
  const scene = sceneIn(await readFile(join(project, 'index.html'), 'utf8'));
  await writeFile(props, JSON.stringify({ ...scene, frames: frameCountOf(one.seconds) }));
  const options = ['--browser-executable', browser.path, '--concurrency', '100%', '--log', 'error'];
  // Software WebGL, as in the other browsers.
  if (one.webGl) options.push('--gl', 'swangle');
  return measure({
    command: process.execPath,
    args: [cli, 'render', site, 'scene', output, '--props', props, ...options],
    env: browser.env ?? {},
  });
}

export type Scene = {
  width: number;
  height: number;
  styles: string;
  body: string;
  scripts: { src?: string; text?: string }[];
};

/** The parts of a composition, with the paths that its files have in Remotion's server. */
export function sceneIn(html: string): Scene {
  const text = html.replaceAll(/(["'(])((?:fonts|vendor|images)\/)/g, '$1public/$2');
  const inside = (name: string) => new RegExp(`<${name}[^>]*>([\\s\\S]*)</${name}>`).exec(text)?.[1] ?? '';
  const size = (name: string) => Number(new RegExp(`data-${name}="(\\d+)"`).exec(text)?.[1]);
  const scripts = [...inside('body').matchAll(/<script(?: src="([^"]+)")?>([\s\S]*?)<\/script>/g)];
  return {
    width: size('width'),
    height: size('height'),
    styles: inside('style'),
    body: inside('body').replaceAll(/<script[\s\S]*?<\/script>/g, ''),
    scripts: scripts.map(([, src, code = '']) => (src === undefined ? { text: code } : { src })),
  };
}
