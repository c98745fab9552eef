// Hover inside the JSON of our attributes: variables, fields of declarations, fields and presets of gradings.
import { toFileSpan } from '../../renderer-core/model/attributeText.ts';
import {
  type AdjustKey,
  adjustLimits,
  gradingPresets,
  type PresetName,
} from '../../renderer-core/model/gradingPresets.ts';
import { jsonAt, jsonValue, readJson } from '../../renderer-core/model/jsonText.ts';
import { parseReference } from '../../renderer-core/model/references.ts';
import { type Span, touches } from '../../renderer-core/model/spans.ts';
import { shortForm } from '../../renderer-core/model/values.ts';
import type { FieldName, VariableType } from '../../renderer-core/model/variables.ts';
import { code, fieldDocs, typeDocs } from './describe.ts';
import type { SourceFile } from './file.ts';
import { adjustDocs, colorSpaceDocs, gradingFieldDocs, presetDocs } from './gradingDocs.ts';
import type { Facts } from './hover.ts';
import { variableFacts } from './hoverVariables.ts';
import { declaringFile } from './instanceTarget.ts';
import type { JsonPlace, Place } from './place.ts';

type JsonCursor = Place & { kind: 'json' };

/** Facts about the key or the scalar at a place. */
export function hoverJson(file: SourceFile, place: JsonCursor, offset: number): Facts | null {
  const { json, of: kind } = place;
  // A cursor inside a character reference can touch what stands in front of the character, but not in the file.
  if (!json?.token || !touches(json.token.span, offset)) return null;
  const text =
    kind === 'grading'
      ? gradingFacts(file, json)
      : kind === 'values'
        ? instanceFacts(file, place, json)
        : declarationFacts(file, place, json);
  return text === null ? null : { span: insideQuotes(place, json.token, offset), text };
}

/** The text of a string; with its quotes when the cursor stands in them or beside them. */
function insideQuotes(
  { text }: JsonCursor,
  { start, end, span }: NonNullable<JsonPlace['token']>,
  offset: number,
): Span {
  if (text.text[start] !== '"') return span;
  const isClosed = end - start > 1 && text.text[end - 1] === '"';
  const inside = toFileSpan(text, start + 1, isClosed ? end - 1 : end);
  return touches(inside, offset) ? inside : span;
}

function instanceFacts(file: SourceFile, { element }: JsonCursor, { path, isKey, token }: JsonPlace): string | null {
  const [id] = path;
  const declaring = declaringFile(file, element);
  if (!declaring || typeof id !== 'string' || path.length !== 1) return null;
  const facts = variableFacts(file, declaring, id);
  return facts === null || isKey || !token ? facts : `Here: ${code(shortForm(token.value))}\n\n${facts}`;
}

function declarationFacts(file: SourceFile, { text }: JsonCursor, { path, isKey, token }: JsonPlace): string | null {
  const [index, field] = path;
  if (index === undefined || typeof field !== 'string') return null;
  if (path.length === 2 && isKey) return Object.hasOwn(fieldDocs, field) ? fieldDocs[field as FieldName] : null;
  if (path.length > 2 && isKey) {
    return path.at(-1) === 'value'
      ? 'What the variable gets.'
      : path.at(-1) === 'label'
        ? 'What the editor shows.'
        : null;
  }
  const type = token?.value;
  if (field === 'type')
    return typeof type === 'string' && Object.hasOwn(typeDocs, type) ? typeDocs[type as VariableType] : null;
  const { root } = readJson(text);
  const id = root && jsonAt(root, [index, 'id']);
  return id ? variableFacts(file, file, String(jsonValue(id))) : null;
}

function gradingFacts(file: SourceFile, { path, isKey, token }: JsonPlace): string | null {
  const [field, adjusted] = path;
  const value = token?.value;
  if (!isKey && typeof value === 'string') {
    const name = parseReference(value);
    if (name !== undefined) return variableFacts(file, file, name);
    if (field === 'preset' && Object.hasOwn(gradingPresets, value)) return presetFacts(value as PresetName);
    if (field === 'colorSpace' && Object.hasOwn(colorSpaceDocs, value))
      return colorSpaceDocs[value as keyof typeof colorSpaceDocs];
  }
  if (field === 'adjust' && path.length === 2) {
    if (typeof adjusted !== 'string' || !Object.hasOwn(adjustDocs, adjusted)) return null;
    const limit = adjustLimits[adjusted as AdjustKey];
    return `${adjustDocs[adjusted as AdjustKey]} ${-limit} to ${limit}; 0 changes nothing.`;
  }
  const isField = path.length === 1 && typeof field === 'string' && Object.hasOwn(gradingFieldDocs, field);
  return isField ? gradingFieldDocs[field as keyof typeof gradingFieldDocs] : null;
}

/** What a preset does, and its amounts. */
function presetFacts(name: PresetName): string {
  const amounts = Object.entries(gradingPresets[name].adjust).map(([key, amount]) => `${key} ${amount}`);
  return `**${name}** — ${presetDocs[name]}${amounts.length > 0 ? `\n\n${code(amounts.join(', '))}` : ''}`;
}
