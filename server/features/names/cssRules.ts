// Parses style rules and their selectors far enough to decide which elements a rule can match.
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';

/**
 * `span` covers the whole rule in its style sheet. `at`: the preludes of the enclosing at-rules. `isOpaque`: rules are nested
 * in it. At-rules without rules for elements (`@keyframes`, `@font-face`) have no selectors.
 */
export type CssRule = {
  selectors: Selector[];
  prelude: string;
  block: string;
  span: Span;
  at: string[];
  isOpaque: boolean;
};

/** `links[i]` is the combinator between compounds i and i + 1. `isPlain`: only names, classes, IDs and descendants. */
export type Selector = { compounds: Compound[]; links: string[]; isPlain: boolean };

/** The conditions on one element. Attributes and pseudo-classes are only counted, because callers may not know their values. */
export type Compound = {
  tag: string;
  ids: string[];
  classes: string[];
  /** Whether it depends on the element's siblings or content. */
  isStructural: boolean;
  others: number;
};

const token =
  /\/\*[\s\S]*?(?:\*\/|$)|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*){0,9999}"?|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*){0,9999}'?|\\[\s\S]|[{};]/g;
const holdsRules = /^@(?:media|supports|container|layer|scope|starting-style)\b/i;

/** The rules in source order. Never throws; an unclosed rule ends at the end of the style sheet. */
export function cssRules(css: string): CssRule[] {
  const rules: CssRule[] = [];
  const around: string[] = [];
  let start = 0;
  let open: { rule: CssRule; blockStart: number; depth: number } | undefined;
  const close = (end: number, blockEnd: number) => {
    if (!open) return;
    open.rule.block = css.slice(open.blockStart, blockEnd);
    open.rule.span.end = end;
    rules.push(open.rule);
    open = undefined;
  };
  for (const { 0: sign, index } of css.matchAll(token)) {
    const behind = index + 1;
    if (open) {
      if (sign === '{') [open.rule.isOpaque, open.depth] = [true, open.depth + 1];
      if (sign === '}' && open.depth > 0) open.depth--;
      else if (sign === '}') close(behind, index);
      if (open) continue;
    } else if (sign === '{') {
      const from = start + leadingSpace(css.slice(start, index));
      const prelude = withoutComments(css.slice(from, index)).trim();
      if (holdsRules.test(prelude)) around.push(prelude);
      else {
        const selectors = prelude.startsWith('@') ? [] : parseSelectors(prelude);
        const rule = {
          selectors,
          prelude,
          block: '',
          span: { start: from, end: css.length },
          at: [...around],
          isOpaque: false,
        };
        open = { rule, blockStart: behind, depth: 0 };
      }
    } else if (sign === '}') around.pop();
    else if (sign !== ';') continue;
    start = behind;
  }
  close(css.length, css.length);
  return rules;
}

/** The length of the white space and comments before a rule. */
function leadingSpace(text: string): number {
  return /^(?:\s|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0].length ?? 0;
}

const withoutComments = (css: string): string => css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');

function parseSelectors(prelude: string): Selector[] {
  return splitOutside(prelude, ',').map(parseSelector);
}

