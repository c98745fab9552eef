// The checks of `framework doctor`: everything that a render needs on this machine, with a fix for each problem.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { availableParallelism, homedir, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { probeCapture } from '../capture/capability.ts';
import { browserVersion, type FoundBrowser, findBrowser } from '../capture/findBrowser.ts';
import { systemFontFolders } from '../capture/fontsConf.ts';
import { UserError } from '../errors.ts';
import { areOnDemand, type FontsState, installedFonts, totalBytes } from '../fonts/installedFonts.ts';
import { isLibrary } from '../media/ffmpeg.ts';
import { type FoundFfmpeg, findFfmpeg } from '../media/findFfmpeg.ts';
import { cacheRoot } from '../project/cacheFolder.ts';
import { type Build, isBuild, type NoBuild, type Program } from '../setup/builds.ts';
import { findBuild } from '../setup/machine.ts';
import { isPinnedBrowser } from '../setup/pinnedEngine.ts';
import type { Diagnosis, DiagnosisRow } from './diagnosis.ts';
import { lackOfLibraries } from './installMissing.ts';

export type DiagnoseOptions = {
  browserPath?: string;
  ffmpegPath?: string;
  env: NodeJS.ProcessEnv;
  /** Do not warn about a browser that is not the pinned one. */
  anyBrowser?: boolean;
  probes?: Probes;
};

export type FolderState = { path: string; freeBytes: number } | { path: string; problem: string };

/** Functions that inspect the machine. Replaced in tests. */
export type Probes = {
  nodeVersion: string;
  browser: (path?: string) => Promise<FoundBrowser>;
  version: (found: FoundBrowser) => Promise<string>;
  capture: (found: FoundBrowser) => ReturnType<typeof probeCapture>;
  ffmpeg: (path?: string) => Promise<FoundFfmpeg>;
  folder: (path: string) => Promise<FolderState>;
  fonts: () => Promise<FontsState>;
  systemFonts: () => Promise<number>;
  machine: () => { cores: number; memoryBytes: number };
  /** Returns an error that names missing libraries, if they explain `message`, with which the browser failed to start. */
  libraries: (path: string, message: string) => Promise<UserError | undefined>;
  /** The build that `framework setup` would download. */
  build: (program: Program) => Promise<Build | NoBuild>;
};

const probesOf = (env: NodeJS.ProcessEnv): Probes => ({
  nodeVersion: process.versions.node,
  browser: (path) => findBrowser(path === undefined ? { env } : { env, path }),
  version: (found) => browserVersion(found, { env }),
  capture: (found) => probeCapture(found, env),
  ffmpeg: (path) => findFfmpeg(path === undefined ? { env } : { env, path }),
  folder: folderState,
  fonts: () => installedFonts({ env }),
  systemFonts: () => countFonts(env),
  // The memory limit of a container; 0 if there is none.
  machine: () => ({
    cores: availableParallelism(),
    memoryBytes: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
  }),
  libraries: lackOfLibraries,
  build: (program) => findBuild(program, env),
});

/** Checks this machine and starts the browser once. Does not throw for problems of the machine; the rows report them. */
export async function diagnose({
  browserPath,
  ffmpegPath,
  env,
  anyBrowser = false,
  probes = probesOf(env),
}: DiagnoseOptions): Promise<Diagnosis> {
  const [browser, ffmpeg, cache, temporary, fonts, systemFonts] = await Promise.all([
    browserRows({ path: browserPath, probes, env }, anyBrowser),
    ffmpegRows(ffmpegPath, probes, env),
    probes.folder(cacheRoot(env)),
    probes.folder(tmpdir()),
    probes.fonts(),
    probes.systemFonts(),
  ]);
  const rows = [
    nodeRow(probes.nodeVersion),
    ...browser.rows,
    ...ffmpeg,
    // Only a warning: only the embedded browser needs the cache, and the row of the browser reports that error.
    folderRow('cache folder', cache, 'warning', 'Set FRAMEWORK_CACHE to a folder with write permission.'),
    folderRow('temporary folder', temporary, 'missing', 'Set TMPDIR to a folder with write permission.'),
    fontsRow(fonts),
    systemFontsRow(systemFonts, browser.embedded),
    machineRow(probes.machine()),
  ];
  return { ok: rows.every(({ status }) => status !== 'missing'), rows };
}

function nodeRow(version: string): DiagnosisRow {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return good('Node.js', version);
  const fix = 'Install Node.js 20.19 or later from https://nodejs.org.';
  return { name: 'Node.js', status: 'missing', value: version, fix };
}

