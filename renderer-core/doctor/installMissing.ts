// Brings what a machine lacks for a render: looks at what is there, downloads what is missing or cannot be used, tries it.
import { resolve } from 'node:path';
import { probeCapture } from '../capture/capability.ts';
import { browserVersion, findBrowser } from '../capture/findBrowser.ts';
import { UserError } from '../errors.ts';
import { ffmpegVersion, findFfmpeg, listEncoders } from '../media/findFfmpeg.ts';
import { type Build, buildFor, isBuild, type Machine, type Mirrors, type Program } from '../setup/builds.ts';
import type { SetUpEvent } from '../setup/install.ts';
import { libraryHint, libraryIn, missingLibraries, osRelease } from '../setup/libraries.ts';
import { thisMachine } from '../setup/machine.ts';
import { folderBytes, folderName, programsFolder } from '../setup/programsFolder.ts';

export type SetUpRequest = {
  which: readonly Program[];
  /** Folder for the programs; default: see `programsFolder`. */
  into?: string;
  /** Download again what is there and works. */
  force?: boolean;
  /** Say what would be downloaded, and download nothing. */
  dryRun?: boolean;
  env?: NodeJS.ProcessEnv;
  machine?: Machine;
  signal?: AbortSignal;
  onEvent?: (event: SetUpEvent) => void;
};

/**
 * `present`: something that works was found, at `path`. `downloaded`: it is at `path` now. `planned`: only a dry run.
 * `bytes` is what is downloaded, nearly, or 0; `diskBytes` what it takes on the disk.
 */
export type SetUpRow = {
  program: Program;
  status: 'present' | 'downloaded' | 'planned';
  name: string;
  path: string | null;
  /** Where a present one comes from, as `framework doctor` has it. */
  source: string | null;
  bytes: number;
  diskBytes: number;
};

export type SetUpReport = { folder: string; programs: SetUpRow[]; elapsedMs: number };

/**
 * Tries all that was asked for, also when one of them fails. Throws the first UserError: `download_failed`, `disk_full`,
 * `output_unwritable`, `browser_not_found` or `ffmpeg_not_found` (there is none to download), `browser_failed` (it lacks
 * libraries), `ffmpeg_failed`, `cancelled`.
 */
export async function setUp(request: SetUpRequest): Promise<SetUpReport> {
  const startedAt = performance.now();
  const { env: given = process.env, signal } = request;
  const folder = request.into === undefined ? programsFolder(given) : resolve(request.into);
  // What is put there has to be found there.
  const env = { ...given, FRAMEWORK_PROGRAMS_DIR: folder };
  const rows: SetUpRow[] = [];
  const failures: UserError[] = [];
  for (const program of request.which) {
    try {
      rows.push(await setUpOne(program, { ...request, env, folder, machine: request.machine ?? thisMachine() }));
    } catch (error) {
      if (signal?.aborted || !(error instanceof UserError) || error.code === 'cancelled') throw error;
      failures.push(error);
    }
  }
  if (failures[0]) throw failures[0];
  return { folder, programs: rows, elapsedMs: Math.round(performance.now() - startedAt) };
}

/** Base URLs that take the publishers' place. */
export function mirrorsOf(env: NodeJS.ProcessEnv): Partial<Mirrors> {
  const { FRAMEWORK_BROWSER_MIRROR: browser, FRAMEWORK_FFMPEG_MIRROR: ffmpeg } = env;
  return { ...(browser ? { browser } : {}), ...(ffmpeg ? { ffmpeg } : {}) };
}

type One = SetUpRequest & { env: NodeJS.ProcessEnv; folder: string; machine: Machine };

