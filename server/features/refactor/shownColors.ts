// What can set a color of an element in its file: style attributes, attributes of drawings, and rules of style sheets.

import type { Composition } from '../../../renderer-core/model/composition.ts';
import { readAttributeText, toFileSpan } from '../../../renderer-core/model/text/attributeText.ts';
import { opaqueColor } from '../../../renderer-core/model/text/cssColors.ts';
import type { HtmlElement } from '../../../renderer-core/model/text/html.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import type { PaintName } from '../../protocol.ts';
import {
  blockSpan,
  type CssDeclaration,
  cssRules,
  declarationsBetween,
  parseSelector,
  splitOutside,
} from '../names/cssRules.ts';

/** For one element, or for those that match `selector`. `value` is at `span` of the file. */
export type ColorSource = { element?: HtmlElement; selector?: string; value: string; span: Span };

type Ranked = ColorSource & { rank: number[] };

/** The one that wins first, if several apply to an element. Rules in at-rules and nested rules are left out. */
export function colorSources(composition: Composition, name: PaintName): ColorSource[] {
  const found = [...inAttributes(composition, name), ...inSheets(composition, name)];
  return found.sort((a, b) => compare(b.rank, a.rank)).map(({ rank: _, ...source }) => source);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((one, index) => one !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function inAttributes({ html, text }: Composition, name: PaintName): Ranked[] {
  return html.elements.flatMap((element) => {
    const found: Ranked[] = [];
    const style = element.attributes.get('style');
    if (style?.valueSpan) {
      const css = readAttributeText(text, style.valueSpan, style.quote);
      const last = declarationsBetween(css.text, 0, css.text.length).filter(sets(name)).sort(byImportance).at(-1);
      if (last) {
        const { value, start, end } = colorIn(last);
        found.push({
          element,
          value,
          span: toFileSpan(css, start, end),
          rank: [Number(last.isImportant), 1, 0, 0, 0, 0],
        });
      }
    }
    const paint = name === 'fill' || name === 'stroke' ? element.attributes.get(name) : undefined;
    if (paint?.valueSpan) found.push({ element, value: paint.value.trim(), span: paint.valueSpan, rank: [0, -1] });
    return found;
  });
}

const byImportance = (a: CssDeclaration, b: CssDeclaration): number => Number(a.isImportant) - Number(b.isImportant);

const inSheets = (composition: Composition, name: PaintName): Ranked[] =>
  inRules(composition, sets(name)).map(({ declaration, offset, ...source }) => {
    const { value, start, end } = colorIn(declaration);
    return { ...source, value, span: { start: offset + start, end: offset + end } };
  });

/** `offset`: that of the style sheet in the file. */
type InRule = { selector: string; declaration: CssDeclaration; offset: number; rank: number[] };

/** The last of the declarations in each rule of the style sheets that is in no at-rule, for each selector of the rule. */
function inRules({ styles }: Composition, isWanted: (declaration: CssDeclaration) => boolean): InRule[] {
  let order = 0;
  return styles.flatMap(({ text, span }) =>
    cssRules(text)
      .filter(({ at, isOpaque, prelude }) => at.length === 0 && !isOpaque && !prelude.startsWith('@'))
      .flatMap((rule) => {
        const block = blockSpan(rule, text);
        order++;
        const last = declarationsBetween(text, block.start, block.end).filter(isWanted).sort(byImportance).at(-1);
        if (!last) return [];
        return splitOutside(rule.prelude, ',').map((selector) => ({
          selector: selector.trim(),
          declaration: last,
          offset: span.start,
          rank: [Number(last.isImportant), 0, ...specificity(selector), order],
        }));
      }),
  );
}

/** A declaration of a custom property. `selectors`: the elements that have it; none in at-rules. */
export type CustomProperty = { value: string; span: Span; selectors: string[] };

/** All declarations of a custom property in style sheets; the one that wins first, if several apply to an element. */
export function customProperties(composition: Composition, id: string): CustomProperty[] {
  const isWanted = ({ name }: CssDeclaration) => name === `--${id}`;
  const ranked = inRules(composition, isWanted).sort((a, b) => compare(b.rank, a.rank));
  const starts = ranked.map(({ declaration, offset }) => offset + declaration.start);
  const all = composition.styles.flatMap(({ text, span }) =>
    declarationsBetween(text, 0, text.length)
      .filter(isWanted)
      .map(
        ({ value, start, end }): CustomProperty => ({
          value,
          span: { start: span.start + start, end: span.start + end },
          selectors: ranked.filter((_, index) => starts[index] === span.start + start).map(({ selector }) => selector),
        }),
      ),
  );
  const place = ({ span }: CustomProperty) =>
    starts.includes(span.start) ? starts.indexOf(span.start) : starts.length;
  return all.sort((a, b) => place(a) - place(b));
}

const sets =
  (name: PaintName) =>
  (declaration: CssDeclaration): boolean =>
    declaration.name === name || (name === 'background-color' && declaration.name === 'background');

/** The number of IDs, of classes and attributes, and of tags. */
function specificity(selector: string): [number, number, number] {
  const { compounds } = parseSelector(selector);
  const sum = (count: (compound: (typeof compounds)[number]) => number) =>
    compounds.reduce((total, compound) => total + count(compound), 0);
  return [
    sum(({ ids }) => ids.length),
    sum(({ classes, others }) => classes.length + others),
    sum(({ tag }) => Number(tag !== '' && tag !== '*')),
  ];
}

/** The only color of a shorthand without images, otherwise the whole value. */
function colorIn({ name, value, start, end }: CssDeclaration): { value: string; start: number; end: number } {
  if (name !== 'background' || /gradient\(|image-set\(/i.test(value)) return { value, start, end };
  const colors = [...value.replace(/url\([^)]*\)/gi, (url) => ' '.repeat(url.length)).matchAll(word)].filter(
    ([text]) => opaqueColor(text) !== undefined || /^var\(/i.test(text),
  );
  const [only] = colors;
  if (!only || colors.length > 1) return { value, start, end };
  return { value: only[0], start: start + only.index, end: start + only.index + only[0].length };
}

const word = /(?:[\w#.%-]+\([^()]*\)|[^\s,/()]+)/g;
