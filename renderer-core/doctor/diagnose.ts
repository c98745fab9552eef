// Looks at everything a render needs of the machine and says, row by row, what is there and what to do about the rest.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { availableParallelism, homedir, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { probeCapture } from '../capture/capability.ts';
import { browserVersion, type FoundBrowser, findBrowser } from '../capture/findBrowser.ts';
import { systemFontFolders } from '../capture/fontsConf.ts';
import { UserError } from '../errors.ts';
import { type FoundFfmpeg, findFfmpeg, listEncoders } from '../media/findFfmpeg.ts';
import { cacheRoot } from '../project/cacheFolder.ts';
import { type Build, buildFor, isBuild, type NoBuild, type Program } from '../setup/builds.ts';
import { thisMachine } from '../setup/machine.ts';
import { lackOfLibraries } from './setUp.ts';

/** What `framework setup` would download instead: `bytes`, nearly. */
export type Remedy = { program: Program; bytes: number };

/** `fix` says what to do, in every row that is not ok; `remedy` is there where `framework setup` does it. */
export type DiagnosisRow = {
  name: string;
  status: 'ok' | 'warning' | 'missing';
  value: string;
  fix?: string;
  remedy?: Remedy;
};

/** `ok` is false when a render could not work: a row is missing. */
export type Diagnosis = { ok: boolean; rows: DiagnosisRow[] };

export type DiagnoseOptions = { browserPath?: string; ffmpegPath?: string; probes?: Probes };

export type FolderState = { path: string; freeBytes: number } | { path: string; problem: string };

/** How the machine is asked; replaced in tests. */
export type Probes = {
  nodeVersion: string;
  browser: (path?: string) => Promise<FoundBrowser>;
  version: (found: FoundBrowser) => Promise<string>;
  capture: typeof probeCapture;
  ffmpeg: (path?: string) => Promise<FoundFfmpeg>;
  encoders: (path: string) => Promise<Set<string>>;
  folder: (path: string) => Promise<FolderState>;
  fonts: () => Promise<number>;
  machine: () => { cores: number; memoryBytes: number };
  /** What a browser lacks that said this when it should have started. */
  libraries: (path: string, message: string) => Promise<UserError | undefined>;
  /** What could be downloaded. */
  build: (program: Program) => Build | NoBuild;
};

const realProbes: Probes = {
  nodeVersion: process.versions.node,
  browser: (path) => findBrowser(path === undefined ? {} : { path }),
  version: browserVersion,
  capture: probeCapture,
  ffmpeg: (path) => findFfmpeg(path === undefined ? {} : { path }),
  encoders: listEncoders,
  folder: folderState,
  fonts: countFonts,
  // A container may allow less memory than the machine has; 0 is no limit.
  machine: () => ({
    cores: availableParallelism(),
    memoryBytes: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
  }),
  libraries: lackOfLibraries,
  build: (program) => buildFor(program, thisMachine()),
};

