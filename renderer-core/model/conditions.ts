// `data-var-if`: elements that exist only if a variable has a value. The assembly of the page leaves the others out.
import { attr } from './attributes.ts';
import { readAttributeText, toFileSpan } from './text/attributeText.ts';
import type { HtmlElement } from './text/html.ts';
import type { Span } from './text/spans.ts';
import type { ProblemSink } from './variables/fields.ts';

/**
 * `badge`, `!badge`, `plan=pro` or `plan!=pro`. `id` and `value` have the spans of their texts; `value` is null if only
 * whether there is a value counts.
 */
export type Condition = {
  element: HtmlElement;
  id: { text: string; span: Span };
  isNegated: boolean;
  value: { text: string; span: Span } | null;
};

const form = /^(\s*)(!\s*)?([^\s=!]+)\s*(?:(!?=)\s*([^=!].*?)?)?\s*$/s;

/** The condition of an element, which must have one; undefined after a problem. Never throws. */
export function readCondition(
  text: string,
  element: HtmlElement,
  problems: ProblemSink<'invalid-condition'>,
): Condition | undefined {
  const attribute = element.attributes.get(attr.varIf);
  if (!attribute || attribute.hasPlaceholder) return undefined;
  const span = attribute.valueSpan ?? attribute.nameSpan;
  const written = readAttributeText(text, span, attribute.quote);
  const [, space = '', not = '', id, operator, value] = (attribute.valueSpan && form.exec(written.text)) || [];
  const isUnreadable = id === undefined || (not !== '' && operator !== undefined) || (operator && value === undefined);
  if (isUnreadable) {
    const message = `${attr.varIf} must be a variable, !variable, variable=value or variable!=value (got "${written.text.trim()}")`;
    problems.push({ code: 'invalid-condition', severity: 'error', message, span });
    return undefined;
  }
  const at = space.length + not.length;
  const part = (start: number, length: number) => toFileSpan(written, start, start + length);
  const valueAt =
    value === undefined ? 0 : written.text.lastIndexOf(value, written.text.trimEnd().length - value.length);
  return {
    element,
    id: { text: id, span: part(at, id.length) },
    isNegated: not !== '' || operator === '!=',
    value: value === undefined ? null : { text: value, span: part(valueAt, value.length) },
  };
}

/** Whether an element exists with these values. Empty texts, 0, false and missing values count as no. */
export function holds({ id, isNegated, value }: Condition, values: Readonly<Record<string, unknown>>): boolean {
  const given = Object.hasOwn(values, id.text) ? values[id.text] : undefined;
  const isMet = value === null ? Boolean(given) : given !== undefined && String(given) === value.text;
  return isMet !== isNegated;
}
