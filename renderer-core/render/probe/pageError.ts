// The error of a page: the first problem that makes its frames wrong, at its place in the author's file.
import type { CapturePage } from '../../capture/capturePage.ts';
import type { ScriptLocation } from '../../capture/pageErrors.ts';
import { UserError } from '../../errors.ts';
import { sourceFileOf, sourcePosition } from '../../page/assemble/sourceFiles.ts';
import type { TextShift } from '../../page/assemble/textEdits.ts';
import type { SourceLocation } from '../../reports/errorJson.ts';
import type { Site } from '../session.ts';
import { brokenFileError, missingFilesError, unfinishedError, unloadedFileError } from './assetErrors.ts';
import type { ReferencingProject } from './assetReferences.ts';
import type { RemoteImages } from './remoteFiles.ts';

/** How a page was assembled. `shifts`: how embedded files have moved the lines of the entry. */
export type PageSource = { project: ReferencingProject; images: RemoteImages; shifts: TextShift[] };

/** A file that is missing or unusable, or an exception in a script. */
export function pageError(
  page: CapturePage,
  { server, remote }: Site,
  { project, images, shifts }: PageSource,
): UserError | undefined {
  const placeOf = (location: ScriptLocation) => placeInProject(location, server.origin, project.graph.entry, shifts);
  const callerOf = (url: string) => {
    const caller = page.callerOf(new URL(url, server.origin).href);
    return caller && placeOf(caller);
  };
  const missing = missingFilesError(server, project, callerOf);
  if (missing) return missing;
  const broken = page.broken();
  const unloaded = page.unloaded() ?? (broken && failedFetch(broken.url, remote));
  if (unloaded) return unloadedFileError(unloaded, remote.failure(unloaded.url), server, project);
  if (broken) return brokenFileError({ ...broken, url: images.originalOf(broken.url) }, server, project);
  const unfinished = page.unfinished();
  if (unfinished) return unfinishedError(unfinished, server, callerOf);
  const failure = page.failure();
  if (!failure) return undefined;
  return new UserError('script_error', `A script of the composition failed: ${failure.message}`, {
    hint: 'Open the composition in a browser to see the error in its console.',
    place: placeOf(failure),
  });
}

/** The browser may tell that an image is broken before it tells that its host has answered with an error. */
function failedFetch(url: string, { failure }: Site['remote']): { url: string; reason: string } | undefined {
  const error = failure(url);
  return error && { url, reason: error.message };
}

/** The location in the author's file. */
function placeInProject(location: ScriptLocation, origin: string, entry: string, shifts: TextShift[]): SourceLocation {
  const path = location.url?.startsWith(`${origin}/`) ? new URL(location.url).pathname : undefined;
  if (path === undefined) return { file: entry };
  if (location.line === undefined) return { file: sourceFileOf(path) };
  const at = { line: location.line, column: location.column ?? 1 };
  return { file: sourceFileOf(path), ...sourcePosition(path, at, entry, shifts) };
}
