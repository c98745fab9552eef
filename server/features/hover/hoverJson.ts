// Hover inside JSON attributes: variables, fields of declarations, fields and presets of gradings.

import {
  type AdjustKey,
  adjustLimits,
  gradingPresets,
  type PresetName,
} from '../../../renderer-core/model/grading/gradingPresets.ts';
import { parseReference } from '../../../renderer-core/model/references.ts';
import { toFileSpan } from '../../../renderer-core/model/text/attributeText.ts';
import { jsonAt, jsonValue, readJson } from '../../../renderer-core/model/text/jsonText.ts';
import { type Span, touches } from '../../../renderer-core/model/text/spans.ts';
import { passedName } from '../../../renderer-core/model/variables/passedValues.ts';
import { formatValue } from '../../../renderer-core/model/variables/values.ts';
import type { FieldName, VariableType } from '../../../renderer-core/model/variables/variables.ts';
import type { CursorContext, JsonContext } from '../cursorContext.ts';
import { declaringFile } from '../declaringFile.ts';
import type { SourceFile } from '../sourceFile.ts';
import { describeArrivals } from './describePassed.ts';
import { describeVariable } from './describeVariable.ts';
import { fieldDocs, type HoverText, inlineCode, typeDocs } from './descriptions.ts';
import { adjustDocs, colorSpaceDocs, gradingFieldDocs, presetDocs } from './gradingDocs.ts';

type JsonCursor = CursorContext & { kind: 'json' };

/** Describes the key or scalar at the cursor. */
export function hoverJson(file: SourceFile, context: JsonCursor, offset: number): HoverText | null {
  const { json, of: kind } = context;
  // Inside a character reference, the cursor touches the previous token in the decoded text but not in the file.
  if (!json?.token || !touches(json.token.span, offset)) return null;
  const text =
    kind === 'grading'
      ? gradingText(file, json)
      : kind === 'values'
        ? instanceText(file, context, json)
        : declarationText(file, context, json);
  return text === null ? null : { span: insideQuotes(context, json.token, offset), text };
}

/** A string without its quotes, or with them if the cursor is at a quote. */
function insideQuotes(
  { text }: JsonCursor,
  { start, end, span }: NonNullable<JsonContext['token']>,
  offset: number,
): Span {
  if (text.text[start] !== '"') return span;
  const isClosed = end - start > 1 && text.text[end - 1] === '"';
  const inside = toFileSpan(text, start + 1, isClosed ? end - 1 : end);
  return touches(inside, offset) ? inside : span;
}

function instanceText(file: SourceFile, { element }: JsonCursor, { path, isKey, token }: JsonContext): string | null {
  const [id] = path;
  const declaring = declaringFile(file, element);
  if (!declaring || typeof id !== 'string' || path.length !== 1) return null;
  const name = isKey ? undefined : passedName(token?.value);
  if (name !== undefined) return passedText(file, name);
  const facts = describeVariable(file, declaring, id);
  return facts === null || isKey || !token ? facts : `Here: ${inlineCode(formatValue(token.value))}\n\n${facts}`;
}

/** Describes the variable that a value refers to, and the values that it passes on. */
function passedText(file: SourceFile, name: string): string | null {
  const facts = describeVariable(file, file, name);
  const arrivals = describeArrivals(file, file, name);
  return facts && `${facts}\n\n${arrivals === '' ? 'No value is passed on.' : `Passes on\n${arrivals}`}`;
}

function declarationText(file: SourceFile, { text }: JsonCursor, { path, isKey, token }: JsonContext): string | null {
  const [index, field] = path;
  if (index === undefined || typeof field !== 'string') return null;
  if (path.length === 2 && isKey) return Object.hasOwn(fieldDocs, field) ? fieldDocs[field as FieldName] : null;
  if (path.length > 2 && isKey) {
    return path.at(-1) === 'value'
      ? 'Value that the variable receives.'
      : path.at(-1) === 'label'
        ? 'Display name of the option.'
        : null;
  }
  const type = token?.value;
  if (field === 'type')
    return typeof type === 'string' && Object.hasOwn(typeDocs, type) ? typeDocs[type as VariableType] : null;
  const { root } = readJson(text);
  const id = root && jsonAt(root, [index, 'id']);
  return id ? describeVariable(file, file, String(jsonValue(id))) : null;
}

function gradingText(file: SourceFile, { path, isKey, token }: JsonContext): string | null {
  const [field, adjusted] = path;
  const value = token?.value;
  if (!isKey && typeof value === 'string') {
    const name = parseReference(value);
    if (name !== undefined) return describeVariable(file, file, name);
    if (field === 'preset' && Object.hasOwn(gradingPresets, value)) return presetText(value as PresetName);
    if (field === 'colorSpace' && Object.hasOwn(colorSpaceDocs, value))
      return colorSpaceDocs[value as keyof typeof colorSpaceDocs];
  }
  if (field === 'adjust' && path.length === 2) {
    if (typeof adjusted !== 'string' || !Object.hasOwn(adjustDocs, adjusted)) return null;
    const limit = adjustLimits[adjusted as AdjustKey];
    return `${adjustDocs[adjusted as AdjustKey]} ${-limit} to ${limit}; 0 has no effect.`;
  }
  const isField = path.length === 1 && typeof field === 'string' && Object.hasOwn(gradingFieldDocs, field);
  return isField ? gradingFieldDocs[field as keyof typeof gradingFieldDocs] : null;
}

/** A preset's description and its values. */
function presetText(name: PresetName): string {
  const amounts = Object.entries(gradingPresets[name].adjust).map(([key, amount]) => `${key} ${amount}`);
  return `**${name}** — ${presetDocs[name]}${amounts.length > 0 ? `\n\n${inlineCode(amounts.join(', '))}` : ''}`;
}
