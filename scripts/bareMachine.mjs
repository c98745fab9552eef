// Runs the demo of the README and one small render per format on a bare machine: the PATH has Node and a shell, and
// nothing else, and the home folder and all caches are empty. The video has the same bytes as on other machines: one without
// fonts, and this one with an installed browser and ffmpeg.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'framework-bare-'));
const [bin, home, project] = ['bin', 'home', 'project'].map((name) => join(root, name));
for (const folder of [bin, home, project]) mkdirSync(folder);
const path = (process.env.PATH ?? '').split(delimiter);
for (const name of ['npm', 'sh']) {
  const found = path.map((folder) => join(folder, name)).find((file) => statSync(file, { throwIfNoEntry: false }));
  symlinkSync(found, join(bin, name));
}
symlinkSync(process.execPath, join(bin, 'node'));
const env = { PATH: bin, HOME: home, TMPDIR: root, NO_COLOR: '1' };

writeFileSync(
  join(project, 'index.html'),
  `<html><body style="margin:0"><div data-composition-id="main" data-width="64" data-height="64" data-duration="0.2">
<style>#a { width: 32px; height: 32px; background: #f00; animation: a 0.2s linear } @keyframes a { to { translate: 32px } }</style>
<div id="a">A</div></div></body></html>`,
);
const formats = ['mp4', 'mp4 h265', 'mp4 av1', 'webm vp9', 'webm av1', 'mov prores', 'mov h264', 'gif', 'png'];

/** Runs a command and prints a line. Returns whether it succeeded. */
function check(title, command, args, output, more = {}) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(join(bin, command), args, {
    env: { ...env, ...more },
    encoding: 'utf8',
  });
  const info = output && statSync(output, { throwIfNoEntry: false });
  const isWritten = !output || (info?.isDirectory() ? readdirSync(output).length === 6 : (info?.size ?? 0) > 100);
  const ok = status === 0 && isWritten;
  console.log(`${ok ? 'ok' : 'FAILED'}  ${title}  ${((performance.now() - start) / 1000).toFixed(1)} s`);
  if (!ok) console.log(`${stdout}${stderr}`);
  return ok;
}

const cli = join(dirname(import.meta.dirname), 'dist/cli.js');
const results = [check('npm run demo', 'npm', ['run', 'demo'])];
for (const name of formats) {
  const [format, codec] = name.split(' ');
  const output = join(root, `video-${name.replace(' ', '-')}${format === 'png' ? '' : `.${format}`}`);
  const options = ['--format', format, ...(codec ? ['--codec', codec] : []), '--output', output];
  results.push(check(`render ${name}`, 'node', [cli, 'render', project, ...options], output));
}
const noFonts = join(root, 'fonts.conf');
writeFileSync(noFonts, `<fontconfig><dir>${join(root, 'none')}</dir></fontconfig>`);
for (const browser of [[], ['--browser', unpackedBrowser()]]) {
  const output = join(root, `without-fonts-${browser.length}.mp4`);
  const options = [cli, 'render', project, ...browser, '--output', output];
  results.push(
    check(`render without fonts ${browser.join(' ')}`, 'node', options, output, { FONTCONFIG_FILE: noFonts }),
  );
}
const installed = join(root, 'installed');
mkdirSync(installed);
for (const name of ['chromium-headless-shell', 'ffmpeg'])
  writeFileSync(join(installed, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
const here = { ...process.env, PATH: [installed, ...path].join(delimiter), LANG: 'de_DE.UTF-8', TZ: 'Asia/Tokyo' };
const videos = ['video-mp4.mp4', 'without-fonts-0.mp4', 'installed.mp4'].map((name) => join(root, name));
const args = [cli, 'render', project, '--output', videos[2]];
results.push(check('render where browser and ffmpeg are installed', 'node', args, videos[2], here));
const bytes = videos.map((file) => statSync(file, { throwIfNoEntry: false }) && readFileSync(file, 'base64'));
results.push(new Set(bytes).size === 1);
console.log(`${results.at(-1) ? 'ok' : 'FAILED'}  the same bytes on all three machines`);
rmSync(root, { recursive: true, force: true });
const failed = results.filter((ok) => !ok).length;
console.log(`bare machine: ${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** The pinned browser, named like any other one. */
function unpackedBrowser() {
  const cache = join(home, '.cache/framework');
  const folder = readdirSync(cache).find((name) => name.startsWith('chromium-'));
  return join(cache, folder ?? '', 'chromium');
}
