// Finds the browser to render with: a requested one, the pinned one, or an installed one.

import { execFile } from 'node:child_process';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../errors.ts';
import { programEnv } from '../project/programEnv.ts';
import { candidatesOnPath, isExecutable, resolveProgram } from '../project/programs.ts';
import { statIfExists } from '../project/statIfExists.ts';
import { downloadDetails } from '../setup/machine.ts';
import { findSetupProgram } from '../setup/programsFolder.ts';
import { type EmbeddedBrowser, type EmbeddedBrowserOptions, embeddedBrowser } from './embeddedBrowser.ts';
import { fallbackFontEnv } from './systemFonts.ts';

export type FoundBrowser = {
  /** Absolute path of the executable. */
  path: string;
  source: 'option' | 'environment' | 'set-up' | 'installed' | 'embedded';
  /** Environment variables for the process: shared libraries and fonts that the machine lacks. */
  env: Record<string, string>;
  /** Name for messages. */
  name: string;
  /** A headless shell starts faster and can capture frame by frame. */
  headlessShell: boolean;
};

export type FindBrowserOptions = {
  /** A requested executable; an error when it cannot be executed. */
  path?: string;
  env: NodeJS.ProcessEnv;
  home?: string;
  platform?: NodeJS.Platform;
  arch?: string;
  signal?: AbortSignal;
  /** See `EmbeddedBrowserOptions`. */
  onDownload?: (() => void) | undefined;
  /** Replaced in tests, because unpacking takes seconds. */
  embedded?: (options: EmbeddedBrowserOptions) => Promise<EmbeddedBrowser | undefined>;
  /** Path of the system's Chrome on macOS and Windows. Replaced in tests. */
  systemChrome?: typeof findSystemChrome;
};

const shellNames = ['chrome-headless-shell', 'chromium-headless-shell', 'headless_shell'];
const fullNames = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'microsoft-edge-stable'];
const installHint = () =>
  'Run "framework setup browser", which downloads one; or install Chrome or Chromium, or set --browser or FRAMEWORK_BROWSER.';

/**
 * Order: `path`, `FRAMEWORK_BROWSER`, the pinned browser (downloaded by `framework setup`, or of the npm package), an installed
 * headless shell, an installed full browser.
 * Throws UserError `browser_not_found`, and errors of unpacking the embedded browser. If that cannot be downloaded, an installed one
 * is used.
 */
export async function findBrowser(options: FindBrowserOptions): Promise<FoundBrowser> {
  const { path, env, home = homedir(), platform = process.platform, arch = process.arch } = options;
  const machine = { env, home, platform };
  const requested = path ?? (env.FRAMEWORK_BROWSER || undefined);
  if (requested !== undefined) {
    const program = await resolveProgram(requested, env, platform);
    if ('path' in program) return found(program.path, path === undefined ? 'environment' : 'option', machine);
    const label = path === undefined ? 'FRAMEWORK_BROWSER' : '--browser';
    throw new UserError('browser_not_found', `The browser given by ${label} ${program.problem}`, {
      hint: `Set ${label} to the path of a Chrome, Chromium or chrome-headless-shell executable, or omit it to use an installed browser.`,
    });
  }

  const downloaded = await findSetupProgram('browser', { env, home, platform, arch });
  if (downloaded !== undefined) return found(downloaded, 'set-up', machine);
  const { signal, onDownload, embedded = embeddedBrowser, systemChrome = findSystemChrome } = options;
  let failure: UserError | undefined;
  const unpacked = await embedded({ env, home, platform, arch, onDownload, ...(signal ? { signal } : {}) }).catch(
    (error) => {
      if (!(error instanceof UserError && error.code === 'download_failed')) throw error;
      failure = error;
      return undefined;
    },
  );
  if (unpacked) return { ...unpacked, source: 'embedded', name: 'embedded Chromium', headlessShell: true };
  const installed = await installedBrowser({ env, home, platform, arch, systemChrome });
  if (installed !== undefined) return found(installed, 'installed', machine);
  if (failure) throw failure;
  throw new UserError('browser_not_found', 'No browser was found on this machine.', {
    hint: installHint(),
    ...(await downloadDetails('browser', env)),
  });
}

async function found(
  path: string,
  source: FoundBrowser['source'],
  { env, home, platform }: Pick<Machine, 'env' | 'home' | 'platform'>,
): Promise<FoundBrowser> {
  const name = basename(path).replace(/\.exe$/i, '');
  const fonts = platform === 'linux' ? await fallbackFontEnv(env, home) : {};
  return { path, source, env: fonts, name, headlessShell: /headless[-_]shell/i.test(name) };
}

type Machine = {
  env: NodeJS.ProcessEnv;
  home: string;
  platform: NodeJS.Platform;
  arch: string;
  systemChrome: typeof findSystemChrome;
};

