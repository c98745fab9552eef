// Detects the machine, to choose a build.
import type { ErrorDetails } from '../errors.ts';
import { buildFor, isBuild, type Machine, type Program } from './builds.ts';

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

/** Error details for clients that offer `framework setup`: the program and the size of its download, if there is a build. */
export function downloadDetails(program: Program): { details?: ErrorDetails } {
  const build = buildFor(program, thisMachine());
  return isBuild(build) ? { details: { setup: program, bytes: build.bytes } } : {};
}
