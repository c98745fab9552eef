// Which machine this is, as far as builds differ by it.
import type { ErrorDetails } from '../errors.ts';
import { buildFor, isBuild, type Machine, type Program } from './builds.ts';

/** What the C library is, only Node's own report says; asking takes some milliseconds. */
export function thisMachine(): Machine {
  const { platform, arch } = process;
  return { platform, arch, isMusl: platform === 'linux' && !reportHeader().glibcVersionRuntime };
}

function reportHeader(): { glibcVersionRuntime?: string } {
  // Otherwise the report waits for the names of network addresses.
  Object.assign(process.report, { excludeNetwork: true });
  return (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header;
}

/** For an error that `framework setup` mends: the program, and how many bytes are downloaded. Nothing where it cannot. */
export function downloadDetails(program: Program): { details?: ErrorDetails } {
  const build = buildFor(program, thisMachine());
  return isBuild(build) ? { details: { setup: program, bytes: build.bytes } } : {};
}
