// Texts about font families: where each comes from.
import {
  type DeclaredFont,
  embedderSources,
  type FontSources,
  type FoundFace,
  fontSources,
} from '../../renderer-core/lint/fontSources.ts';
import type { ListedFamily } from '../../renderer-core/model/fonts/familyList.ts';
import { genericFamilies, pinnedFamily, replacementFor } from '../../renderer-core/model/fonts/pinnedFamilies.ts';
import type { SourceFile } from './sourceFile.ts';

/** A short text about a family that is not declared: `pinned`, `pinned: Arimo`; undefined if there is none. */
export function fontDetail(name: string, isGeneric: boolean): string | undefined {
  const family = pinnedFor(name, isGeneric);
  if (family === undefined) return undefined;
  return pinnedFamily(name) ? 'pinned' : `pinned: ${family}`;
}

/** The included family that a page gets for a name. */
function pinnedFor(name: string, isGeneric: boolean): string | undefined {
  return replacementFor((isGeneric ? genericFamilies[name.toLowerCase()] : undefined) ?? name)?.family;
}

export function sourceText({ path }: SourceFile, { source, isRemote }: Omit<DeclaredFont, 'name'>): string {
  if (source === path) return isRemote ? 'from the network' : 'this file';
  return isRemote ? `from ${source}` : source;
}

/** Markdown about a family in a style. */
export function describeFont(file: SourceFile, { name, isGeneric }: ListedFamily): string {
  const title = `**${name.replace(/[\\`*_[\]<>]/g, '\\$&')}**`;
  const known = isGeneric ? undefined : declaredFont(file, name);
  if (known && known !== 'unknown') return `${title}: declared in ${place(file, known)}`;
  const family = pinnedFor(name, isGeneric);
  if (family !== undefined) {
    const isOwn = !isGeneric && pinnedFamily(name) !== undefined;
    const included = 'which is included with Framework and the same on every machine';
    return isOwn ? `${title} is included with Framework` : `${title}: text uses **${family}**, ${included}`;
  }
  if (known === 'unknown') return `${title}: may be declared by a style sheet that cannot be read here`;
  return `${title} is not available: text uses the next family of the list. To add it: \`framework fonts add "${name.replace(/[`"]/g, '')}"\``;
}

function place({ path }: SourceFile, { source, isRemote }: DeclaredFont): string {
  if (source === path) return isRemote ? 'this file, with a font file from the network' : 'this file';
  return `\`${source}\`${isRemote ? ', from the network' : ''}`;
}

/** The declaration in the file or in one that embeds it; `unknown` if not all style sheets are known. */
function declaredFont(file: SourceFile, name: string): DeclaredFont | 'unknown' | undefined {
  const sources = sourcesOf(file);
  const found = sources.flatMap(({ fonts }) => fonts.get(name.toLowerCase()) ?? []);
  return found[0] ?? (sources.every(({ isComplete }) => isComplete) ? undefined : 'unknown');
}

function sourcesOf({ project, path, composition }: SourceFile): FontSources[] {
  return [fontSources(project, path, composition), ...embedderSources(project, path)];
}

/** The faces that declare a family; without a declaration, the name of the included family that text uses. */
export function usedFaces(file: SourceFile, { name, isGeneric }: ListedFamily): FoundFace[] | string | undefined {
  const declared = isGeneric ? undefined : declaredFont(file, name);
  if (declared === undefined || declared === 'unknown') return pinnedFor(name, isGeneric);
  const isOf = ({ family }: FoundFace) => family.toLowerCase() === name.toLowerCase();
  return sourcesOf(file).flatMap(({ faces }) => faces.filter(isOf));
}

/** The usual spelling of a system font whose name is in lower case. */
export function shownName(name: string): string {
  if (name === 'blinkmacsystemfont') return 'BlinkMacSystemFont';
  if (/^(?:-|ui-)/.test(name)) return name;
  const words = name.replace(/(?:^| )[a-z]/g, (letter) => letter.toUpperCase());
  return pinnedFamily(name)?.name ?? words.replace(/^Sf /, 'SF ').replace(/ Ui$/, ' UI');
}
