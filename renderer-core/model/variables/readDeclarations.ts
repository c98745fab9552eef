// Reads the declarations of variables from `data-composition-variables`: the usable ones, and the rejected ones with the reason.
import { attr } from '../attributes.ts';
import type { AttributeText } from '../text/attributeText.ts';
import { type JsonMember, type JsonNode, jsonMember, jsonValue, kindName, readJson } from '../text/jsonText.ts';
import type { Span } from '../text/spans.ts';
import { didYouMean } from '../text/suggest.ts';
import { isFieldName, meantField, misspelledField, misspelledInOption, misspelledMessage } from './fieldSpelling.ts';
import { fitsType, formatValue, reservedId } from './values.ts';
import {
  type Declarations,
  type DeclaredVariable,
  declarationFields,
  type FieldName,
  type IgnoredField,
  type RejectedDeclaration,
  type RejectionReason,
  type VariableDeclaration,
  type VariableOption,
  type VariableType,
  variableTypes,
} from './variables.ts';

const isVariableType = (name: unknown): name is VariableType => variableTypes.some((type) => type === name);

/**
 * Reads the declarations. A declaration is valid if it has a unique string id, a known type, and no default or one of that
 * type; the others are listed as rejected. Invalid JSON declares nothing and is reported as `problem`.
 */
export function readDeclarations(source: AttributeText): Declarations {
  const json = readJson(source, { name: attr.compositionVariables });
  const result: Declarations = { declared: [], rejected: [], span: source.span, json };
  if (json.problem || !json.root) return { ...result, ...(json.problem && { problem: json.problem }) };
  if (json.root.kind === 'string' && json.root.isPlaceholder) return { ...result, isUnknown: true };
  if (json.root.kind !== 'array') {
    return { ...result, problem: { message: notAnArray(json.root), span: json.root.span } };
  }
  const seen = new Set<string>();
  for (const item of json.root.items) {
    const read = readDeclaration(item, seen);
    if ('reason' in read) result.rejected.push(read);
    else {
      seen.add(read.declaration.id);
      result.declared.push(read);
    }
  }
  return result;
}

/** In the notation of other tools, the declarations are members of an object. */
function notAnArray(root: JsonNode): string {
  const name = root.kind === 'object' ? root.members.find(({ value }) => value?.kind === 'object')?.key : undefined;
  return name === undefined
    ? `${attr.compositionVariables} must be a JSON array, [{"id": …}] (got ${kindName(root)})`
    : `${attr.compositionVariables} must be a JSON array, [{"id": …}]: the key "${name}" is the "id" of an item`;
}

function readDeclaration(node: JsonNode, seen: ReadonlySet<string>): DeclaredVariable | RejectedDeclaration {
  const declarationSpan = node.span;
  const id = jsonMember(node, 'id')?.value;
  const misspelledId = misspelledField(node, 'id');
  const idOrMeant = id ?? misspelledId?.value;
  const known = idOrMeant?.kind === 'string' ? { id: idOrMeant.value } : {};
  const reject = (reason: RejectionReason, span: Span, message: string): RejectedDeclaration => ({
    reason,
    message,
    span,
    declarationSpan,
    ...known,
  });
  if (node.kind !== 'object')
    return reject('not-an-object', node.span, `A declaration must be a JSON object (got ${kindName(node)})`);
  if (misspelledId) return reject('missing-id', misspelledId.keySpan, misspelledMessage(misspelledId.key, 'id'));
  if (!id) return reject('missing-id', node.span, 'The declaration has no "id"');
  if (id.kind !== 'string' || id.value === '' || id.value === reservedId) {
    const why =
      id.kind === 'string'
        ? `"id" must not be ${formatValue(id.value)}`
        : `"id" must be a string (got ${kindName(id)})`;
    return reject('invalid-id', id.span, why);
  }
  if (seen.has(id.value)) {
    return reject('duplicate-id', id.span, `"${id.value}" is already declared; only the first declaration is used`);
  }
  const type = jsonMember(node, 'type')?.value;
  const misspelledType = misspelledField(node, 'type');
  if (misspelledType)
    return reject('missing-type', misspelledType.keySpan, misspelledMessage(misspelledType.key, 'type'));
  if (!type)
    return reject(
      'missing-type',
      node.span,
      `Variable "${id.value}" has no "type"; use one of ${variableTypes.join(', ')}`,
    );
  const typeName = jsonValue(type);
  if (!isVariableType(typeName)) {
    const hint = typeof typeName === 'string' ? didYouMean(typeName, variableTypes) : '';
    const message = `Unknown variable type ${formatValue(typeName)}; use one of ${variableTypes.join(', ')}${hint}`;
    return reject('unknown-type', type.span, message);
  }
  const given = jsonMember(node, 'default')?.value;
  if (given && !isUnknown(given) && !fitsType(typeName, jsonValue(given))) {
    const message = `The default of "${id.value}" must be ${defaultShape[typeName]} (got ${formatValue(jsonValue(given))})`;
    return reject('default-mismatch', given.span, message);
  }
  return readFields(node, id.value, typeName, id.span);
}