type BrowserRows = { rows: DiagnosisRow[]; embedded: boolean };

async function browserRows({ path, probes, env }: RemedyContext, anyBrowser: boolean): Promise<BrowserRows> {
  let found: FoundBrowser;
  try {
    found = await probes.browser(path);
  } catch (error) {
    return { rows: [await withRemedy(missing('browser', error), 'browser', { path, probes, env })], embedded: false };
  }
  const embedded = found.source === 'embedded';
  const where = `${found.path} (${sources[found.source]})`;
  try {
    const { path: capturePath, reason, version } = await probes.capture(found);
    const row = good('browser', `Chromium ${version}, ${where}`);
    const shown = anyBrowser || isPinnedBrowser(version) ? row : await unpinned(row, 'browser', { path, probes, env });
    return { rows: [shown, good('capture', `${capturePath}: ${reason}`)], embedded };
  } catch (error) {
    // The output of the browser, for example about a missing library, is more specific than the error of the driver.
    const reason = await probes
      .version(found)
      .then(() => error)
      .catch((own: unknown) => own);
    const lacking = await probes.libraries(found.path, reason instanceof Error ? reason.message : '');
    // Other browsers need the same libraries, so do not offer a download.
    if (lacking) return { rows: [missing('browser', lacking)], embedded };
    const row = missing('browser', reason, where);
    return { rows: [await withRemedy(row, 'browser', { path, probes, env, source: found.source })], embedded };
  }
}

const sources = {
  option: 'set by an option',
  'set-up': 'downloaded by framework setup',
  environment: 'from the environment',
  installed: 'installed',
  embedded: 'from the npm package',
};

async function ffmpegRows(path: string | undefined, probes: Probes, env: NodeJS.ProcessEnv): Promise<DiagnosisRow[]> {
  try {
    const found = await probes.ffmpeg(path);
    const row = good('ffmpeg', `${found.version}, ${found.path} (${sources[found.source]})`);
    const shown = isLibrary(found.path) ? row : await unpinned(row, 'ffmpeg', { path, probes, env });
    if (found.encoders.has('libx264')) return [shown, good('H.264 encoder', 'libx264')];
    const fix = 'Install an ffmpeg that was built with libx264, or set one with --ffmpeg or FRAMEWORK_FFMPEG.';
    const lacking: DiagnosisRow = {
      name: 'H.264 encoder',
      status: 'missing',
      value: 'this ffmpeg has no libx264',
      fix,
    };
    return [shown, await withRemedy(lacking, 'ffmpeg', { path, probes, env, source: found.source })];
  } catch (error) {
    return [await withRemedy(missing('ffmpeg', error), 'ffmpeg', { path, probes, env })];
  }
}

type RemedyContext = { path: string | undefined; probes: Probes; env: NodeJS.ProcessEnv; source?: string };

/** Adds the download, unless it would not help: requested programs take precedence, and a download exists already. */
async function withRemedy(
  row: DiagnosisRow,
  program: Program,
  { path, probes, env, source }: RemedyContext,
): Promise<DiagnosisRow> {
  const requested = path ?? (program === 'browser' ? env.FRAMEWORK_BROWSER : env.FRAMEWORK_FFMPEG);
  if (requested || source === 'set-up') return row;
  const build = await probes.build(program);
  if (!isBuild(build)) return { ...row, fix: build.hint };
  const { fix = '' } = row;
  const shown = fix.includes('framework setup')
    ? fix
    : `${fix} Or run "framework setup ${program}", which downloads one.`.trim();
  return { ...row, fix: shown, remedy: { program, bytes: build.bytes } };
}

/** Another version than the pinned one works, but frames can differ from those of other machines. */
async function unpinned(
  row: DiagnosisRow,
  program: Program,
  { path, probes, env }: RemedyContext,
): Promise<DiagnosisRow> {
  const fix = 'This is not the pinned version: frames can differ from those of other machines.';
  const requested = path ?? (program === 'browser' ? env.FRAMEWORK_BROWSER : env.FRAMEWORK_FFMPEG);
  const build = await probes.build(program);
  const warning = { ...row, status: 'warning', fix } as const;
  if (requested || !isBuild(build)) return warning;
  const offer = `Run "framework setup ${program}", which downloads the pinned one.`;
  return { ...warning, fix: `${fix} ${offer}`, remedy: { program, bytes: build.bytes } };
}

