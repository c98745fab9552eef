// Detects the machine, to choose a build.
import type { ErrorDetails } from '../errors.ts';
import { type Build, buildFor, isBuild, type Machine, type Mirrors, type NoBuild, type Program } from './builds.ts';
import { findNpm } from './npm.ts';

/** Takes some milliseconds on Linux: only Node's diagnostic report names the C library. */
export function thisMachine(): Machine {
  const { platform, arch } = process;
  return { platform, arch, isMusl: platform === 'linux' && !reportHeader().glibcVersionRuntime };
}

function reportHeader(): { glibcVersionRuntime?: string } {
  // Otherwise the report waits for reverse DNS lookups.
  Object.assign(process.report, { excludeNetwork: true });
  return (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header;
}

/** Base URLs that replace those of the publishers. */
export function mirrorsOf(env: NodeJS.ProcessEnv): Partial<Mirrors> {
  const { FRAMEWORK_BROWSER_MIRROR: browser, FRAMEWORK_FFMPEG_MIRROR: ffmpeg } = env;
  return { ...(browser ? { browser } : {}), ...(ffmpeg ? { ffmpeg } : {}) };
}

/** The build that `framework setup` downloads. */
export async function findBuild(
  program: Program,
  env: NodeJS.ProcessEnv,
  machine: Machine = thisMachine(),
): Promise<Build | NoBuild> {
  return buildFor(program, machine, mirrorsOf(env), await findNpm(env, machine.platform));
}

/** Error details for clients that offer `framework setup`: the program and the size of its download, if there is a build. */
export async function downloadDetails(program: Program, env: NodeJS.ProcessEnv): Promise<{ details?: ErrorDetails }> {
  const build = await findBuild(program, env);
  return isBuild(build) ? { details: { setup: program, bytes: build.bytes } } : {};
}