async function setUpOne(program: Program, one: One): Promise<SetUpRow> {
  const { env, folder, machine, signal, onEvent } = one;
  onEvent?.({ type: 'stage', message: `Looking for ${program === 'browser' ? 'a browser' : 'ffmpeg'}` });
  const mirrors = mirrorsOf(env);
  const build = buildFor(program, machine, mirrors);
  const seen = await look(program, env, signal);
  if (seen.found && !one.force && !isOutdated(seen.found, build, one)) return { ...present(program), ...seen.found };
  if (!isBuild(build)) {
    const code = program === 'browser' ? 'browser_not_found' : 'ffmpeg_not_found';
    throw new UserError(code, build.reason, { hint: build.hint });
  }
  // What was named goes before anything that is downloaded.
  const named = program === 'browser' ? env.FRAMEWORK_BROWSER : env.FRAMEWORK_FFMPEG;
  if (!seen.found && named) throw seen.problem;
  // Another download of the same would lack the same libraries.
  if (!seen.found && !one.force && seen.lacksLibraries?.includes(buildFolder(build, one))) throw seen.problem;
  const { name, bytes, unpackedBytes: diskBytes } = build;
  if (one.dryRun) return { program, status: 'planned', name, path: null, source: null, bytes, diskBytes };
  // What downloads is large, and only loaded where it has to.
  const { installBuild } = await import('../setup/install.ts');
  const installed = await installBuild(build, {
    into: folder,
    machine,
    env,
    isMirror: mirrors[program] !== undefined,
    force: one.force === true,
    ...(signal ? { signal } : {}),
    ...(onEvent ? { onEvent } : {}),
    check: (path) => (program === 'browser' ? checkBrowser(path, signal) : checkFfmpeg(path, signal)),
  });
  const after = await look(program, env, signal);
  if (!after.found) throw after.problem;
  const taken = { name, path: installed.path, source: 'set-up', diskBytes: await folderBytes(installed.folder) };
  return { program, ...taken, status: installed.isNew ? 'downloaded' : 'present', bytes: installed.isNew ? bytes : 0 };
}

const present = (program: Program) => ({ program, status: 'present', bytes: 0, diskBytes: 0 }) as const;

type Found = { name: string; path: string; source: string };
/** `lacksLibraries`: the path of a browser that only lacks some. */
type Seen = { found: Found } | { found?: never; problem: UserError; lacksLibraries?: string };

const buildFolder = (build: Build, { machine }: One): string =>
  folderName(build.program, build.version, machine.platform, machine.arch);

/** Set up by an earlier version of this program. */
function isOutdated(found: Found, build: ReturnType<typeof buildFor>, one: One): boolean {
  if (found.source !== 'set-up' || !isBuild(build)) return false;
  return found.path.startsWith(one.folder) && !found.path.includes(buildFolder(build, one));
}

/** What a render would take, and whether it can be used. */
async function look(program: Program, env: NodeJS.ProcessEnv, signal: AbortSignal | undefined): Promise<Seen> {
  const options = { env, ...(signal ? { signal } : {}) };
  try {
    if (program === 'browser') {
      const found = await findBrowser(options);
      return await tryBrowser(found);
    }
    const { path, source, version } = await findFfmpeg(options);
    await checkFfmpeg(path, signal);
    return { found: { name: `ffmpeg ${version}`, path, source } };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UserError) return { problem: error };
    throw error;
  }
}

async function tryBrowser(found: Awaited<ReturnType<typeof findBrowser>>): Promise<Seen> {
  const { path, source } = found;
  try {
    const { version } = await probeCapture(found);
    return { found: { name: version.replace('/', ' '), path, source } };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const problem = await lackOfLibraries(path, error.message);
    if (!problem) return { problem: error };
    return { problem, ...(source === 'set-up' ? { lacksLibraries: path } : {}) };
  }
}

/** What a browser that does not start lacks of this system, with the command that installs it; undefined: it is not that. */
export async function lackOfLibraries(path: string, message: string): Promise<UserError | undefined> {
  const lacking = await lackingLibraries(path, message);
  if (lacking.length === 0) return undefined;
  const text = `The browser ${path} does not start: this system lacks ${lacking.join(', ')}.`;
  return new UserError('browser_failed', text, { hint: libraryHint(lacking, await osRelease()) });
}

async function lackingLibraries(path: string, message: string): Promise<string[]> {
  const all = await missingLibraries(path);
  const named = libraryIn(message);
  return all.length > 0 || named === undefined ? all : [named];
}

/** Lets a browser pass that lacks libraries: installing those mends it, and downloading it again does not. */
async function checkBrowser(path: string, signal: AbortSignal | undefined): Promise<void> {
  try {
    await browserVersion({ path, env: {} }, signal ? { signal } : {});
  } catch (error) {
    if (error instanceof UserError && (await lackingLibraries(path, error.message)).length > 0) return;
    throw error;
  }
}

async function checkFfmpeg(path: string, signal: AbortSignal | undefined): Promise<void> {
  await ffmpegVersion(path, signal);
  if ((await listEncoders(path, signal)).has('libx264')) return;
  throw new UserError('ffmpeg_failed', `The ffmpeg ${path} was built without libx264, which encodes H.264.`, {
    hint: 'Run "framework setup ffmpeg", or name another one with --ffmpeg or FRAMEWORK_FFMPEG.',
  });
}
