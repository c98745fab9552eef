// Unpacks the programs in the code of the function into the cache, where the renderer finds them.
import { unpackBrowser } from '../renderer-core/capture/embeddedBrowser.ts';
import { embeddedLibrary } from '../renderer-core/media/embeddedLibrary.ts';
import { cacheRoot } from '../renderer-core/project/cacheFolder.ts';
import { findPackage } from '../renderer-core/project/packageFolder.ts';
import { ffmpegPackage } from '../renderer-core/setup/ffmpegPackages.ts';
import type { Task } from './execution.ts';

/** Unpacks what the step needs, unless it is unpacked. An error is ignored: the step unpacks again, and reports it. */
export async function unpackPrograms(step: Task['step']): Promise<void> {
  await Promise.allSettled([unpackFfmpeg(), step === 'assemble' ? undefined : unpackBrowser()]);
}

async function unpackFfmpeg(): Promise<void> {
  const libraries = await findPackage(ffmpegPackage('linux', 'x64'));
  if (libraries) await embeddedLibrary(libraries, cacheRoot());
}
