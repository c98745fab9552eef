// Decides which style rules move with extracted elements, and which rules would no longer match as before.
import type { Composition, Style } from '../../../renderer-core/model/composition.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import { type CssRule, cssRules, declarationsIn, mayMatch, mayReach, type Selector } from '../names/cssRules.ts';

type Placed = CssRule & { style: Style };

/** `moved`: spans in the file. `remaining`: selectors of rules that match both the elements and others. */
export type MovedStyles = { moved: Span[]; remaining: string[] };

/**
 * A rule moves if it can match only the elements, and if the cascade does not change: rules in the new file are scoped, and
 * scoping counts more than the order of rules.
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
  return {
    moved,
    remaining: [...new Set(reaching.filter((rule) => !moving.includes(rule)).map(({ prelude }) => prelude))],
  };
}

function placedRules({ styles }: Composition): Placed[] {
  return styles.flatMap((style) => cssRules(style.text).map((rule) => ({ ...rule, style })));
}

const spanInFile = ({ span, style }: Placed): Span => ({
  start: style.span.start + span.start,
  end: style.span.start + span.end,
});

/** External style sheets, layers, scopes and `!important` change the cascade in ways that are not analyzed here. */
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

/** Whether a script mentions a class or ID other than in a lookup. It may then assign it to any element. */
function isGivenByCode(classes: readonly string[], ids: readonly string[], code: string): boolean {
  return [...classes, ...ids].some((name) =>
    new RegExp(`(?<![.#\\w-])${name.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`).test(code),
  );
}

/** Whether a later rule sets the same properties on an element that both rules match. */
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

/** Keyframes that only moving parts refer to. */
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

/** Inherited properties. */
const inherited =
  /^(?:color|font(?:-.*)?|letter-spacing|line-height|text-(?:align|indent|transform|shadow|wrap|rendering|anchor).*|visibility|white-space.*|word-.*|direction|writing-mode|quotes|list-style.*|fill|stroke.*|hyphens|tab-size|cursor|all|--.*)$/;
const relative = /\d(?:em|ex|ch|lh|%)|\b(?:larger|smaller|bolder|lighter|calc)\b/i;

/** The selector of a rule that would match differently with a host between the elements and their parent; undefined if none. */
export function brokenRule(
  composition: Composition,
  elements: readonly HtmlElement[],
  hostTag: string,
): string | undefined {
  const parent = elements[0]?.parent ?? null;
  for (const rule of placedRules(composition)) {
    const isCut = rule.selectors.some((selector) => crossesBoundary(selector, elements, parent));
    if (isCut || rule.selectors.some((selector) => inheritsIntoHost(rule, selector, elements, hostTag)))
      return rule.prelude;
  }
  return undefined;
}

/** Whether a selector relates the elements to their parent or siblings, or counts them. */
function crossesBoundary(
  { compounds, links }: Selector,
  elements: readonly HtmlElement[],
  parent: HtmlElement | null,
): boolean {
  const siblings = parent?.children ?? [];
  return compounds.some((compound, index) => {
    const before = links[index - 1];
    const behind = links[index];
    const other = compounds[index - 1];
    const next = compounds[index + 1];
    const isOurs = elements.some((element) => mayMatch(compound, element));
    const isAmong = (one: typeof other) => one !== undefined && siblings.some((element) => mayMatch(one, element));
    if (compound.isStructural && compound.others > 0) {
      // `:has()` on an ancestor, or a count among the elements and their siblings.
      if (isOurs || (parent !== null && mayMatch(compound, parent))) return true;
    }
    if (!isOurs) return false;
    if (before === '>' && other && parent && mayMatch(other, parent)) return true;
    return (
      ((before === '+' || before === '~') && isAmong(other)) || ((behind === '+' || behind === '~') && isAmong(next))
    );
  });
}

/** Whether a rule matches a host without a class, and its content inherits from it. */
function inheritsIntoHost(
  rule: CssRule,
  { compounds }: Selector,
  elements: readonly HtmlElement[],
  hostTag: string,
): boolean {
  const subject = compounds.at(-1);
  if (!subject || subject.classes.length + subject.ids.length + subject.others > 0) return false;
  const isAny = subject.tag === '*' || subject.tag === '';
  if (!isAny && subject.tag.toLowerCase() !== hostTag) return false;
  const reachesAll = elements.every((element) => mayMatch(subject, element));
  return declarationsIn(rule.block).some(
    ({ name, value }) => inherited.test(name) && (!reachesAll || relative.test(value)),
  );
}
