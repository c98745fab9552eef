// What is said of files that a page needs and cannot have or use: which one, who needs it, what to do.
import { UserError } from '../errors.ts';
import { percentDecode } from '../model/percentText.ts';
import type { MissingFile, Refusal } from '../project/server.ts';
import type { BrokenAsset } from '../runtime/page.ts';
import { type FaultProject, type NamedPlace, placeOfFile, placeOfUrl } from './places.ts';

/** The page's own, as `http://127.0.0.1:1234`. */
type Origin = { origin: string };

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

export function missingFault({ url, reason }: MissingFile, server: Origin, prepared: FaultProject): UserError {
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

export function unloadedFault(
  { url, reason }: { url: string; reason: string },
  failure: Error | undefined,
  { origin }: Origin,
  prepared: FaultProject,
): UserError {
  if (failure instanceof UserError) return failure;
  const named = placeOfUrl(prepared, url, origin);
  return new UserError('asset_missing', `${url} could not be loaded: ${failure?.message ?? reason}${neededBy(named)}`, {
    hint: 'Check the address and the network, or put the file into the project folder.',
    ...placeOption(named),
  });
}

export function brokenFault({ kind, url, element }: BrokenAsset, server: Origin, prepared: FaultProject): UserError {
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

const pathOf = (url: string, { origin }: Origin): string =>
  percentDecode(new URL(url, origin).pathname).replace(/^\//, '');

const neededBy = (named: NamedPlace | undefined): string => (named?.element ? `, and ${named.element} needs it` : '');

const placeOption = (named: NamedPlace | undefined) => (named ? { place: named.place } : {});