/** Starts the browser once. Never throws for what it finds: that is what the rows are for. */
export async function diagnose(options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const probes = options.probes ?? realProbes;
  const [browser, ffmpeg, cache, temporary, fonts] = await Promise.all([
    browserRows(options.browserPath, probes),
    ffmpegRows(options.ffmpegPath, probes),
    probes.folder(cacheRoot()),
    probes.folder(tmpdir()),
    probes.fonts(),
  ]);
  const rows = [
    nodeRow(probes.nodeVersion),
    ...browser.rows,
    ...ffmpeg,
    // Without the cache only the browser of the npm package cannot be unpacked, and then its own row says so.
    folderRow('cache folder', cache, 'warning', 'Set FRAMEWORK_CACHE to a folder that you may write to.'),
    folderRow('temporary folder', temporary, 'missing', 'Set TMPDIR to a folder that you may write to.'),
    fontsRow(fonts, browser.embedded),
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

async function browserRows(path: string | undefined, probes: Probes): Promise<BrowserRows> {
  let found: FoundBrowser;
  try {
    found = await probes.browser(path);
  } catch (error) {
    return { rows: [withRemedy(missing('browser', error), 'browser', path, probes)], embedded: false };
  }
  const embedded = found.source === 'embedded';
  const where = `${found.path} (${sources[found.source]})`;
  try {
    const { path: way, reason, version } = await probes.capture(found);
    const rows = [good('browser', `${version.replace('/', ' ')}, ${where}`), good('capture', `${way}: ${reason}`)];
    return { rows, embedded };
  } catch (error) {
    // What the browser itself says, of a library that is missing perhaps, tells more than its driver does.
    const reason = await probes
      .version(found)
      .then(() => error)
      .catch((own: unknown) => own);
    const lacking = await probes.libraries(found.path, reason instanceof Error ? reason.message : '');
    // Another browser would lack the same.
    if (lacking) return { rows: [missing('browser', lacking)], embedded };
    return { rows: [withRemedy(missing('browser', reason, where), 'browser', path, probes, found.source)], embedded };
  }
}

const sources = {
  option: 'as asked',
  'set-up': 'downloaded by framework setup',
  environment: 'from the environment',
  installed: 'installed',
  embedded: 'from the npm package',
  'ffmpeg-static': 'from the npm package ffmpeg-static',
};

async function ffmpegRows(path: string | undefined, probes: Probes): Promise<DiagnosisRow[]> {
  try {
    const found = await probes.ffmpeg(path);
    const row = good('ffmpeg', `${found.version}, ${found.path} (${sources[found.source]})`);
    const encoders = await probes.encoders(found.path);
    if (encoders.has('libx264')) return [row, good('H.264 encoder', 'libx264')];
    const fix = 'Install an ffmpeg that was built with libx264, or name one with --ffmpeg or FRAMEWORK_FFMPEG.';
    const lacking: DiagnosisRow = {
      name: 'H.264 encoder',
      status: 'missing',
      value: 'this ffmpeg has no libx264',
      fix,
    };
    return [row, withRemedy(lacking, 'ffmpeg', path, probes, found.source)];
  } catch (error) {
    return [withRemedy(missing('ffmpeg', error), 'ffmpeg', path, probes)];
  }
}

/** One that was named goes before anything that is downloaded; one that was downloaded is there already. */
function withRemedy(
  row: DiagnosisRow,
  program: Program,
  path: string | undefined,
  probes: Probes,
  source?: string,
): DiagnosisRow {
  const named = path ?? (program === 'browser' ? process.env.FRAMEWORK_BROWSER : process.env.FRAMEWORK_FFMPEG);
  if (named || source === 'set-up') return row;
  const build = probes.build(program);
  if (!isBuild(build)) return { ...row, fix: build.hint };
  const { fix = '' } = row;
  const shown = fix.includes('framework setup')
    ? fix
    : `${fix} Or run "framework setup ${program}", which downloads one.`.trim();
  return { ...row, fix: shown, remedy: { program, bytes: build.bytes } };
}

function good(name: string, value: string): DiagnosisRow {
  return { name, status: 'ok', value };
}

/** A UserError brings its own way out, unless that leads here. */
function missing(name: string, error: unknown, where?: string): DiagnosisRow {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof UserError ? error.hint : undefined;
  const fix = hint && !hint.includes('framework doctor') ? hint : `Name another one with --${name} <path>.`;
  return { name, status: 'missing', value: where ? `${where}: ${message}` : message, fix };
}

function folderRow(name: string, state: FolderState, bad: 'warning' | 'missing', fix: string): DiagnosisRow {
  if ('problem' in state) return { name, status: bad, value: `${state.path}: ${state.problem}`, fix };
  const value = `${state.path}, ${(state.freeBytes / 1e9).toFixed(1)} GB free`;
  // With less, a long render may fill the disk.
  if (state.freeBytes >= 1e9) return good(name, value);
  return { name, status: 'warning', value, fix: `Free some space on the disk of ${state.path}.` };
}

/** The embedded browser brings a font of its own. */
function fontsRow(count: number, embedded: boolean): DiagnosisRow {
  if (count > 0) return good('fonts', `${count} installed`);
  if (embedded) return good('fonts', 'none installed; the browser of the npm package brings Open Sans');
  const fix =
    'Install fonts (Debian: apt-get install fonts-liberation fonts-noto-color-emoji), or bring web fonts in the project.';
  return { name: 'fonts', status: 'warning', value: 'none installed: text may not show', fix };
}

function machineRow({ cores, memoryBytes }: { cores: number; memoryBytes: number }): DiagnosisRow {
  const value = `${cores} ${cores === 1 ? 'core' : 'cores'}, ${(memoryBytes / 1e9).toFixed(1)} GB of memory`;
  if (memoryBytes >= 1.5e9) return good('machine', value);
  const fix = 'Give this machine 2 GB of memory, or render with --workers 1.';
  return { name: 'machine', status: 'warning', value, fix };
}

const problems: Record<string, string> = {
  EACCES: 'permission denied',
  ENOENT: 'it cannot be made',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
};

/** Writing is tried: permissions alone do not show a read-only disk. A cache that is not there yet is made, as a render would. */
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

/** Asks fontconfig, which the browser asks too; where it is not there, looks for the files. */
async function countFonts(): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)('fc-list', [':', 'file'], { timeout: 10_000, maxBuffer: 1 << 24 });
    return stdout.split('\n').filter((line) => line.trim() !== '').length;
  } catch {
    const list = (folder: string) => readdir(folder, { recursive: true }).catch(() => []);
    const lists = await Promise.all(fontFolders().map(list));
    return lists.flat().filter((name) => /\.(ttf|otf|ttc|otc|pfb|dfont)$/i.test(name)).length;
  }
}

function fontFolders(): string[] {
  if (process.platform === 'win32') return [join(process.env.SystemRoot ?? 'C:\\Windows', 'Fonts')];
  if (process.platform !== 'darwin') return systemFontFolders(homedir());
  return ['/System/Library/Fonts', '/Library/Fonts', join(homedir(), 'Library', 'Fonts')];
}
