// Unpacks the browser of the npm package @sparticuz/chromium into the per-user cache.
// The package's own unpacker is not used: it runs /tmp/chromium if that exists, and another user could have put it there.

import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ExtractOptions, extract } from 'tar-fs';
import { UserError } from '../errors.ts';
import { cacheEntry, cacheRoot } from '../project/cacheFolder.ts';
import { inflate, packedFile } from '../project/inflate.ts';
import { findPackage } from '../project/packageFolder.ts';
import { programEnv } from '../project/programEnv.ts';
import { fontEnv, hasSystemFonts } from './systemFonts.ts';

export type EmbeddedBrowser = { path: string; env: Record<string, string> };

export type EmbeddedBrowserOptions = {
  env: NodeJS.ProcessEnv;
  home?: string;
  platform?: NodeJS.Platform;
  arch?: string;
  signal?: AbortSignal;
};

const run = promisify(execFile);
// Otherwise files that are extracted as root get the owner in the archive. The types do not contain this option.
const tarOptions: ExtractOptions & { chown: boolean } = { chown: false };

/**
 * Path and environment of the embedded browser, which is unpacked on first use (about two seconds, 230 MB).
 * Undefined on other systems than Linux x64, for which the package has no binary.
 * Throws UserError `browser_failed` (damaged package), `output_unwritable` or `disk_full`.
 */
export async function embeddedBrowser(options: EmbeddedBrowserOptions): Promise<EmbeddedBrowser | undefined> {
  const { env, home = homedir() } = options;
  const folder = await unpackBrowser(options);
  if (folder === undefined) return undefined;
  const path = join(folder, 'chromium');
  const fonts = (await hasSystemFonts(env, home)) ? {} : await fontEnv(join(folder, 'fonts'), env, home);
  return { path, env: { ...(await libraryEnv(path, folder, env)), ...fonts } };
}

/** The folder of the unpacked browser; undefined and the errors as in `embeddedBrowser`. */
export async function unpackBrowser(options: EmbeddedBrowserOptions): Promise<string | undefined> {
  const { env, home = homedir(), platform = process.platform, arch = process.arch, signal } = options;
  if (platform !== 'linux' || arch !== 'x64') return undefined;
  const installed = await findPackage('@sparticuz/chromium');
  if (!installed) return undefined;
  return cacheEntry(cacheRoot(env, home), `chromium-${installed.version}`, (empty) =>
    unpack(join(installed.folder, 'bin'), empty, signal),
  );
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
