// Finds ffmpeg: a requested one, the pinned one, or another one that is on the machine.

import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../errors.ts';
import { cacheRoot } from '../project/cacheFolder.ts';
import { findPackage } from '../project/packageFolder.ts';
import { programEnv } from '../project/programEnv.ts';
import { candidatesOnPath, isExecutable, resolveProgram } from '../project/programs.ts';
import { ffmpegPackage, ffmpegPackageVersion } from '../setup/ffmpegPackages.ts';
import { downloadDetails } from '../setup/machine.ts';
import { findSetupProgram } from '../setup/programsFolder.ts';
import { embeddedLibrary, keptDescription } from './embeddedLibrary.ts';
import { type Ffmpeg, ffmpegCommand, isLibrary } from './ffmpeg.ts';

export type FfmpegSource = 'option' | 'environment' | 'set-up' | 'installed' | 'embedded';

/** `path`: of the executable, or of the libraries of node-av. Absolute. */
export type FoundFfmpeg = Ffmpeg & {
  source: FfmpegSource;
  /** The version that ffmpeg prints: `7.1` or `N-92722-gf22fcd4483`. */
  version: string;
  /** Names of the encoders that it was built with: `libx264`, `libvpx-vp9`, `prores_ks`, ... */
  encoders: ReadonlySet<string>;
};

export type FindFfmpegOptions = {
  /** An explicit executable; an error if it does not start. */
  path?: string;
  env: NodeJS.ProcessEnv;
  home?: string;
  platform?: NodeJS.Platform;
  arch?: string;
  signal?: AbortSignal;
  /** Replaced in tests. */
  packages?: typeof findPackage;
};

type Candidate = { path: string; source: FfmpegSource };

const run = promisify(execFile);

const installHint = () =>
  'Run "framework setup ffmpeg" to download it, install ffmpeg (https://ffmpeg.org/download.html), or pass its path with --ffmpeg or FRAMEWORK_FFMPEG.';

/**
 * Order: `path`, `FRAMEWORK_FFMPEG`, the pinned libraries (downloaded by `framework setup`, or of the npm package), another one
 * that `framework setup` has downloaded, PATH. Candidates that do not start are skipped. Throws UserError `ffmpeg_not_found`, or
 * `ffmpeg_failed` when the first two cannot be used or a candidate is killed.
 */
export async function findFfmpeg(options: FindFfmpegOptions): Promise<FoundFfmpeg> {
  const { path, env, platform = process.platform, signal } = options;
  const explicit = path ?? (env.FRAMEWORK_FFMPEG || undefined);
  if (explicit !== undefined) {
    const program = isLibrary(explicit) ? { path: resolve(explicit) } : await resolveProgram(explicit, env, platform);
    const source = path === undefined ? 'environment' : 'option';
    if ('path' in program) return { ...program, source, ...(await describe(program.path, options, signal)) };
    const label = path === undefined ? 'FRAMEWORK_FFMPEG' : '--ffmpeg';
    throw new UserError('ffmpeg_not_found', `the ffmpeg passed with ${label} ${program.problem}`, {
      hint: `Pass the path of an ffmpeg executable, or omit ${label} to search for one.`,
    });
  }

  const failures: string[] = [];
  for await (const candidate of candidates(options)) {
    try {
      return { ...candidate, ...(await describe(candidate.path, options, signal)) };
    } catch (error) {
      if (!(error instanceof UserError) || wasKilled(error)) throw error;
      failures.push(error.message);
    }
  }
  if (failures.length === 0) {
    throw new UserError('ffmpeg_not_found', 'ffmpeg was not found on this machine', {
      hint: installHint(),
      ...(await downloadDetails('ffmpeg', env)),
    });
  }
  throw new UserError(
    'ffmpeg_not_found',
    `none of the ffmpeg programs on this machine can be used: ${failures.join('; ')}`,
    {
      hint: installHint(),
      ...(await downloadDetails('ffmpeg', env)),
    },
  );
}

