// Where the value of a variable comes from in one instance of a composition file, and the edit of that place.

import { addAttribute, setAttribute } from '../../../renderer-core/lint/attributeEdits.ts';
import type { TextEdit } from '../../../renderer-core/lint/finding.ts';
import { addMember, replaceJson } from '../../../renderer-core/lint/jsonEdits.ts';
import { attr } from '../../../renderer-core/model/attributes.ts';
import type { Host, InstanceValue } from '../../../renderer-core/model/instances.ts';
import { passedName } from '../../../renderer-core/model/variables/passedValues.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import type { HostLocation } from '../../protocol.ts';
import type { SourceFile } from '../sourceFile.ts';

type Found = { id: string; declaration: VariableDeclaration | undefined; value: unknown };

/** A draft value or default of the previewed composition, or a value that a host gives or could give. */
export type GivenValue =
  | (Found & { from: 'draft' })
  | (Found & { from: 'host'; file: SourceFile; host: Host; entry: InstanceValue | undefined });

/**
 * `hosts` contain the instance, the innermost first; without one, it is the previewed composition, which has `drafts`. Undefined
 * if a host is not in the current text.
 */
export function givenValue(
  file: SourceFile,
  id: string,
  hosts: readonly HostLocation[],
  drafts: Readonly<Record<string, unknown>>,
): GivenValue | undefined {
  const declaration = file.composition.declarations.find((one) => one.id === id);
  const [location, ...outer] = hosts;
  if (!location) {
    const value = Object.hasOwn(drafts, id) ? drafts[id] : declaration?.default;
    return { from: 'draft', id, declaration, value };
  }
  const embedding = file.path === location.path ? file : file.fileAt(location.path);
  const host = embedding?.composition.hosts.find(({ element }) => element.startTag.start === location.offset);
  if (!embedding || !host) return undefined;
  const entry = host.values?.entries.findLast((one) => one.id === id);
  const passed = entry && passedName(entry.value);
  if (passed !== undefined) return givenValue(embedding, passed, outer, drafts);
  return {
    from: 'host',
    id,
    declaration,
    value: entry ? entry.value : declaration?.default,
    file: embedding,
    host,
    entry,
  };
}

/** Gives a variable a value in `data-variable-values`; undefined if the attribute is not a JSON object. */
export function hostValueEdit(
  { file, host, entry, id }: Extract<GivenValue, { from: 'host' }>,
  value: unknown,
): TextEdit | undefined {
  const { element, values } = host;
  const place = { text: file.composition.text, span: values?.span ?? element.span };
  if (entry) return replaceJson(place, entry.valueSpan, value);
  const root = values?.problem ? null : values?.json.root;
  if (root?.kind === 'object') return addMember(place, root, id, value);
  const attribute = element.attributes.get(attr.variableValues);
  if (attribute && attribute.value.trim() !== '') return undefined;
  const json = JSON.stringify({ [id]: value });
  return attribute ? setAttribute(attribute, json) : addAttribute(element, attr.variableValues, json);
}
