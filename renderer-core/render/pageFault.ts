// What went wrong in a page, in the author's terms: which file, which line, what to do.
import type { CapturePage } from '../capture/capturePage.ts';
import { UserError } from '../errors.ts';
import { sourceFileOf } from '../plan/sourceFiles.ts';
import type { RemoteAssets } from '../project/remoteAssets.ts';
import type { ProjectServer } from '../project/server.ts';
import { brokenFault, missingFault, unloadedFault } from './assetFaults.ts';
import type { PreparedRender } from './prepare.ts';
import type { RemotePictures } from './remotePictures.ts';

type Services = { server: ProjectServer; remote: RemoteAssets; pictures: RemotePictures };

/** The first thing that makes the page's frames wrong: a file that cannot be had or used, or an exception in a script. */
export function pageFault(page: CapturePage, services: Services, prepared: PreparedRender): UserError | undefined {
  const { server, remote, pictures } = services;
  const missing = server.missing.find(({ url }) => !url.endsWith('/favicon.ico'));
  if (missing) return missingFault(missing, server, prepared);
  const unloaded = page.unloaded();
  if (unloaded) return unloadedFault(unloaded, remote.failure(unloaded.url), server, prepared);
  const broken = page.broken();
  if (broken) return brokenFault({ ...broken, url: pictures.originalOf(broken.url) }, server, prepared);
  const failure = page.failure();
  if (!failure) return undefined;
  const url = failure.url?.startsWith(`${server.origin}/`) ? new URL(failure.url).pathname : undefined;
  const place = {
    file: url === undefined ? prepared.graph.entry : sourceFileOf(url),
    ...(failure.line === undefined || url === undefined ? {} : { line: failure.line, column: failure.column ?? 1 }),
  };
  return new UserError('script_error', `A script of the composition failed: ${failure.message}`, {
    hint: 'Open the composition in a browser to see the error in its console.',
    place,
  });
}
