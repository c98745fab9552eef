// Packs the npm package and unpacks it in the cache, where it finds the repository's dependencies. Needs a build.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.cache/acceptance');

export const packedCli = join(folder, 'package/dist/cli.js');

export function setup(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const npm = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  execFileSync('npm', npm, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['-xzf', archive], { cwd: folder });
}
