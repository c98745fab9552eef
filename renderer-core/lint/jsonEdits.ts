// Edits of JSON inside an attribute: values replaced, members and items added and removed, in the author's own layout.

import { encodeAttributeText } from '../model/attributeText.ts';
import type { JsonNode } from '../model/jsonText.ts';
import { type Span, textOf } from '../model/spans.ts';
import { quoteAround } from './attributeEdits.ts';
import type { TextEdit } from './finding.ts';

/** A file's text and the span of the attribute value that holds the JSON. */
export type JsonPlace = { text: string; span: Span };

export function replaceJson(place: JsonPlace, span: Span, value: unknown): TextEdit {
  return { span, text: written(place, JSON.stringify(value)) };
}

/** Puts a member behind the others of an object, set apart as they are. */
export function addMember(
  place: JsonPlace,
  node: JsonNode & { kind: 'object' },
  key: string,
  value: unknown,
): TextEdit {
  const last = node.members.at(-1);
  if (!last) return replaceJson(place, node.span, { [key]: value });
  const between = last.value && textOf(place.text, { start: last.keySpan.end, end: last.value.span.start });
  const colon = between !== undefined && /^\s*:\s*$/.test(between) ? between : ':';
  const member = `${written(place, JSON.stringify(key))}${colon}${written(place, JSON.stringify(value))}`;
  return { span: behind(last), text: separator(place, node, node.members) + member };
}

/** Puts an item behind the others of an array, set apart as they are. */
export function addItem(place: JsonPlace, node: JsonNode & { kind: 'array' }, value: unknown): TextEdit {
  const last = node.items.at(-1);
  if (!last) return replaceJson(place, node.span, [value]);
  return { span: behind(last), text: separator(place, node, node.items) + written(place, JSON.stringify(value)) };
}

/** Takes one of the members of an object, or of the items of an array, away with its comma. */
export function removeAt(siblings: readonly { span: Span }[], index: number): TextEdit {
  const { span } = siblings[index] ?? { span: { start: 0, end: 0 } };
  const next = siblings[index + 1];
  const previous = siblings[index - 1];
  if (next) return { span: { start: span.start, end: next.span.start }, text: '' };
  return { span: { start: previous?.span.end ?? span.start, end: span.end }, text: '' };
}

const written = ({ text, span }: JsonPlace, json: string): string => encodeAttributeText(json, quoteAround(text, span));

const behind = ({ span }: { span: Span }): Span => ({ start: span.end, end: span.end });

/** A comma with the white space that stands between the last two; of a single one, what stands in front of it. */
function separator({ text }: JsonPlace, node: JsonNode, siblings: readonly { span: Span }[]): string {
  const last = siblings.at(-1)?.span ?? node.span;
  const before = siblings.at(-2)?.span.end;
  const between = text.slice(before ?? node.span.start, last.start);
  const space = /^[,[{]?(\s*)$/.exec(between)?.[1];
  if (space !== undefined && (before !== undefined || space.includes('\n'))) return `,${space}`;
  return /[:,]\s/.test(textOf(text, node.span)) ? ', ' : ',';
}
