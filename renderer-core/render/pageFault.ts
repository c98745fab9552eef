// What went wrong in a page, in the author's terms: which file, which line, what to do.
import type { CapturePage } from '../capture/capturePage.ts';
import { UserError } from '../errors.ts';
import { percentDecode } from '../model/percentText.ts';
import { sourceFileOf } from '../plan/assemble.ts';
import type { RemoteAssets } from '../project/remoteAssets.ts';
import type { MissingFile, ProjectServer, Refusal } from '../project/server.ts';
import type { BrokenAsset } from '../runtime/page.ts';
import { type NamedPlace, placeOfFile, placeOfUrl } from './places.ts';
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

const refusals: Record<Refusal, { what: string; hint: string }> = {
  missing: {
    what: 'does not exist',
    hint: 'Add the file to the project folder, or correct the path that names it.',
  },
  outside: {
    what: 'is a link that leads out of the project folder',
    hint: 'Copy the file into the project folder: nothing outside it is shown to a page.',
  },
  hidden: {
    what: 'is hidden: a name in its path begins with a dot',
    hint: 'Give the file and its folders names without a dot in front.',
  },
  unreadable: {
    what: 'cannot be read',
    hint: 'Allow this user to read the file.',
  },
};

function missingFault({ url, reason }: MissingFile, server: ProjectServer, prepared: PreparedRender): UserError {
  const path = pathOf(url, server);
  const named = placeOfFile(prepared, path);
  const { what, hint } = refusals[reason];
  // In a URL, both signs end the path: the file may well be there.
  const cut = named && /[#?]/.test(named.reference) && prepared.files.exists(percentDecode(named.reference));
  return new UserError('asset_missing', `The file ${path} ${what}${neededBy(named)}`, {
    hint: cut ? 'In a URL, # and ? end the path: write %23 for # and %3F for ?.' : hint,
    ...placeOption(named),
  });
}

function unloadedFault(
  { url, reason }: { url: string; reason: string },
  failure: Error | undefined,
  { origin }: ProjectServer,
  prepared: PreparedRender,
): UserError {
  if (failure instanceof UserError) return failure;
  const named = placeOfUrl(prepared, url, origin);
  return new UserError('asset_missing', `${url} could not be loaded: ${failure?.message ?? reason}${neededBy(named)}`, {
    hint: 'Check the address and the network, or put the file into the project folder.',
    ...placeOption(named),
  });
}

function brokenFault({ kind, url, element }: BrokenAsset, server: ProjectServer, prepared: PreparedRender): UserError {
  const isLocal = url.startsWith(`${server.origin}/`);
  const path = isLocal ? pathOf(url, server) : url;
  const named = isLocal ? placeOfFile(prepared, path) : placeOfUrl(prepared, url, server.origin);
  const what = kind === 'image' ? 'an image' : 'a font';
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return new UserError('asset_invalid', `${shown} is not ${what} that the browser can decode (${element} needs it)`, {
    hint:
      kind === 'image'
        ? 'Open the file to see what is in it; browsers show PNG, JPEG, WebP, AVIF, GIF and SVG.'
        : 'Open the file to see what is in it; browsers read WOFF2, WOFF, TrueType and OpenType.',
    ...placeOption(named),
  });
}

const pathOf = (url: string, { origin }: ProjectServer): string =>
  percentDecode(new URL(url, origin).pathname).replace(/^\//, '');

const neededBy = (named: NamedPlace | undefined): string => (named?.element ? `, and ${named.element} needs it` : '');

const placeOption = (named: NamedPlace | undefined) => (named ? { place: named.place } : {});
