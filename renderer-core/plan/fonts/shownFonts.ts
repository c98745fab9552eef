// Reports the fonts that the text of a page has used, and the characters that no font has.
import { characterName } from '../../model/fonts/missingGlyph.ts';
import { replacementFor } from '../../model/fonts/pinnedFamilies.ts';
import type { ProjectGraph } from '../../model/graph.ts';
import { lineAndColumn } from '../../model/text/spans.ts';
import type { MissingCharacter, UsedFace } from '../../page/runtime/page.ts';
import type { PageFonts } from './pageFonts.ts';

/** A family that text uses. `substitute`: the pinned family, if its name is that of a system font. */
export type ShownFont = {
  family: string;
  weights: string[];
  source: 'composition' | 'project' | 'pinned';
  substitute: string | null;
};

/** Families in the order of the alphabet. Faces of several pages may be repeated. */
export function shownFonts(faces: readonly UsedFace[], { names, ofProject }: PageFonts): ShownFont[] {
  const weights = new Map<string, Set<string>>();
  for (const { family, weight } of faces) weights.set(family, (weights.get(family) ?? new Set()).add(weight));
  return [...weights.keys()].sort().map((family) => {
    const pinned = names.includes(family) ? replacementFor(family)?.family : undefined;
    return {
      family,
      weights: [...(weights.get(family) ?? [])].sort(),
      source: pinned !== undefined ? 'pinned' : ofProject.includes(family.toLowerCase()) ? 'project' : 'composition',
      substitute: pinned === undefined || pinned === family ? null : pinned,
    };
  });
}

/** The families of a video whose parts were captured by several workers; null if one of them used the fonts of its machine. */
export function mergedFonts(parts: readonly (readonly ShownFont[] | null)[]): ShownFont[] | null {
  const merged = new Map<string, ShownFont>();
  for (const part of parts) {
    if (part === null) return null;
    for (const font of part) {
      const weights = new Set([...(merged.get(font.family)?.weights ?? []), ...font.weights]);
      merged.set(font.family, { ...font, weights: [...weights].sort() });
    }
  }
  return [...merged.values()].sort((a, b) => (a.family < b.family ? -1 : 1));
}

/** Warnings about characters that are shown as boxes, each once, with their place if a file of the graph contains them. */
export function missingWarnings(missing: readonly MissingCharacter[], graph: ProjectGraph): string[] {
  const unique = new Map(missing.map((one) => [one.character, one]));
  return [...unique.values()].map(({ character, element }) => {
    const place = placeOf(character, graph) ?? element;
    return `${place}${place ? ': ' : ''}no font has the character ${characterName(character)}, so it is shown as a box. Add a font that has it to the project.`;
  });
}

function placeOf(character: string, { files }: ProjectGraph): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  const written = new RegExp(
    `${character}|&#x0*${code.toString(16)};|&#0*${code};|\\\\u\\{?0*${code.toString(16)}\\b`,
    'iu',
  );
  for (const [file, { text }] of files) {
    const found = written.exec(text);
    if (!found) continue;
    const { line, column } = lineAndColumn(text, found.index);
    return `${file}:${line}:${column}`;
  }
  return undefined;
}
