// Unpacks the browser of the npm package @sparticuz/chromium into the per-user cache.
// The package's own unpacker is not used: it runs /tmp/chromium if that exists, and another user could have put it there.

import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type ExtractOptions, extract } from 'tar-fs';
import { UserError } from '../errors.ts';
import { cacheEntry, cacheRoot, isOwnFolder } from '../project/cacheFolder.ts';
import { inflate, packedFile } from '../project/inflate.ts';
import { findPackage } from '../project/packageFolder.ts';
import { programEnv } from '../project/programEnv.ts';
import { findNpm } from '../setup/npm.ts';
import { fontEnv, hasSystemFonts } from './systemFonts.ts';

export type EmbeddedBrowser = { path: string; env: Record<string, string> };

export type EmbeddedBrowserOptions = {
  env: NodeJS.ProcessEnv;
  home?: string;
  platform?: NodeJS.Platform;
  arch?: string;
  signal?: AbortSignal;
  /** Called before the package is downloaded with npm, if it is not installed. Without it, nothing is downloaded. */
  onDownload?: (() => void) | undefined;
  /** Replaced in tests. */
  packages?: typeof findPackage;
  wanted?: typeof browserPackage;
};

/**
 * package.json requires this version as an optional package. npm leaves it out with `--omit=optional`, and under Node 20, for which
 * its manifest is too strict.
 */
export const browserPackage = {
  name: '@sparticuz/chromium',
  version: '153.0.0',
  /** As package-lock.json has it. */
  sha512: 'jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};

const run = promisify(execFile);
// Otherwise files that are extracted as root get the owner in the archive. The types do not contain this option.
const tarOptions: ExtractOptions & { chown: boolean } = { chown: false };

/**
 * Path and environment of the embedded browser, which is unpacked on first use (about two seconds, 230 MB).
 * Undefined on other systems than Linux x64, for which the package has no binary, and if it is not there and cannot be downloaded.
 * Throws UserError `browser_failed` (damaged package), `download_failed`, `output_unwritable` or `disk_full`.
 */
export async function embeddedBrowser(options: EmbeddedBrowserOptions): Promise<EmbeddedBrowser | undefined> {
  const { env, home = homedir() } = options;
  const folder = await unpackBrowser(options);
  if (folder === undefined) return undefined;
  const path = join(folder, 'chromium');
  const hasFonts = await hasSystemFonts(env, home);
  // Also if it is not needed now: in a sandbox, the fonts of the system may be hidden, and nothing can be written.
  const fonts = await fontEnv(join(folder, 'fonts'), env, home).catch((error) => {
    if (hasFonts) return {};
    throw error;
  });
  return { path, env: { ...(await libraryEnv(path, folder, env)), ...(hasFonts ? {} : fonts) } };
}

/** The folder of the unpacked browser; undefined and the errors as in `embeddedBrowser`. */
export async function unpackBrowser(options: EmbeddedBrowserOptions): Promise<string | undefined> {
  const { env, home = homedir(), platform = process.platform, arch = process.arch, signal } = options;
  const { onDownload, packages = findPackage, wanted = browserPackage } = options;
  if (platform !== 'linux' || arch !== 'x64') return undefined;
  const root = cacheRoot(env, home);
  const installed = await packages(wanted.name);
  if (installed)
    return cacheEntry(root, `chromium-${installed.version}`, (empty) =>
      unpack(join(installed.folder, 'bin'), empty, signal),
    );
  const name = `chromium-${wanted.version}`;
  if (await isOwnFolder(join(root, name))) return join(root, name);
  const npm = onDownload && (await findNpm(env, platform));
  if (npm === undefined) return undefined;
  onDownload?.();
  // Loaded only when needed, because the download code is large.
  const { downloadBrowser } = await import('./downloadBrowser.ts');
  return cacheEntry(root, name, async (empty) => {
    const bin = await downloadBrowser(wanted, empty, { env, npm, ...(signal ? { signal } : {}) });
    await unpack(bin, empty, signal);
    await rm(dirname(bin), { recursive: true });
  });
}

async function unpack(bin: string, folder: string, signal?: AbortSignal): Promise<void> {
  // The browser loads the swiftshader libraries from its own folder. The al2023 archive contains the folder lib.
  try {
    const chromium = (await packedFile(join(bin, 'chromium'))) ?? join(bin, 'chromium.br');
    await Promise.all([
      inflate(chromium, createWriteStream(join(folder, 'chromium'), { mode: 0o700 }), signal),
      ...['swiftshader', 'fonts', 'al2023'].map((name) =>
        inflate(join(bin, `${name}.tar.br`), extract(folder, tarOptions), signal),
      ),
    ]);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (signal?.aborted || code === 'ENOSPC' || code === 'EDQUOT') throw error;
    throw new UserError('browser_failed', `Cannot unpack the embedded browser from ${bin}.`, {
      hint: 'Reinstall the package @sparticuz/chromium, or install Chrome or Chromium.',
      cause: error,
    });
  }
}

/**
 * Adds the package's nss, nspr and expat only if the system lacks them, because LD_LIBRARY_PATH takes precedence over
 * system libraries. Starting the browser is the most reliable check.
 */
async function libraryEnv(path: string, folder: string, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  try {
    await run(path, ['--version'], { env: programEnv(env), timeout: 20_000 });
    return {};
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    if (!stderr.includes('shared librar')) return {};
    const folders = [...(env.LD_LIBRARY_PATH ?? '').split(':').filter(Boolean), join(folder, 'lib')];
    return { LD_LIBRARY_PATH: folders.join(':') };
  }
}
