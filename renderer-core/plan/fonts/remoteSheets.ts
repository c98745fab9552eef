// Finds other sources for the families of a Google Fonts style sheet that cannot be loaded.
import { addFontCommand } from '../../model/fonts/addFontCommand.ts';
import { familiesDeclared } from '../../model/fonts/fontUses.ts';
import { googleFontFamilies, type RequestedFamily } from '../../model/fonts/googleFonts.ts';
import { replacementFor } from '../../model/fonts/pinnedFamilies.ts';
import type { ProjectFiles } from '../projectPaths.ts';

/** `sheet`: the project's style sheet that declares the family; null if the family ships with the product. */
export type AvailableFamily = { name: string; sheet: string | null };

export type SheetFamilies = { available: AvailableFamily[]; missing: RequestedFamily[] };

type FontFiles = Pick<ProjectFiles, 'read' | 'fontSheets'>;

/** The families of the style sheet at `url`; undefined if it is none of Google Fonts. */
export function sheetFamilies(url: string, files: FontFiles): SheetFamilies | undefined {
  const requested = googleFontFamilies(url);
  if (requested.length === 0) return undefined;
  const declared = new Map(
    (files.fontSheets ?? []).flatMap((sheet) =>
      familiesDeclared(files.read(sheet) ?? '').map((name) => [name.toLowerCase(), sheet] as const),
    ),
  );
  const available: AvailableFamily[] = [];
  const missing: RequestedFamily[] = [];
  for (const family of requested) {
    const { name } = family;
    const sheet = declared.get(name.toLowerCase());
    if (sheet !== undefined) available.push({ name, sheet });
    else if (replacementFor(name)) available.push({ name, sheet: null });
    else missing.push(family);
  }
  return { available, missing };
}

/** What to do about families that the project lacks; undefined if no command adds them. */
export function missingFamiliesHint(missing: readonly RequestedFamily[]): string | undefined {
  const commands = missing.flatMap(({ name, weights }) => addFontCommand(name, weights) ?? []);
  if (commands.length === 0 || commands.length < missing.length) return undefined;
  return `Add ${commands.length === 1 ? 'the family' : 'the families'} to the project: ${commands.join('; ')}`;
}

/** The warning about a style sheet that was left out. `reason`: why it could not be loaded. */
export function replacedSheetWarning(families: readonly AvailableFamily[], reason: string): string {
  const sources = families.map(({ name, sheet }) => `${name} from ${sheet ?? 'the fonts of Framework'}`);
  return `A style sheet of Google Fonts could not be loaded (${reason}); the page uses ${sources.join(', ')}. To use them always, remove the reference to it`;
}
