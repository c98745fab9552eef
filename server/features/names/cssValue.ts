// Finds the color or number at a position of a CSS declaration, if variables of the composition apply there.
import { cssRules } from './cssRules.ts';

/** A part of a declaration's value. `start` and `end` are offsets in the text that was passed. */
export type CssToken = { property: string; text: string; start: number; end: number };

const piece =
  /#[0-9a-f]{3,8}\b|rgba?\([^()]*\)|-?(?:\d+\.?\d*|\.\d+)(?:[a-z]+|%)?(?![\w.(%-])|[a-z][a-z-]*(?![\w(-])/gi;

/** The color or number at a range of a style sheet; undefined where the root's custom properties do not apply. */
export function sheetTokenAt(css: string, start: number, end: number): CssToken | undefined {
  const rule = cssRules(css).find(({ span }) => span.start <= start && end <= span.end);
  if (!rule || rule.isOpaque) return undefined;
  const isFrames = /^@keyframes\b/i.test(rule.prelude);
  // Elements outside the root do not see the variables.
  const isAbove = rule.selectors.some(({ compounds }) => {
    const tag = compounds.at(-1)?.tag.toLowerCase();
    return tag === 'html' || tag === 'body' || tag === '*' || /:root\b/.test(rule.prelude);
  });
  if (isAbove || (rule.prelude.startsWith('@') && !isFrames)) return undefined;
  const blockStart =
    Math.max(css.lastIndexOf('{', start), css.lastIndexOf(';', start - 1), css.lastIndexOf('*/', start - 1) + 1) + 1;
  const ends = [css.indexOf(';', end), css.indexOf('}', end)].filter((at) => at >= 0);
  const blockEnd = Math.min(css.length, ...ends);
  return inDeclaration(css, blockStart, blockEnd, start, end);
}

/** The same for the value of a `style` attribute. */
export function styleTokenAt(css: string, start: number, end: number): CssToken | undefined {
  const from = css.lastIndexOf(';', start - 1) + 1;
  const to = css.indexOf(';', end);
  return inDeclaration(css, from, to < 0 ? css.length : to, start, end);
}

function inDeclaration(css: string, from: number, to: number, start: number, end: number): CssToken | undefined {
  const colon = css.indexOf(':', from);
  if (colon < 0 || colon >= start || colon >= to) return undefined;
  const property = css.slice(from, colon).trim().toLowerCase();
  // Strings and `url(…)` cannot contain variables.
  if (!/^-?[-\w]+$/.test(property) || /["']|url\(/i.test(css.slice(colon, to))) return undefined;
  for (const found of css.slice(colon + 1, to).matchAll(piece)) {
    const at = colon + 1 + found.index;
    const behind = at + found[0].length;
    const isMeant = start === end ? at <= start && end <= behind : at === start && behind === end;
    if (isMeant) return { property, text: found[0], start: at, end: behind };
  }
  return undefined;
}