function good(name: string, value: string): DiagnosisRow {
  return { name, status: 'ok', value };
}

/** Uses the hint of a UserError, unless it refers to `framework doctor` itself. */
function missing(name: string, error: unknown, where?: string): DiagnosisRow {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof UserError ? error.hint : undefined;
  const fix = hint && !hint.includes('framework doctor') ? hint : `Choose another one with --${name} <path>.`;
  return { name, status: 'missing', value: where ? `${where}: ${message}` : message, fix };
}

function folderRow(name: string, state: FolderState, bad: 'warning' | 'missing', fix: string): DiagnosisRow {
  if ('problem' in state) return { name, status: bad, value: `${state.path}: ${state.problem}`, fix };
  const value = `${state.path}, ${(state.freeBytes / 1e9).toFixed(1)} GB free`;
  // With less space, a long render may fill the disk.
  if (state.freeBytes >= 1e9) return good(name, value);
  return { name, status: 'warning', value, fix: `Free up space on the disk of ${state.path}.` };
}

function fontsRow({ found, missing, hasNpm }: FontsState): DiagnosisRow {
  const all = found.length + missing.length;
  const sets = new Set(found.map(({ source }) => sources[source]));
  const where = `(${[...sets].join(', ')})`;
  if (missing.length === 0) return good('fonts', `${all} packages ${where}`);
  if (hasNpm && areOnDemand(missing))
    return good('fonts', `${found.length} packages ${where}; the other ${missing.length} are downloaded on first use`);
  const bytes = totalBytes(missing);
  const remedy = { remedy: { program: 'fonts' as const, bytes } };
  const value = `${found.length} of ${all} packages`;
  if (hasNpm) {
    const fix = 'The others are downloaded on first use. Or run "framework setup fonts" to download them now.';
    return { name: 'fonts', status: 'warning', value, fix, ...remedy };
  }
  const fix =
    'Install npm, which is part of Node.js (https://nodejs.org), and run "framework setup fonts". Or render with --system-fonts.';
  return { name: 'fonts', status: 'missing', value: `${value}, and no npm to download the others`, fix };
}

/** Only `--system-fonts` uses them. */
function systemFontsRow(count: number, embedded: boolean): DiagnosisRow {
  if (count > 0) return good('system fonts', `${count} installed (for --system-fonts)`);
  if (embedded) return good('system fonts', 'none installed (--system-fonts shows text in Open Sans)');
  return good('system fonts', 'none installed (with --system-fonts, text may be invisible)');
}

function machineRow({ cores, memoryBytes }: { cores: number; memoryBytes: number }): DiagnosisRow {
  const value = `${cores} ${cores === 1 ? 'core' : 'cores'}, ${(memoryBytes / 1e9).toFixed(1)} GB of memory`;
  if (memoryBytes >= 1.5e9) return good('machine', value);
  const fix = 'Give this machine 2 GB of memory, or render with --workers 1.';
  return { name: 'machine', status: 'warning', value, fix };
}

const problems: Record<string, string> = {
  EACCES: 'permission denied',
  ENOENT: 'it cannot be created',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
};

/** Creates the folder and a temporary folder in it, because permissions do not show whether the disk is read-only. */
async function folderState(path: string): Promise<FolderState> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await rm(await mkdtemp(join(path, 'framework-doctor-')), { recursive: true });
    const { bavail, bsize } = await statfs(path);
    return { path, freeBytes: bavail * bsize };
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    return { path, problem: problems[code] ?? code };
  }
}

/** Counts the fonts of fontconfig, which the browser also uses. Without fontconfig, counts font files. */
async function countFonts(env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)('fc-list', [':', 'file'], {
      env,
      timeout: 10_000,
      maxBuffer: 1 << 24,
    });
    return stdout.split('\n').filter((line) => line.trim() !== '').length;
  } catch {
    const list = (folder: string) => readdir(folder, { recursive: true }).catch(() => []);
    const lists = await Promise.all(fontFolders(env).map(list));
    return lists.flat().filter((name) => /\.(ttf|otf|ttc|otc|pfb|dfont)$/i.test(name)).length;
  }
}

function fontFolders(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'win32') return [join(env.SystemRoot ?? 'C:\\Windows', 'Fonts')];
  if (process.platform !== 'darwin') return systemFontFolders(homedir());
  return ['/System/Library/Fonts', '/Library/Fonts', join(homedir(), 'Library', 'Fonts')];
}