/** The first installed browser that is not a snap package; they cannot read temporary or hidden folders. Or the first snap package. */
async function installedBrowser(machine: Machine): Promise<string | undefined> {
  let snap: string | undefined;
  for await (const path of candidates(machine)) {
    if (!(await isExecutable(path))) continue;
    if (!(await isSnap(path))) return path;
    snap ??= path;
  }
  return snap;
}

/** Paths in order of preference. A generator, so that the puppeteer packages are only loaded when PATH has no browser. */
async function* candidates({ env, home, platform, arch, systemChrome }: Machine): AsyncGenerator<string> {
  const onPath = (names: string[]) => names.flatMap((name) => candidatesOnPath(name, env, platform));
  const cache = env.PUPPETEER_CACHE_DIR || join(home, '.cache', 'puppeteer');
  yield* onPath(shellNames);
  yield* await puppeteerBrowsers(cache, 'chrome-headless-shell', platform, arch);
  yield* onPath(fullNames);
  const chrome = await systemChrome(platform, arch);
  if (chrome !== undefined) yield chrome;
  yield* otherBrowsers(env, home, platform);
  yield* await puppeteerBrowsers(cache, 'chrome', platform, arch);
}

/** Browsers that `npx puppeteer browsers install` has downloaded. */
async function puppeteerBrowsers(
  cache: string,
  browser: 'chrome' | 'chrome-headless-shell',
  platform: NodeJS.Platform,
  arch: string,
): Promise<string[]> {
  const exists = await statIfExists(join(cache, browser));
  if (!exists) return [];
  const { listCachedBrowsers } = await import('./puppeteerBrowsers.ts');
  return listCachedBrowsers(cache, browser, platform, arch);
}

/** Not on Linux: there, Chrome is on PATH, and the search would also start programs to look for a Chrome outside WSL. */
async function findSystemChrome(platform: NodeJS.Platform, arch: string): Promise<string | undefined> {
  if (platform !== 'darwin' && platform !== 'win32') return undefined;
  return (await import('./puppeteerBrowsers.ts')).systemChrome(platform, arch);
}

/** Paths that @puppeteer/browsers does not know: Chromium, Edge, and installations for one user. */
function otherBrowsers(env: NodeJS.ProcessEnv, home: string, platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') {
    const names = ['Google Chrome', 'Google Chrome for Testing', 'Chromium', 'Microsoft Edge'];
    const folders = ['/Applications', join(home, 'Applications')];
    return names.flatMap((name) => folders.map((folder) => join(folder, `${name}.app`, 'Contents', 'MacOS', name)));
  }
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((f) => f !== undefined);
    const tails = ['Chromium/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
    return tails.flatMap((tail) => folders.map((folder) => join(folder, ...tail.split('/'))));
  }
  return ['/opt/google/chrome/chrome', '/usr/lib/chromium/chromium', '/opt/microsoft/msedge/msedge'];
}

/** A snap, or the script of Ubuntu's chromium-browser package, which starts a snap. */
async function isSnap(path: string): Promise<boolean> {
  const real = await realpath(path);
  if (real.startsWith('/snap/') || basename(real) === 'snap') return true;
  const { size } = await stat(real);
  return size < 8192 && (await readFile(real, 'utf8')).includes('/snap/');
}

/**
 * The output of `--version`, such as `Chromium 153.0.8027.0`.
 * Throws UserError `browser_failed` when the browser does not start or does not print it within `timeoutMs` (default 20 s).
 */
export async function browserVersion(
  browser: { path: string; env: Record<string, string> },
  options: { timeoutMs?: number; signal?: AbortSignal; platform?: NodeJS.Platform; env: NodeJS.ProcessEnv },
): Promise<string> {
  const { timeoutMs = 20_000, signal, platform = process.platform, env } = options;
  // On Windows, `--version` opens a window. The version is the name of a folder next to the executable.
  if (platform === 'win32') {
    const names = await readdir(dirname(browser.path)).catch(() => []);
    return names.find((name) => /^\d+(\.\d+){3}$/.test(name)) ?? 'unknown version';
  }
  try {
    const { stdout } = await promisify(execFile)(browser.path, ['--version'], {
      env: { ...programEnv(env), ...browser.env },
      timeout: timeoutMs,
      ...(signal ? { signal } : {}),
    });
    return stdout.trim();
  } catch (error) {
    if (signal?.aborted) throw error;
    const { stderr = '', message } = error as Error & { stderr?: string };
    const reason = (stderr || message).trim().split('\n', 1).join('');
    throw new UserError('browser_failed', `The browser ${browser.path} did not start: ${reason}`, {
      hint: 'Install the missing libraries, or choose another browser with --browser.',
      cause: error,
    });
  }
}
