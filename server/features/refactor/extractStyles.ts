// Which rules of a file's styles go along with elements that leave it, and which would no longer reach what they reach now.
import type { Composition, Style } from '../../renderer-core/model/composition.ts';
import type { HtmlElement } from '../../renderer-core/model/html.ts';
import type { Span } from '../../renderer-core/model/spans.ts';
import { type CssRule, cssRules, declarationsIn, mayMatch, mayReach, type Selector } from './cssRules.ts';

type Placed = CssRule & { style: Style };

/** Spans are the file's own. `left`: selectors of rules that the elements need, and others too. */
export type MovedStyles = { moved: Span[]; left: string[] };

/**
 * A rule moves when it can reach nothing but the elements, and nothing that stays could come to win over it or lose to it: in
 * its new file it is scoped, and that counts more than the order of rules.
 */
export function movedStyles(composition: Composition, elements: readonly HtmlElement[]): MovedStyles {
  const all = placedRules(composition);
  const inside = [...elements, ...elements.flatMap(descendants)];
  const outside = composition.html.elements.filter((element) => !inside.includes(element));
  const reaching = all.filter(({ selectors }) =>
    selectors.some((one) => inside.some((element) => mayReach(one, element))),
  );
  const code = composition.scripts.map(({ text }) => text).join('\n');
  let moving = isUnlayered(composition, all) ? reaching.filter((rule) => canMove(rule, inside, outside, code)) : [];
  for (let before = -1; before !== moving.length; ) {
    before = moving.length;
    moving = moving.filter(
      (rule) => !all.some((other) => !moving.includes(other) && competes(rule, other, all, inside)),
    );
  }
  const frames = moving.length > 0 ? movedKeyframes(composition, all, moving, elements) : [];
  const moved = all.filter((rule) => moving.includes(rule) || frames.includes(rule)).map(spanInFile);
  return { moved, left: [...new Set(reaching.filter((rule) => !moving.includes(rule)).map(({ prelude }) => prelude))] };
}

function placedRules({ styles }: Composition): Placed[] {
  return styles.flatMap((style) => cssRules(style.text).map((rule) => ({ ...rule, style })));
}

const spanInFile = ({ span, style }: Placed): Span => ({
  start: style.span.start + span.start,
  end: style.span.start + span.end,
});

/** Sheets that cannot be seen, and layers, decide about order in ways of their own. */
function isUnlayered({ stylesheets, styles }: Composition, rules: readonly CssRule[]): boolean {
  const isOdd = styles.some(({ text }) => /@(?:layer|scope|import)\b/i.test(text));
  return stylesheets.length === 0 && !isOdd && rules.every(({ block }) => !block.includes('!important'));
}

function canMove(
  { selectors, at, isOpaque }: Placed,
  inside: readonly HtmlElement[],
  outside: readonly HtmlElement[],
  code: string,
): boolean {
  return (
    at.length === 0 &&
    !isOpaque &&
    selectors.every(({ compounds: [first], isPlain }) => {
      if (!first || !isPlain || first.isStructural || (first.classes.length === 0 && first.ids.length === 0))
        return false;
      const isOurs = inside.some((element) => mayMatch(first, element));
      return (
        isOurs && !outside.some((element) => mayMatch(first, element)) && !isGivenByCode(first.classes, first.ids, code)
      );
    })
  );
}

/** Whether a script names a class or an id other than to look for it: then it may give it to anything. */
function isGivenByCode(classes: readonly string[], ids: readonly string[], code: string): boolean {
  return [...classes, ...ids].some((name) =>
    new RegExp(`(?<![.#\\w-])${name.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`).test(code),
  );
}

/** Whether a rule that stays sets, behind it, what it sets, for an element that both reach. */
function competes(rule: Placed, other: Placed, all: readonly Placed[], inside: readonly HtmlElement[]): boolean {
  if (all.indexOf(other) < all.indexOf(rule)) return false;
  const isShared = inside.some((element) => reaches(rule, element) && reaches(other, element));
  if (!isShared) return false;
  if (other.isOpaque) return true;
  const first = (name: string) => (name.startsWith('--') ? name : (name.split('-')[0] ?? name));
  const names = new Set(declarationsIn(rule.block).map(({ name }) => first(name)));
  return declarationsIn(other.block).some(({ name }) => names.has(first(name)) || name === 'all');
}