const part =
  /\s*([>+~])\s*|(\s+)|([.#])((?:[\w\u0080-\uFFFF-]|\\.)+)|(\[[^\]]*\]?)|(::?[\w-]+)(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?|([\w*|\u0080-\uFFFF-]+)|([\s\S])/g;
const structural = /^::?(?:nth-|first-|last-|only-|empty|has|is|where|not|host|scope)/;

/** Never throws: unknown syntax makes the selector not plain. */
export function parseSelector(text: string): Selector {
  const selector: Selector = { compounds: [newCompound()], links: [], isPlain: true };
  for (const [, link, space, mark, name = '', attribute, pseudo, argument, tag, other] of text.trim().matchAll(part)) {
    const compound = selector.compounds.at(-1) ?? newCompound();
    if (link !== undefined || space !== undefined) {
      selector.links.push(link ?? ' ');
      selector.compounds.push(newCompound());
    } else if (mark === '#') compound.ids.push(name);
    else if (mark === '.') compound.classes.push(name);
    else if (tag !== undefined) compound.tag = tag;
    else {
      compound.others++;
      const isStructural = pseudo !== undefined && structural.test(pseudo.toLowerCase());
      if (isStructural || (pseudo === undefined && attribute === undefined)) compound.isStructural = true;
      if (argument !== undefined || other !== undefined || isStructural) selector.isPlain = false;
    }
    if (link !== undefined && link !== '>') selector.isPlain = false;
  }
  return selector;
}

const newCompound = (): Compound => ({ tag: '', ids: [], classes: [], isStructural: false, others: 0 });

/** Whether an element can match, judging by tag, IDs and classes. */
export function mayMatch({ tag, ids, classes }: Compound, element: HtmlElement): boolean {
  if (tag !== '' && tag !== '*' && tag.toLowerCase() !== element.tag.toLowerCase()) return false;
  const own = classesOf(element);
  return ids.every((id) => id === element.attributes.get('id')?.value) && classes.every((name) => own.includes(name));
}

/** Whether an element can match the whole selector. Sibling combinators are assumed to match. */
export function mayReach({ compounds, links }: Selector, element: HtmlElement): boolean {
  const subject = compounds.at(-1);
  if (!subject || !mayMatch(subject, element)) return false;
  let at: HtmlElement | null = element;
  for (let i = compounds.length - 2; i >= 0; i--) {
    const compound = compounds[i];
    if (!compound) return false;
    const link = links[i];
    if (link === '+' || link === '~') return true;
    at = at.parent;
    while (link !== '>' && at && !mayMatch(compound, at)) at = at.parent;
    if (!at || !mayMatch(compound, at)) return false;
  }
  return true;
}

export function classesOf({ attributes }: HtmlElement): string[] {
  return (attributes.get('class')?.value ?? '').split(/\s+/).filter((name) => name !== '');
}

/** A declaration in a style sheet or a `style` attribute. `start` and `end` are those of its value, without `!important`. */
export type CssDeclaration = { name: string; value: string; start: number; end: number; isImportant: boolean };

const declaration =
  /([-\w]+)\s*:\s*((?:[^;{}"'()]|"[^"\n]*"|'[^'\n]*'|\((?:[^()"']|"[^"\n]*"|'[^'\n]*'|\([^()]*\))*\))*)/g;

/** The declarations between `start` and `end`, which contain no nested rules. */
export function declarationsBetween(css: string, start: number, end: number): CssDeclaration[] {
  const text = css.slice(start, end).replace(/\/\*[\s\S]*?(?:\*\/|$)/g, (comment) => ' '.repeat(comment.length));
  return [...text.matchAll(declaration)].map(({ 0: whole, 1: name = '', 2: written = '', index }) => {
    const value = written.replace(/\s*!\s*important\s*$/i, '').trimEnd();
    const from = start + index + whole.length - written.length;
    return {
      name: name.startsWith('--') ? name : name.toLowerCase(),
      value,
      start: from,
      end: from + value.length,
      isImportant: /!\s*important\s*$/i.test(written),
    };
  });
}

/** The block of a rule, without its braces. */
export function blockSpan({ block, span }: CssRule, css: string): Span {
  const isClosed = css[span.end - 1] === '}' && span.start + block.length < span.end - 1;
  const end = span.end - (isClosed ? 1 : 0);
  return { start: end - block.length, end };
}

/** The declarations in a block. */
export function declarationsIn(block: string): { name: string; value: string }[] {
  return splitOutside(withoutComments(block), ';').flatMap((text) => {
    const colon = text.indexOf(':');
    return colon < 0 ? [] : [{ name: text.slice(0, colon).trim().toLowerCase(), value: text.slice(colon + 1).trim() }];
  });
}

/** Splits at a character outside of brackets and strings. */
export function splitOutside(text: string, sign: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: found, index } of text.matchAll(/\\[\s\S]|"[^"]*"?|'[^']*'?|[()[\],;]/g)) {
    if (found === '(' || found === '[') depth++;
    else if (found === ')' || found === ']') depth--;
    else if (found === sign && depth <= 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)].filter((one) => one.trim() !== '');
}
