// Suggestions for a declaration that is being written: IDs that are read already, options, colors, a label.
import type { Composition } from '../../../renderer-core/model/composition.ts';
import { type JsonNode, jsonMember } from '../../../renderer-core/model/text/jsonText.ts';
import { scriptReads } from '../cursorContext.ts';
import type { DeclarationHints } from './declarationsSchema.ts';

/**
 * @param root the JSON as far as it can be read; while the author types, it is often invalid and the composition has no
 *   declarations
 * @param index the element of the array that contains the cursor
 */
export function declarationHints(
  composition: Composition,
  root: JsonNode | undefined,
  index: string | number | undefined,
): DeclarationHints {
  const declared = root?.kind === 'array' ? root.items : [];
  const declaration = typeof index === 'number' ? declared[index] : undefined;
  const member = (key: string) => declaration && jsonMember(declaration, key)?.value;
  const id = member('id');
  const options = member('options');
  const items = options?.kind === 'array' ? options.items : [];
  return {
    ids: undeclaredIds(composition, declared),
    label: id?.kind === 'string' && id.value !== '' ? labelOf(id.value) : undefined,
    options: items.flatMap((item) => textMember(item, 'value')),
    colors: declared.flatMap((each) =>
      each !== declaration && textMember(each, 'type')[0] === 'color' ? textMember(each, 'default') : [],
    ),
  };
}

function textMember(node: JsonNode, key: string): string[] {
  const value = jsonMember(node, key)?.value;
  return value?.kind === 'string' && value.value !== '' ? [value.value] : [];
}

/** IDs that bindings, gradings and scripts of a file read but that it does not declare. */
function undeclaredIds(
  { bindings, conditions, gradings, scripts }: Composition,
  declared: readonly JsonNode[],
): string[] {
  const ids = new Set([
    ...[...bindings, ...conditions].map(({ id }) => id.text),
    ...gradings.flatMap(({ references }) => references.map(({ name }) => name)),
    ...scripts.flatMap((script) => scriptReads(script).reads.map((read) => read.id)),
  ]);
  for (const node of declared) for (const id of textMember(node, 'id')) ids.delete(id);
  ids.delete('');
  return [...ids];
}

/** The default colors of a composition's variables. */
export function colorsOf({ declarations }: Composition): string[] {
  const colors = declarations.flatMap((each) => (each.type === 'color' && each.default ? [String(each.default)] : []));
  return [...new Set(colors)];
}

/** Turns `mainTitle` and `main-title` into `Main title`. */
function labelOf(id: string): string {
  const words = id
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
