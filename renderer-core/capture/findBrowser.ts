// Finds a browser to render with: the one asked for, the one set up, an installed one, or the one inside the npm package.
import { execFile } from 'node:child_process';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../errors.ts';
import { isExecutable, namedProgram, placesOnPath } from '../project/programs.ts';
import { downloadDetails } from '../setup/machine.ts';
import { setUpProgram } from '../setup/programsFolder.ts';
import { type EmbeddedBrowser, type EmbeddedBrowserOptions, embeddedBrowser } from './embeddedBrowser.ts';

export type FoundBrowser = {
  /** Absolute path of the executable. */
  path: string;
  source: 'option' | 'environment' | 'set-up' | 'installed' | 'embedded';
  /** To be added to the child's environment (shared libraries and fonts of the embedded browser). */
  env: Record<string, string>;
  /** What to call it when talking to the user. */
  name: string;
  /** A headless shell starts faster and can be driven frame by frame. */
  headlessShell: boolean;
};

export type FindBrowserOptions = {
  /** An explicit executable; an error if it cannot be run. */
  path?: string;
  env?: NodeJS.ProcessEnv;
  home?: string;
  platform?: NodeJS.Platform;
  arch?: string;
  signal?: AbortSignal;
  /** Replaced in tests: unpacking takes seconds. */
  embedded?: (options: EmbeddedBrowserOptions) => Promise<EmbeddedBrowser | undefined>;
};

const shellNames = ['chrome-headless-shell', 'chromium-headless-shell', 'headless_shell'];
const fullNames = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'microsoft-edge-stable'];
const installHint =
  'Run "framework setup browser", which downloads one; or install Chrome or Chromium, or name one with --browser or FRAMEWORK_BROWSER.';

/**
 * Order: `path`, `FRAMEWORK_BROWSER`, one that `framework setup` has put there, an installed headless shell, an installed
 * full browser, the embedded one. What was set up is there because nothing else on the machine could be used.
 * Throws UserError `browser_not_found`, or what unpacking the embedded one throws.
 */
export async function findBrowser(options: FindBrowserOptions = {}): Promise<FoundBrowser> {
  const { path, env = process.env, home = homedir(), platform = process.platform, arch = process.arch } = options;
  const asked = path ?? (env.FRAMEWORK_BROWSER || undefined);
  if (asked !== undefined) {
    const program = await namedProgram(asked, env, platform);
    if ('path' in program) return found(program.path, path === undefined ? 'environment' : 'option');
    const label = path === undefined ? 'FRAMEWORK_BROWSER' : '--browser';
    throw new UserError('browser_not_found', `The browser given by ${label} ${program.problem}`, {
      hint: `Give the path of a Chrome, Chromium or chrome-headless-shell executable, or leave ${label} out to have one found.`,
    });
  }

  const setUp = await setUpProgram('browser', { env, home, platform, arch });
  if (setUp !== undefined) return found(setUp, 'set-up');
  const { good, confined } = await installedBrowsers(env, home, platform);
  if (good !== undefined) return found(good, 'installed');
  const { signal, embedded = embeddedBrowser } = options;
  const unpacked = await embedded({ env, home, platform, arch, ...(signal ? { signal } : {}) });
  if (unpacked) return { ...unpacked, source: 'embedded', name: 'embedded Chromium', headlessShell: true };
  if (confined !== undefined) return found(confined, 'installed');
  throw new UserError('browser_not_found', 'No browser was found on this machine.', {
    hint: installHint,
    ...downloadDetails('browser'),
  });
}

function found(path: string, source: FoundBrowser['source']): FoundBrowser {
  const name = basename(path).replace(/\.exe$/i, '');
  return { path, source, env: {}, name, headlessShell: /headless[-_]shell/i.test(name) };
}

