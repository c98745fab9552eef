// The value of a CSS declaration that a place stands in, and whether variables of the composition reach it.
import { cssRules } from './cssRules.ts';

/** A piece of a declaration's value; `start` and `end` count in the text that was given. */
export type CssPiece = { property: string; text: string; start: number; end: number };

const piece =
  /#[0-9a-f]{3,8}\b|rgba?\([^()]*\)|-?(?:\d+\.?\d*|\.\d+)(?:[a-z]+|%)?(?![\w.(%-])|[a-z][a-z-]*(?![\w(-])/gi;

/** The colour or number at a place of a style sheet; undefined where the root's custom properties do not reach. */
export function sheetPiece(css: string, start: number, end: number): CssPiece | undefined {
  const rule = cssRules(css).find(({ span }) => span.start <= start && end <= span.end);
  if (!rule || rule.isOpaque) return undefined;
  const isFrames = /^@keyframes\b/i.test(rule.prelude);
  // Above the root, variables are not known.
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

/** The same in the value of a `style` attribute. */
export function stylePiece(css: string, start: number, end: number): CssPiece | undefined {
  const from = css.lastIndexOf(';', start - 1) + 1;
  const to = css.indexOf(';', end);
  return inDeclaration(css, from, to < 0 ? css.length : to, start, end);
}

function inDeclaration(css: string, from: number, to: number, start: number, end: number): CssPiece | undefined {
  const colon = css.indexOf(':', from);
  if (colon < 0 || colon >= start || colon >= to) return undefined;
  const property = css.slice(from, colon).trim().toLowerCase();
  // In quotes and in `url(…)`, nothing is read.
  if (!/^-?[-\w]+$/.test(property) || /["']|url\(/i.test(css.slice(colon, to))) return undefined;
  for (const found of css.slice(colon + 1, to).matchAll(piece)) {
    const at = colon + 1 + found.index;
    const behind = at + found[0].length;
    const isMeant = start === end ? at <= start && end <= behind : at === start && behind === end;
    if (isMeant) return { property, text: found[0], start: at, end: behind };
  }
  return undefined;
}
