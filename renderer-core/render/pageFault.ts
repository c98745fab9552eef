// What went wrong in a page, in the author's terms: which file, which line, what to do.
import type { CapturePage } from '../capture/capturePage.ts';
import { UserError } from '../errors.ts';
import { sourceFileOf } from '../plan/sourceFiles.ts';
import { type LineShift, lineBefore } from '../plan/textEdits.ts';
import type { RemoteAssets } from '../project/remoteAssets.ts';
import type { ProjectServer } from '../project/server.ts';
import { brokenFault, missingFault, unloadedFault } from './assetFaults.ts';
import type { PreparedRender } from './prepare.ts';
import type { RemotePictures } from './remotePictures.ts';

/** `shifts`: what embedded files have made of the entry's lines. */
type Services = { server: ProjectServer; remote: RemoteAssets; pictures: RemotePictures; shifts: LineShift[] };

/** The first thing that makes the page's frames wrong: a file that cannot be had or used, or an exception in a script. */
export function pageFault(page: CapturePage, services: Services, prepared: PreparedRender): UserError | undefined {
  const { server, remote, pictures, shifts } = services;
  const missing = server.missing.find(({ url }) => !url.endsWith('/favicon.ico'));
  if (missing) return missingFault(missing, server, prepared);
  const unloaded = page.unloaded();
  if (unloaded) return unloadedFault(unloaded, remote.failure(unloaded.url), server, prepared);
  const broken = page.broken();
  if (broken) return brokenFault({ ...broken, url: pictures.originalOf(broken.url) }, server, prepared);
  const failure = page.failure();
  if (!failure) return undefined;
  const url = failure.url?.startsWith(`${server.origin}/`) ? new URL(failure.url).pathname : undefined;
  const { entry } = prepared.graph;
  const file = url === undefined ? entry : sourceFileOf(url);
  const line = failure.line !== undefined && file === entry ? lineBefore(failure.line, shifts) : failure.line;
  const place = {
    file,
    ...(line === undefined || url === undefined ? {} : { line, column: failure.column ?? 1 }),
  };
  return new UserError('script_error', `A script of the composition failed: ${failure.message}`, {
    hint: 'Open the composition in a browser to see the error in its console.',
    place,
  });
}
