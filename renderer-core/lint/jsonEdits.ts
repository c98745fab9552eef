// Creates edits of JSON in an attribute, which keep the author's formatting.

import { encodeAttributeText } from '../model/text/attributeText.ts';
import type { JsonNode } from '../model/text/jsonText.ts';
import { type Span, textOf } from '../model/text/spans.ts';
import { quoteAround } from './attributeEdits.ts';
import type { TextEdit } from './finding.ts';

/** A file's text and the span of the attribute value that holds the JSON. */
export type JsonLocation = { text: string; span: Span };

export function replaceJson(place: JsonLocation, span: Span, value: unknown): TextEdit {
  return { span, text: written(place, JSON.stringify(value)) };
}

/** Adds a member at the end of an object, with the same separators as the others. */
export function addMember(
  place: JsonLocation,
  node: JsonNode & { kind: 'object' },
  key: string,
  value: unknown,
): TextEdit {
  const last = node.members.at(-1);
  if (!last) return replaceJson(place, node.span, { [key]: value });
  const between = last.value && textOf(place.text, { start: last.keySpan.end, end: last.value.span.start });
  const colon = between !== undefined && /^\s*:\s*$/.test(between) ? between : ':';
  const member = `${written(place, JSON.stringify(key))}${colon}${written(place, JSON.stringify(value))}`;
  return { span: endOf(last), text: separator(place, node, node.members) + member };
}

/** Adds an item at the end of an array, with the same separators as the others. */
export function addItem(place: JsonLocation, node: JsonNode & { kind: 'array' }, value: unknown): TextEdit {
  const last = node.items.at(-1);
  if (!last) return replaceJson(place, node.span, [value]);
  return { span: endOf(last), text: separator(place, node, node.items) + written(place, JSON.stringify(value)) };
}

/** Removes a member of an object or an item of an array, with its comma. */
export function removeAt(siblings: readonly { span: Span }[], index: number): TextEdit {
  const { span } = siblings[index] ?? { span: { start: 0, end: 0 } };
  const next = siblings[index + 1];
  const previous = siblings[index - 1];
  if (next) return { span: { start: span.start, end: next.span.start }, text: '' };
  return { span: { start: previous?.span.end ?? span.start, end: span.end }, text: '' };
}

const written = ({ text, span }: JsonLocation, json: string): string =>
  encodeAttributeText(json, quoteAround(text, span));

const endOf = ({ span }: { span: Span }): Span => ({ start: span.end, end: span.end });

/** A comma with the whitespace between the last two siblings, or before a single one. */
function separator({ text }: JsonLocation, node: JsonNode, siblings: readonly { span: Span }[]): string {
  const last = siblings.at(-1)?.span ?? node.span;
  const before = siblings.at(-2)?.span.end;
  const between = text.slice(before ?? node.span.start, last.start);
  const space = /^[,[{]?(\s*)$/.exec(between)?.[1];
  if (space !== undefined && (before !== undefined || space.includes('\n'))) return `,${space}`;
  return /[:,]\s/.test(textOf(text, node.span)) ? ', ' : ',';
}