const reaches = ({ selectors }: CssRule, element: HtmlElement): boolean =>
  selectors.some((one) => mayReach(one, element));

/** Keyframes that nothing but the moving parts names. */
function movedKeyframes(
  composition: Composition,
  all: readonly Placed[],
  moving: readonly Placed[],
  elements: readonly HtmlElement[],
): Placed[] {
  const nameOf = ({ prelude }: CssRule) => /^@keyframes\s+([\w-]+)$/i.exec(prelude)?.[1];
  const isInside = (at: number) => elements.some(({ span }) => span.start <= at && at < span.end);
  const spans = [...moving.map(spanInFile)];
  return all.filter((rule) => {
    const name = rule.at.length === 0 ? nameOf(rule) : undefined;
    if (name === undefined || all.filter((other) => nameOf(other) === name).length > 1) return false;
    const own = spanInFile(rule);
    const uses = [...composition.text.matchAll(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'g'))].map(
      ({ index }) => index,
    );
    const used = uses.filter((at) => at < own.start || at >= own.end);
    return (
      used.length > 0 && used.every((at) => isInside(at) || spans.some(({ start, end }) => start <= at && at < end))
    );
  });
}

export function descendants(element: HtmlElement): HtmlElement[] {
  const found = [...element.children];
  for (const one of found) for (const child of one.children) found.push(child);
  return found;
}

/** Of properties that children take over. */
const inherited =
  /^(?:color|font(?:-.*)?|letter-spacing|line-height|text-(?:align|indent|transform|shadow|wrap|rendering|anchor).*|visibility|white-space.*|word-.*|direction|writing-mode|quotes|list-style.*|fill|stroke.*|hyphens|tab-size|cursor|all|--.*)$/;
const relative = /\d(?:em|ex|ch|lh|%)|\b(?:larger|smaller|bolder|lighter|calc)\b/i;

/**
 * The selector of a rule that would reach other elements with a plain host between the elements and their parent; undefined
 * when every rule goes on to mean the same.
 */
export function disturbedRule(
  composition: Composition,
  elements: readonly HtmlElement[],
  hostTag: string,
): string | undefined {
  const parent = elements[0]?.parent ?? null;
  for (const rule of placedRules(composition)) {
    const isCut = rule.selectors.some((selector) => cuts(selector, elements, parent));
    if (isCut || rule.selectors.some((selector) => hands(rule, selector, elements, hostTag))) return rule.prelude;
  }
  return undefined;
}

/** Whether a selector looks from the elements to their parent or siblings, or counts them. */
function cuts({ compounds, links }: Selector, elements: readonly HtmlElement[], parent: HtmlElement | null): boolean {
  const siblings = parent?.children ?? [];
  return compounds.some((compound, index) => {
    const before = links[index - 1];
    const behind = links[index];
    const other = compounds[index - 1];
    const next = compounds[index + 1];
    const isOurs = elements.some((element) => mayMatch(compound, element));
    const isAmong = (one: typeof other) => one !== undefined && siblings.some((element) => mayMatch(one, element));
    if (compound.isStructural && compound.others > 0) {
      // `:has()` of something around them, or a count among them and their siblings.
      if (isOurs || (parent !== null && mayMatch(compound, parent))) return true;
    }
    if (!isOurs) return false;
    if (before === '>' && other && parent && mayMatch(other, parent)) return true;
    return (
      ((before === '+' || before === '~') && isAmong(other)) || ((behind === '+' || behind === '~') && isAmong(next))
    );
  });
}

/** Whether a rule reaches a host without a class, and so what is in it. */
function hands(rule: CssRule, { compounds }: Selector, elements: readonly HtmlElement[], hostTag: string): boolean {
  const subject = compounds.at(-1);
  if (!subject || subject.classes.length + subject.ids.length + subject.others > 0) return false;
  const isAny = subject.tag === '*' || subject.tag === '';
  if (!isAny && subject.tag.toLowerCase() !== hostTag) return false;
  const reachesAll = elements.every((element) => mayMatch(subject, element));
  return declarationsIn(rule.block).some(
    ({ name, value }) => inherited.test(name) && (!reachesAll || relative.test(value)),
  );
}
