// The work of `framework setup`: finds the browser, ffmpeg and fonts, downloads those that are missing or unusable, and tests them.
import { resolve } from 'node:path';
import { probeCapture } from '../capture/capability.ts';
import { browserVersion, findBrowser } from '../capture/findBrowser.ts';
import { UserError } from '../errors.ts';
import { setUpFonts } from '../fonts/installedFonts.ts';
import { isLibrary } from '../media/ffmpeg.ts';
import { describe, findFfmpeg } from '../media/findFfmpeg.ts';
import { folderBytes } from '../project/folderBytes.ts';
import { type Build, isBuild, type Machine, type NoBuild, type Program, type SetupPart } from '../setup/builds.ts';
import { libraryHint, libraryIn, missingLibraries, osRelease } from '../setup/libraries.ts';
import { findBuild, mirrorsOf, thisMachine } from '../setup/machine.ts';
import { folderName, programsFolder } from '../setup/programsFolder.ts';
import type { SetUpReport, SetUpRow, SetupEvent } from '../setup/setupReport.ts';

export type SetUpRequest = {
  which: readonly SetupPart[];
  /** Folder for the programs; fonts are in the cache. Default: see `programsFolder`. */
  into?: string;
  /** Download again even if a working program exists. */
  force?: boolean;
  /** Only report what would be downloaded. */
  dryRun?: boolean;
  env: NodeJS.ProcessEnv;
  /** Milliseconds, for the elapsed and the remaining time. */
  now: () => number;
  machine?: Machine;
  signal?: AbortSignal;
  onEvent?: (event: SetupEvent) => void;
};

/**
 * Continues with the others if one fails. Throws the first UserError: `download_failed`, `disk_full`,
 * `output_unwritable`, `browser_not_found` or `ffmpeg_not_found` (no build for this machine), `browser_failed` (missing
 * libraries), `ffmpeg_failed`, `cancelled`.
 */
export async function setUp({
  env: given,
  now,
  machine = thisMachine(),
  ...request
}: SetUpRequest): Promise<SetUpReport> {
  const startedAt = now();
  const { signal } = request;
  const folder = request.into === undefined ? programsFolder(given) : resolve(request.into);
  // So that the search finds programs in this folder.
  const env = { ...given, FRAMEWORK_PROGRAMS_DIR: folder };
  const rows: SetUpRow[] = [];
  const failures: UserError[] = [];
  for (const part of request.which) {
    try {
      const one = { ...request, env, now, folder, machine };
      rows.push(part === 'fonts' ? await setUpFonts(one) : await setUpOne(part, one));
    } catch (error) {
      if (signal?.aborted || !(error instanceof UserError) || error.code === 'cancelled') throw error;
      failures.push(error);
    }
  }
  if (failures[0]) throw failures[0];
  return { folder, programs: rows, elapsedMs: Math.round(now() - startedAt) };
}

type ProgramRequest = SetUpRequest & {
  env: NodeJS.ProcessEnv;
  now: () => number;
  folder: string;
  machine: Machine;
};

async function setUpOne(program: Program, request: ProgramRequest): Promise<SetUpRow> {
  const { env, folder, machine, signal, onEvent } = request;
  onEvent?.({ type: 'stage', message: `Looking for ${program === 'browser' ? 'a browser' : 'ffmpeg'}` });
  const build = await findBuild(program, env, machine);
  const existing = await findUsable(program, env, signal);
  if (existing.found && !request.force && !isReplaced(existing.found, build, request))
    return { ...present(program), ...existing.found };
  if (!isBuild(build)) {
    const code = program === 'browser' ? 'browser_not_found' : 'ffmpeg_not_found';
    throw new UserError(code, build.reason, { hint: build.hint });
  }
  // A requested program takes precedence over a downloaded one, so a download would not help.
  const requested = program === 'browser' ? env.FRAMEWORK_BROWSER : env.FRAMEWORK_FFMPEG;
  if (!existing.found && requested) throw existing.problem;
  // A new download of the same build would lack the same libraries.
  if (!existing.found && !request.force && existing.lacksLibraries?.includes(buildFolder(build, request)))
    throw existing.problem;
  const { name, bytes, unpackedBytes: diskBytes } = build;
  if (request.dryRun) return { program, status: 'planned', name, path: null, source: null, bytes, diskBytes };
  // Loaded only when needed, because the download code is large.
  const { installBuild } = await import('../setup/install.ts');
  const installed = await installBuild(build, {
    into: folder,
    machine,
    env,
    isMirror: mirrorsOf(env)[program] !== undefined,
    now: request.now,
    force: request.force === true,
    ...(signal ? { signal } : {}),
    ...(onEvent ? { onEvent } : {}),
    async check(path) {
      if (program === 'browser') return checkBrowser(path, env, signal);
      requireH264(path, (await describe(path, { env }, signal)).encoders);
    },
  });
  const after = await findUsable(program, env, signal);
  if (!after.found) throw after.problem;
  const taken = { name, path: installed.path, source: 'set-up', diskBytes: await folderBytes(installed.folder) };
  return { program, ...taken, status: installed.isNew ? 'downloaded' : 'present', bytes: installed.isNew ? bytes : 0 };
}