/**
 * Whether the program was ended from outside, because memory is short, or took too long on a busy machine. It is not skipped then:
 * another ffmpeg would encode other bytes.
 */
function wasKilled({ cause }: UserError): boolean {
  const { signal, killed } = (cause ?? {}) as { signal?: unknown; killed?: unknown };
  return signal === 'SIGKILL' || killed === true;
}

async function* candidates(options: FindFfmpegOptions): AsyncGenerator<Candidate> {
  const { env, home = homedir(), platform = process.platform, arch = process.arch } = options;
  const { packages = findPackage } = options;

  const downloadedBySetup = await findSetupProgram('ffmpeg', { env, home, platform, arch });
  const bySetup: Candidate[] = downloadedBySetup === undefined ? [] : [{ path: downloadedBySetup, source: 'set-up' }];
  yield* bySetup.filter(({ path }) => isLibrary(path));

  const libraries = await packages(ffmpegPackage(platform, arch));
  if (libraries?.version === ffmpegPackageVersion)
    yield { path: await embeddedLibrary(libraries, cacheRoot(env, home), options.signal), source: 'embedded' };

  yield* bySetup.filter(({ path }) => !isLibrary(path));
  for (const path of candidatesOnPath('ffmpeg', env, platform)) {
    if (await isExecutable(path)) yield { path, source: 'installed' };
  }
}

/** Throws UserError `ffmpeg_failed` if it does not start. */
export async function describe(
  path: string,
  { env, home }: Pick<FindFfmpegOptions, 'env' | 'home'>,
  signal?: AbortSignal,
): Promise<Pick<FoundFfmpeg, 'env' | 'version' | 'encoders'>> {
  const own = programEnv(env);
  // Programs print their version in front of every list.
  const ask = () => output({ path, env: own }, ['-encoders'], signal);
  const text = isLibrary(path) ? await keptDescription(path, cacheRoot(env, home), ask) : await ask();
  return { env: own, version: versionIn(text, path), encoders: encodersIn(text) };
}

function versionIn(text: string, path: string): string {
  const version = /^ffmpeg version (\S+)/m.exec(text)?.[1];
  if (version !== undefined) return version;
  throw new UserError('ffmpeg_failed', `${path} is not ffmpeg: it does not print a version`, {
    hint: installHint(),
  });
}

function encodersIn(text: string): ReadonlySet<string> {
  const names = [...text.matchAll(/^ [VAS][A-Z.]{5} (\S+)/gm)].map((match) => match[1] ?? '');
  return new Set(names.filter((name) => name !== '='));
}

/** The pixel formats that an encoder supports: `yuv420p`, `yuv420p10le`, ... */
export async function listPixelFormats(ffmpeg: Ffmpeg, encoder: string, signal?: AbortSignal): Promise<Set<string>> {
  const text = await output(ffmpeg, ['-h', `encoder=${encoder}`, '-hide_banner'], signal);
  return new Set(/Supported pixel formats: (.*)/.exec(text)?.[1]?.trim().split(/\s+/));
}

async function output({ path, env }: Ffmpeg, args: string[], signal?: AbortSignal): Promise<string> {
  try {
    const { stdout, stderr } = await run(...ffmpegCommand(path, args), {
      timeout: 20_000,
      maxBuffer: 1 << 24,
      env,
      ...(signal ? { signal } : {}),
    });
    return stderr + stdout;
  } catch (error) {
    if (signal?.aborted) throw error;
    const { stderr = '', message } = error as Error & { stderr?: string };
    const text = (stderr || message).trim();
    // Node starts with a line of source code when a library cannot be loaded.
    const reason = /^Error: (.*)/m.exec(text)?.[1] ?? text.split('\n', 1).join('');
    throw new UserError('ffmpeg_failed', `${path} did not start: ${reason}`, {
      hint: installHint(),
      cause: error,
    });
  }
}