/** `confined`: a snap package, which cannot see temporary or hidden folders and so is the last resort. */
async function installedBrowsers(
  env: NodeJS.ProcessEnv,
  home: string,
  platform: NodeJS.Platform,
): Promise<{ good?: string; confined?: string }> {
  const places = [
    ...shellNames.flatMap((name) => placesOnPath(name, env, platform)),
    ...(await puppeteerCache(env, home, platform, 'chrome-headless-shell')),
    ...fullNames.flatMap((name) => placesOnPath(name, env, platform)),
    ...usualPlaces(env, home, platform),
    ...(await puppeteerCache(env, home, platform, 'chrome')),
  ];
  let confined: string | undefined;
  for (const place of places) {
    if (!(await isExecutable(place))) continue;
    if (!(await isSnap(place))) return { good: place };
    confined ??= place;
  }
  return confined === undefined ? {} : { confined };
}

function usualPlaces(env: NodeJS.ProcessEnv, home: string, platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') {
    const names = ['Google Chrome', 'Google Chrome for Testing', 'Chromium', 'Microsoft Edge'];
    const folders = ['/Applications', join(home, 'Applications')];
    return names.flatMap((name) => folders.map((folder) => join(folder, `${name}.app`, 'Contents', 'MacOS', name)));
  }
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((f) => f !== undefined);
    const tails = [
      'Google/Chrome/Application/chrome.exe',
      'Chromium/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
    ];
    return tails.flatMap((tail) => folders.map((folder) => join(folder, ...tail.split('/'))));
  }
  return ['/opt/google/chrome/chrome', '/usr/lib/chromium/chromium', '/opt/microsoft/msedge/msedge'];
}

/** What `npx puppeteer browsers install` leaves: <cache>/<browser>/<platform>-<version>/<folder>/<executable>. */
async function puppeteerCache(
  env: NodeJS.ProcessEnv,
  home: string,
  platform: NodeJS.Platform,
  browser: string,
): Promise<string[]> {
  const root = join(env.PUPPETEER_CACHE_DIR || join(home, '.cache', 'puppeteer'), browser);
  const builds = (await readdir(root).catch(() => [])).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const paths: string[] = [];
  for (const build of builds) {
    for (const folder of await readdir(join(root, build)).catch(() => [])) {
      paths.push(join(root, build, folder, platform === 'win32' ? `${browser}.exe` : browser));
    }
  }
  return paths;
}

/** A snap, or the small script with which Ubuntu's chromium-browser package points at one. */
async function isSnap(path: string): Promise<boolean> {
  const real = await realpath(path);
  if (real.startsWith('/snap/') || basename(real) === 'snap') return true;
  const { size } = await stat(real);
  return size < 8192 && (await readFile(real, 'utf8')).includes('/snap/');
}

/**
 * The browser's own account of itself, such as `Chromium 153.0.8027.0`.
 * Throws UserError `browser_failed` when it cannot be started or does not answer in `timeoutMs` (default 20 s).
 */
export async function browserVersion(
  browser: { path: string; env: Record<string, string> },
  options: { timeoutMs?: number; signal?: AbortSignal; platform?: NodeJS.Platform } = {},
): Promise<string> {
  const { timeoutMs = 20_000, signal, platform = process.platform } = options;
  // On Windows `--version` opens a window instead of printing; the version is the name of a folder beside the program.
  if (platform === 'win32') {
    const names = await readdir(dirname(browser.path)).catch(() => []);
    return names.find((name) => /^\d+(\.\d+){3}$/.test(name)) ?? 'unknown version';
  }
  try {
    const { stdout } = await promisify(execFile)(browser.path, ['--version'], {
      env: { ...process.env, ...browser.env },
      timeout: timeoutMs,
      ...(signal ? { signal } : {}),
    });
    return stdout.trim();
  } catch (error) {
    if (signal?.aborted) throw error;
    const { stderr = '', message } = error as Error & { stderr?: string };
    const reason = (stderr || message).trim().split('\n')[0];
    throw new UserError('browser_failed', `The browser ${browser.path} did not start: ${reason}`, {
      hint: 'Install the libraries it asks for, or name another browser with --browser.',
      cause: error,
    });
  }
}
