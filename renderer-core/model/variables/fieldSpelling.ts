// Finds keys of a declaration that are typos of a field. Other unknown keys belong to other tools and are fine.
import { type JsonMember, type JsonNode, jsonMember } from '../text/jsonText.ts';
import { editDistance } from '../text/suggest.ts';
import { declarationFields, type FieldName, type VariableType } from './variables.ts';

const fieldNames = Object.keys(declarationFields) as FieldName[];

export const isFieldName = (name: string): name is FieldName => Object.hasOwn(declarationFields, name);

/**
 * The field that a key stands for if it is misspelled. The declaration must not have the field, and the value must suit it.
 * `type`: the type of the variable; undefined if unknown.
 */
export function meantField(node: JsonNode, { key, value }: JsonMember, type?: VariableType): FieldName | undefined {
  if (isFieldName(key)) return undefined;
  return fieldNames.find((name) => {
    const { json, on } = declarationFields[name];
    const fits = (json === 'any' || value?.kind === json) && (type === undefined || on.includes(type));
    return fits && isTypo(key, name) && !jsonMember(node, name);
  });
}

/** The member of a declaration whose key is a typo of a field; undefined if the declaration has the field. */
export function misspelledField(node: JsonNode, name: FieldName, type?: VariableType): JsonMember | undefined {
  return node.kind === 'object' ? node.members.find((member) => meantField(node, member, type) === name) : undefined;
}

/** The misspelled keys of an item of `options`. */
export function misspelledInOption(option: JsonNode): { member: JsonMember; meant: string }[] {
  if (option.kind !== 'object') return [];
  const missing = ['value', 'label'].filter((name) => !jsonMember(option, name));
  return option.members.flatMap((member) => {
    const meant = missing.find((name) => isTypo(member.key, name));
    return meant !== undefined && member.value?.kind === 'string' ? [{ member, meant }] : [];
  });
}

export const misspelledMessage = (key: string, meant: string): string =>
  `Unknown field "${key}"; did you mean "${meant}"?`;

/** Stricter than a suggestion for a wrong name, because a key of another tool is not a mistake: `minLength`, `role`. */
function isTypo(written: string, name: string): boolean {
  const lower = written.toLowerCase();
  if (lower === name.toLowerCase()) return written !== name;
  const allowed = name.length >= 10 ? 2 : written.length >= 3 && name.length >= 3 ? 1 : 0;
  return editDistance(lower, name.toLowerCase(), allowed + 1) <= allowed;
}
