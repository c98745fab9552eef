// Rules for fonts: families that no machine is sure to have, fonts that need the network, and characters that no font has.
import type { Composition } from '../../model/composition.ts';
import type { ListedFamily } from '../../model/fonts/familyList.ts';
import { importsIn, remoteFaces } from '../../model/fonts/fontSheets.ts';
import { fontLists } from '../../model/fonts/fontUses.ts';
import { googleFontFamilies, isFontService, remoteHost } from '../../model/fonts/googleFonts.ts';
import { characterName, needsGlyph } from '../../model/fonts/missingGlyph.ts';
import { isPinned } from '../../model/fonts/pinnedCharacters.ts';
import { replacementFor } from '../../model/fonts/pinnedFamilies.ts';
import { familyFor } from '../../model/fonts/scriptFamilies.ts';
import { hasCharacter } from '../../model/fonts/unicodeRanges.ts';
import { shownTexts } from '../../model/text/shownText.ts';
import type { Span } from '../../model/text/spans.ts';
import { isPlaceholder } from '../../model/variables/placeholders.ts';
import { once, type RuleContext, type RuleFinding } from '../context.ts';
import { embedderSources, fontSources, isInProject, localSheets, pageSources } from '../fontSources.ts';

/** The first family of each list if no page declares it and it is not pinned, once for each family. */
export function systemFonts({ project, path, composition }: RuleContext): RuleFinding[] {
  const lists = fontLists(composition).filter(({ leading: [first] }) => first && !isKnown(first));
  if (lists.length === 0) return [];
  const own = fontSources(project, path, composition);
  const sources = [own];
  const isMissing = ({ name }: ListedFamily) => !sources.some(({ fonts }) => fonts.has(name.toLowerCase()));
  const declaresAll = () => lists.every(({ leading: [first] }) => !first || !isMissing(first));
  // Embedders are read only if necessary, because the findings then depend on them.
  if (own.isComplete && !declaresAll()) sources.push(...embedderSources(project, path));
  if (!sources.every(({ isComplete }) => isComplete)) return [];
  const reported = new Set<string>();
  return lists.flatMap(({ leading: [first], families }) => {
    const key = first?.name.toLowerCase() ?? '';
    if (!first || !isMissing(first) || reported.has(key)) return [];
    reported.add(key);
    const next = families.slice(1).find((family) => isKnown(family) || !isMissing(family));
    const used = next ? (next.isGeneric ? next.name : `"${next.name}"`) : 'a standard font';
    const message = `The font "${first.name}" is not available: text uses ${used}, also on machines that have it installed; ${toAdd([first.name])}`;
    return [{ message, span: first.span, fonts: [first.name] }];
  });
}

const isKnown = (family: ListedFamily): boolean =>
  family.isGeneric || replacementFor(family.name) !== undefined || isPlaceholder(family.name);

const toAdd = (names: readonly string[]): string =>
  `to add it to the project, run ${names.map((name) => `framework fonts add "${name}"`).join(' and ')}`;

/** Style sheets of web font services, and `@font-face` rules with files of other hosts. */
export function remoteFonts(context: RuleContext): RuleFinding[] {
  const { project, path, composition } = context;
  const sources = once(() => fontSources(project, path, composition));
  const loads = [
    ...composition.stylesheets.flatMap(({ href: { text, span } }) => [
      ...serviceLoads(text, span),
      ...localSheets(project, path, text).flatMap(({ css }) => sheetLoads(css, () => span)),
    ]),
    ...composition.styles.flatMap((style) =>
      sheetLoads(style.text, ({ start, end }) => ({ start: style.span.start + start, end: style.span.start + end })),
    ),
  ];
  return merged(loads).map((load) => {
    const missing = load.families.filter((name) => !isInProject(name, sources()));
    return { message: messageOf(load, missing), span: load.span, ...(missing.length > 0 && { fonts: missing }) };
  });
}

/** `families` is empty if they are unknown. */
type RemoteLoad = { host: string; families: readonly string[]; span: Span };

/** One load for each host and place. */
function merged(loads: readonly RemoteLoad[]): RemoteLoad[] {
  const found = new Map<string, RemoteLoad>();
  for (const load of loads) {
    const key = `${load.host} ${load.span.start}`;
    const families = [...(found.get(key)?.families ?? []), ...load.families];
    found.set(key, { ...load, families: [...new Set(families)] });
  }
  return [...found.values()];
}

function sheetLoads(css: string, place: (span: Span) => Span): RemoteLoad[] {
  return [
    ...importsIn(css).flatMap(({ url, span }) => serviceLoads(url, place(span))),
    ...remoteFaces(css).map(({ url, family, span }) => ({
      host: remoteHost(url) ?? url,
      families: [family],
      span: place(span),
    })),
  ];
}

function serviceLoads(url: string, span: Span): RemoteLoad[] {
  if (!isFontService(url)) return [];
  return [{ host: remoteHost(url) ?? url, families: googleFontFamilies(url).map(({ name }) => name), span }];
}

/** @param missing the families that the project does not have */
function messageOf({ host, families }: RemoteLoad, missing: readonly string[]): string {
  const names = families.map((name) => `"${name}"`).join(', ');
  const need = `Renders need a network connection to load ${names || 'fonts'} from ${host}`;
  if (families.length === 0) return `${need}; save the files in the project and declare them with @font-face`;
  return missing.length === 0 ? `${need}, but renders have it without; remove it` : `${need}; ${toAdd(missing)}`;
}

/** Characters that no pinned font has, once for each, unless a font of the page may have them. */
export function missingGlyphs({ project, path, composition }: RuleContext): RuleFinding[] {
  const places = [...unpinnedPlaces(composition)];
  if (places.length === 0) return [];
  // Other files are read only if necessary, because the finding then depends on them.
  const sources = pageSources(project, path);
  if (sources.some(({ isComplete, hasOtherFaces }) => !isComplete || hasOtherFaces)) return [];
  const ranges = new Set(sources.flatMap(({ faces }) => faces.map((face) => face.ranges)));
  const mayHave = (character: string) =>
    [...ranges].some((each) => hasCharacter(each, [character.codePointAt(0) ?? 0]));
  return places
    .filter(([character]) => !mayHave(character))
    .map(([character, span]) => {
      const family = familyFor(character);
      const add =
        family === undefined
          ? 'use another character, or add a font that has it to the project'
          : `run framework fonts add "${family}", and add that name to font-family`;
      const message = `No font has the character ${characterName(character)}, so it is shown as a box; ${add}`;
      return { message, span, ...(family !== undefined && { fonts: [family] }) };
    });
}

/** The characters that no pinned font has, and the first place of each. */
function unpinnedPlaces(composition: Composition): Map<string, Span> {
  const places = new Map<string, Span>();
  for (const { text, place } of shownTexts(composition)) {
    for (const [character, at] of unpinnedIn(text)) {
      const span = place(at, at + character.length);
      const known = places.get(character);
      if (!known || span.start < known.start) places.set(character, span);
    }
  }
  return places;
}

/** The characters that no pinned font has, with their first offsets. */
function unpinnedIn(text: string): Map<string, number> {
  const found = new Map<string, number>();
  if (!/[^\0-\x7f]/.test(text)) return found;
  let at = 0;
  for (const character of text) {
    if (needsGlyph(character) && !found.has(character) && !isPinned(character)) found.set(character, at);
    at += character.length;
  }
  return found;
}
