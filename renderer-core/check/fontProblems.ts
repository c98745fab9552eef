// Fonts that were replaced, and characters that no font has. Pure.
import { characterName } from '../model/fonts/missingGlyph.ts';
import { shownFonts } from '../plan/fonts/shownFonts.ts';
import type { Problem } from './findings.ts';
import type { Walked } from './walkPage.ts';

/** Names that stand for the font of any system. */
const anySystem = /^(?:-apple-system|BlinkMacSystemFont|Segoe UI|Roboto|system-ui|ui-.*)$/i;

export function fontProblems({ results, fonts }: Pick<Walked, 'results' | 'fonts'>): Problem[] {
  const about = (check: Problem['check'], message: string): Problem => ({
    ...{ check, source: null, message, frame: 0, box: null, weight: 1 },
  });
  const replaced =
    fonts === null
      ? []
      : shownFonts(results.faces, fonts).filter(
          ({ family, substitute }) => substitute !== null && !anySystem.test(family),
        );
  const characters = new Map(results.missing.map((one) => [one.character, one]));
  return [
    ...(replaced.length === 0
      ? []
      : [
          about(
            'replaced-font',
            `${replaced.map(({ family, substitute }) => `${substitute} replaces the font ${family}`).join('; ')}`,
          ),
        ]),
    ...[...characters.values()].map(({ character, element }) =>
      about(
        'unknown-character',
        `No font has the character ${characterName(character)} of ${element}, so it is shown as a box`,
      ),
    ),
  ];
}
