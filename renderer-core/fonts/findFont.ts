// Finds a free font family: in an npm package, or else at Google Fonts.
import { UserError } from '../errors.ts';
import { addFontCommand } from '../model/fonts/addFontCommand.ts';
import { pinnedFamilies, replacementFor } from '../model/fonts/pinnedFamilies.ts';
import { popularFamilies } from '../model/fonts/popularFamilies.ts';
import { didYouMean } from '../model/text/suggest.ts';
import type { Absence, FoundFont } from './foundFont.ts';
import { type GoogleSearch, googleFont } from './googleFont.ts';
import { type NpmSearch, npmFont } from './npmFont.ts';

/** Throws UserError `usage` if no source has the family, and `download_failed`. */
export async function findFont(search: NpmSearch & GoogleSearch): Promise<FoundFont> {
  const npm = await npmFont(search);
  if ('faces' in npm) return npm;
  const google = await googleFont(search);
  if ('faces' in google) return google;
  throw notFound(search.family, npm, google);
}

function notFound(family: string, npm: Absence, google: Absence): UserError {
  const isUnknown = npm.isUnknown && google.isUnknown;
  const reasons = isUnknown ? '' : ` (${npm.reason}; ${google.reason})`;
  const message = `No free font family "${family}" was found${reasons}${suggestion(family)}`;
  const hint = npm.isUnknown ? (substituteHint(family) ?? ownFiles(google.fix)) : ownFiles(npm.fix);
  return new UserError(isUnknown ? 'usage' : 'download_failed', message, { hint });
}

function suggestion(family: string): string {
  const known = [...popularFamilies, ...pinnedFamilies.map(({ name }) => name)];
  return known.includes(family) ? '' : didYouMean(family, known);
}

function substituteHint(family: string): string | undefined {
  const { family: substitute } = replacementFor(family) ?? {};
  return substitute && addFontCommand(substitute)
    ? `Text in ${family} is shown in ${substitute}, which ships with Framework.`
    : undefined;
}

const ownFiles = (fix: string): string =>
  `${fix}. If you have the font files, copy them into fonts/ of the project and declare them in a style sheet there.`;
