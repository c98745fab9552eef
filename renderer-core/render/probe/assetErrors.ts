// Errors for files that a page needs but cannot load or use: which file, which element needs it, what to do.
import { combineErrors, UserError } from '../../errors.ts';
import { leadsOutside } from '../../model/graph.ts';
import { percentDecode } from '../../model/text/percentText.ts';
import type { BrokenAsset, UnfinishedWork } from '../../page/runtime/page.ts';
import { missingFamiliesHint, sheetFamilies } from '../../plan/fonts/remoteSheets.ts';
import type { MissingFile, Refusal } from '../../project/serve/projectServer.ts';
import type { SourceLocation } from '../../reports/errorJson.ts';
import { locateFile, locateUrl, type ReferenceLocation, type ReferencingProject } from './assetReferences.ts';

/** The page's origin, such as `http://127.0.0.1:1234`. */
type Origin = { origin: string };

const refusals: Record<Refusal, { problem: string; hint: string }> = {
  missing: {
    problem: 'does not exist',
    hint: 'Add the file to the project folder, or correct the path.',
  },
  outside: {
    problem: 'is a link to a file outside the project folder',
    hint: 'Copy the file into the project folder: pages cannot load files outside it.',
  },
  hidden: {
    problem: 'is hidden: a name in its path begins with a dot',
    hint: 'Rename the file or folder so that its name does not begin with a dot.',
  },
  unreadable: {
    problem: 'cannot be read',
    hint: 'Give this user permission to read the file.',
  },
};

/** One error for all missing files. `callerOf` returns where a script has requested a file. */
export function missingFilesError(
  server: Origin & { missing: readonly MissingFile[] },
  project: ReferencingProject,
  callerOf: (url: string) => SourceLocation | undefined,
): UserError | undefined {
  const wanted = server.missing.filter(({ url }) => !url.endsWith('/favicon.ico'));
  const unique = new Map(wanted.map((file) => [pathOf(file.url, server), file]));
  const errors = [...unique.values()].map((file) => missingFileError(file, server, project, callerOf(file.url)));
  const [first, ...others] = errors.sort(byPlace);
  return first && combineErrors(first, others);
}

/** The order of requests differs between two renders. */
const byPlace = ({ place: a }: UserError, { place: b }: UserError): number =>
  (a?.file ?? '').localeCompare(b?.file ?? '') ||
  (a?.line ?? 0) - (b?.line ?? 0) ||
  (a?.column ?? 0) - (b?.column ?? 0);

/** `caller` is where a script has requested the file. */
export function missingFileError(
  { url, reason }: MissingFile,
  server: Origin,
  project: ReferencingProject,
  caller?: SourceLocation,
): UserError {
  return missingPathError(pathOf(url, server), reason, project, caller);
}

/** `path`: in the project. */
export function missingPathError(
  path: string,
  reason: Refusal,
  project: ReferencingProject,
  caller?: SourceLocation,
): UserError {
  const named = locateFile(project, path);
  const { problem, hint } = refusals[reason];
  if (named && leadsOutside(named.place.file ?? '', named.reference))
    return new UserError('asset_missing', `${named.reference} is outside the project folder${neededBy(named)}`, {
      hint: refusals.outside.hint,
      ...placeOption(named),
    });
  // In a URL both characters end the path, so the file may exist after all.
  const isCutOff = named && /[#?]/.test(named.reference) && project.files.exists(percentDecode(named.reference));
  return new UserError('asset_missing', `The file ${path} ${problem}${neededBy(named)}`, {
    hint: isCutOff ? 'In a URL, # and ? end the path: write %23 for # and %3F for ?.' : hint,
    ...(caller ? { place: caller } : {}),
    ...placeOption(named),
  });
}

export function unloadedFileError(
  { url, reason }: { url: string; reason: string },
  failure: Error | undefined,
  { origin }: Origin,
  project: ReferencingProject,
): UserError {
  if (failure instanceof UserError) return failure;
  const named = locateUrl(project, url, origin);
  return new UserError(
    'asset_missing',
    `${shorten(url)} could not be loaded: ${failure?.message ?? reason}${neededBy(named)}`,
    {
      hint:
        missingFontsHint(url, project) ?? 'Check the URL and the network, or copy the file into the project folder.',
      ...placeOption(named),
    },
  );
}

function missingFontsHint(url: string, { files }: ReferencingProject): string | undefined {
  const families = sheetFamilies(url, files);
  return families && missingFamiliesHint(families.missing);
}

export function brokenFileError(
  { kind, url, element }: BrokenAsset,
  server: Origin,
  project: ReferencingProject,
): UserError {
  const isLocal = url.startsWith(`${server.origin}/`);
  const path = isLocal ? pathOf(url, server) : url;
  const named = isLocal ? locateFile(project, path) : locateUrl(project, url, server.origin);
  const expected = kind === 'image' ? 'an image' : 'a font';
  return new UserError(
    'asset_invalid',
    `${shorten(path)} is not ${expected} that the browser can decode (${element} needs it)`,
    {
      hint:
        kind === 'image'
          ? 'Open the file to see what is in it; browsers show PNG, JPEG, WebP, AVIF, GIF and SVG.'
          : 'Open the file to see what is in it; browsers read WOFF2, WOFF, TrueType and OpenType.',
      ...placeOption(named),
    },
  );
}

/** `callerOf` returns where a script has requested a file. */
export function unfinishedError(
  { names, seconds }: UnfinishedWork,
  { origin }: Origin,
  callerOf: (url: string) => SourceLocation | undefined,
): UserError {
  const shown = names.map((name) => shorten(name.startsWith(`${origin}/`) ? pathOf(name, { origin }) : name));
  // Names of functions are no paths of files.
  const url = names.find((name) => !name.endsWith('()'));
  const place = url === undefined ? undefined : callerOf(url);
  return new UserError(
    'script_error',
    `A frame has waited ${seconds} s for what a script has started: ${shown.join(', ')}`,
    {
      hint: 'Frames show the result of everything that scripts start, such as requests. Check that the file can be loaded, or start it before the first frame.',
      ...(place ? { place } : {}),
    },
  );
}

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

const pathOf = (url: string, { origin }: Origin): string =>
  percentDecode(new URL(url, origin).pathname).replace(/^\//, '');

const neededBy = (named: ReferenceLocation | undefined): string =>
  named?.element ? `, and ${named.element} needs it` : '';

const placeOption = (named: ReferenceLocation | undefined) => (named ? { place: named.place } : {});