const isUnknown = (node: JsonNode): boolean => node.kind === 'string' && node.isPlaceholder === true;

const defaultShape: Record<VariableType, string> = {
  string: 'a string',
  number: 'a number',
  color: 'a color as #rrggbb',
  boolean: 'true or false',
  enum: 'a string, the value of one of its options',
};

function readFields(
  node: JsonNode & { kind: 'object' },
  id: string,
  type: VariableType,
  idSpan: Span,
): DeclaredVariable {
  const declaration: VariableDeclaration & Partial<Record<FieldName, unknown>> = { id, type };
  const variable: DeclaredVariable = { declaration, span: node.span, idSpan, fields: {}, optionSpans: [], ignored: [] };
  // The last of equal keys wins, as in JSON.parse.
  for (const member of new Map(node.members.map((each) => [each.key, each])).values()) {
    if (!member.value) continue;
    const wrong = whyIgnored(node, member, type);
    if (wrong) variable.ignored.push({ field: member.key, span: member.span, ...wrong });
    else if (isFieldName(member.key)) {
      variable.fields[member.key] = { span: member.span, keySpan: member.keySpan, valueSpan: member.value.span };
      if (member.key === 'options') readOptions(member.value, variable);
      else if (!isUnknown(member.value)) Object.assign(declaration, { [member.key]: jsonValue(member.value) });
    }
  }
  return variable;
}

/** Why a field is ignored; undefined if it is used, or unknown and therefore for another tool. */
function whyIgnored(
  node: JsonNode,
  member: JsonMember,
  type: VariableType,
): Omit<IgnoredField, 'field' | 'span'> | undefined {
  if (!isFieldName(member.key)) {
    const meant = meantField(node, member, type);
    return meant && { reason: 'misspelled', message: misspelledMessage(member.key, meant), meant };
  }
  const { json, on } = declarationFields[member.key];
  if (!on.includes(type)) {
    return {
      reason: 'wrong-place',
      message: `"${member.key}" applies only to ${on.join(', ')} variables, not to type "${type}"`,
    };
  }
  if (json !== 'any' && member.value && !isUnknown(member.value) && member.value.kind !== json) {
    const message = `"${member.key}" must be ${json === 'array' ? 'an' : 'a'} ${json} (got ${kindName(member.value)})`;
    return { reason: 'wrong-type', message };
  }
  return undefined;
}

/** Reads the options with a string value. An option without a label uses its value as the label. */
function readOptions(node: JsonNode, variable: DeclaredVariable): void {
  if (node.kind !== 'array') return;
  const options: VariableOption[] = [];
  for (const item of node.items) {
    const value = jsonMember(item, 'value')?.value;
    const label = jsonMember(item, 'label')?.value;
    if (value?.kind === 'string') {
      options.push({ value: value.value, label: label?.kind === 'string' ? label.value : value.value });
      variable.optionSpans.push(item.span);
    }
    const typos = misspelledInOption(item);
    for (const { member, meant } of typos) {
      const message = misspelledMessage(member.key, meant);
      variable.ignored.push({ field: 'options', reason: 'misspelled', message, span: member.span, meant });
    }
    if (typos.length === 0 && (value?.kind !== 'string' || label?.kind !== 'string')) {
      const message = 'An option must be an object with a string "value" and a string "label"';
      variable.ignored.push({ field: 'options', reason: 'wrong-type', message, span: item.span });
    }
  }
  variable.declaration.options = options;
}

/** Whether the declarations could be read, so that reads and values can be compared with them. */
export const areKnown = ({ problem, isUnknown }: Declarations): boolean => problem === undefined && !isUnknown;

/** The ids of declarations that cannot be used. */
export const invalidIds = ({ rejected }: Declarations): string[] => rejected.flatMap(({ id }) => id ?? []);