const present = (program: Program) => ({ program, status: 'present', bytes: 0, diskBytes: 0 }) as const;

type Found = { name: string; path: string; source: string };
/** `lacksLibraries`: the path of a downloaded browser that only needs system libraries. */
type Existing = { found: Found } | { found?: never; problem: UserError; lacksLibraries?: string };

const buildFolder = (build: Build, { machine }: ProgramRequest): string =>
  folderName(build.program, build.version, machine.platform, machine.arch);

/**
 * Whether the pinned build is downloaded although another program works: an installed one, or one that `framework setup` of
 * another version has downloaded. Libraries are always of this version.
 */
function isReplaced(found: Found, build: Build | NoBuild, request: ProgramRequest): boolean {
  if (!isBuild(build) || isLibrary(found.path)) return false;
  if (found.source !== 'set-up') return found.source === 'installed';
  return found.path.startsWith(request.folder) && !found.path.includes(buildFolder(build, request));
}

/** The program that a render would use, or why it cannot be used. */
async function findUsable(
  program: Program,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<Existing> {
  const options = { env, ...(signal ? { signal } : {}) };
  try {
    if (program === 'browser') {
      const found = await findBrowser(options);
      return await tryBrowser(found, env);
    }
    const { path, source, version, encoders } = await findFfmpeg(options);
    requireH264(path, encoders);
    return { found: { name: `ffmpeg ${version}`, path, source } };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UserError) return { problem: error };
    throw error;
  }
}

async function tryBrowser(found: Awaited<ReturnType<typeof findBrowser>>, env: NodeJS.ProcessEnv): Promise<Existing> {
  const { path, source } = found;
  try {
    const { version } = await probeCapture(found, env);
    return { found: { name: `Chromium ${version}`, path, source } };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const problem = await lackOfLibraries(path, error.message);
    if (!problem) return { problem: error };
    return { problem, ...(source === 'set-up' ? { lacksLibraries: path } : {}) };
  }
}

/** An error with the system libraries that a browser needs and the command that installs them; undefined if none is missing. */
export async function lackOfLibraries(path: string, message: string): Promise<UserError | undefined> {
  const lacking = await lackingLibraries(path, message);
  if (lacking.length === 0) return undefined;
  const text = `The browser ${path} does not start because of missing system libraries: ${lacking.join(', ')}.`;
  return new UserError('browser_failed', text, { hint: libraryHint(lacking, await osRelease()) });
}

async function lackingLibraries(path: string, message: string): Promise<string[]> {
  const all = await missingLibraries(path);
  const named = libraryIn(message);
  return all.length > 0 || named === undefined ? all : [named];
}

/** Accepts a browser that lacks libraries: the user has to install them, and another download does not help. */
async function checkBrowser(path: string, env: NodeJS.ProcessEnv, signal: AbortSignal | undefined): Promise<void> {
  try {
    await browserVersion({ path, env: {} }, { env, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (error instanceof UserError && (await lackingLibraries(path, error.message)).length > 0) return;
    throw error;
  }
}

function requireH264(path: string, encoders: ReadonlySet<string>): void {
  if (encoders.has('libx264')) return;
  throw new UserError('ffmpeg_failed', `The ffmpeg ${path} was built without libx264, which encodes H.264.`, {
    hint: 'Run "framework setup ffmpeg", or choose another one with --ffmpeg or FRAMEWORK_FFMPEG.',
  });
}
