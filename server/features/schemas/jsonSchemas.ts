// JSON schemas of values for declared variables: on a host, in a row, in a batch file.
import type { JSONSchema } from 'vscode-json-languageservice';
import { passedMismatch } from '../../../renderer-core/model/variables/passedTypes.ts';
import type { VariableDeclaration, VariableType } from '../../../renderer-core/model/variables/variables.ts';
import { variableDetail, variableMarkdown } from '../hover/descriptions.ts';
import { referencesSchema } from './referencesSchema.ts';
import { colorPattern, examples, snippetText, stop } from './schemaParts.ts';

/**
 * The schema of the object in `data-variable-values`. `colors`: suggested in addition to the default. `embedding`: the
 * variables of the embedding composition, which can be passed on.
 */
export function valuesSchema(
  declarations: readonly VariableDeclaration[],
  colors: readonly string[] = [],
  embedding: readonly VariableDeclaration[] = [],
): JSONSchema {
  const row = rowSchema(declarations, colors);
  const properties = { ...row.properties };
  for (const target of declarations) {
    const own = properties[target.id];
    const fitting = embedding.filter((source) => passedMismatch(source, target) === undefined);
    if (fitting.length === 0 || typeof own !== 'object') continue;
    properties[target.id] = { ...own, anyOf: [own, referencesSchema(fitting, () => true)] };
  }
  return { ...row, properties, additionalProperties: false };
}

const emptyValue: Record<VariableType, string | number | boolean> = {
  string: '',
  number: 0,
  color: '#ffffff',
  boolean: false,
  enum: '',
};

/** The schema of one row of a local batch file. Rows may have more keys, for use in output names. */
export function rowSchema(declarations: readonly VariableDeclaration[], colors: readonly string[] = []): JSONSchema {
  const properties = declarations.map((declaration, index) => [
    declaration.id,
    { ...valueSchema(declaration, colors), suggestSortText: String(index).padStart(4, '0') },
  ]);
  const all = declarations.slice(0, 20).map((declaration, index) => {
    const value = JSON.stringify(declaration.default ?? emptyValue[declaration.type]);
    return `${snippetText(JSON.stringify(declaration.id))}: ${stop(index + 1, snippetText(value))}`;
  });
  const defaultSnippets = [
    ...(all.length > 0 ? [{ label: 'all variables', bodyText: `{${all.join(', ')}}` }] : []),
    { label: 'some variables', bodyText: '{$1}' },
  ];
  return { type: 'object', properties: Object.fromEntries(properties), defaultSnippets };
}

/** The schema of a local batch file: an array of rows, or an object with `rows`. */
export function batchSchema(declarations: readonly VariableDeclaration[], colors: readonly string[] = []): JSONSchema {
  const rows: JSONSchema = { type: 'array', items: rowSchema(declarations, colors) };
  return { anyOf: [rows, { type: 'object', required: ['rows'], properties: { rows } }] };
}

/** Leaves out limits and lengths, which values are allowed to exceed. */
function valueSchema(declaration: VariableDeclaration, colors: readonly string[]): JSONSchema {
  const { type, options, default: value, min, max } = declaration;
  const base: JSONSchema = {
    markdownDescription: variableMarkdown(declaration),
    completionDetail: variableDetail(declaration),
    ...(value !== undefined && { default: value }),
  };
  switch (type) {
    case 'enum': {
      if (!options?.length) return { ...base, type: 'string' };
      return {
        ...base,
        type: 'string',
        enum: options.map((option) => option.value),
        enumDetails: options.map((option) => option.label),
      };
    }
    case 'color':
      return { ...base, type: 'string', pattern: colorPattern, ...examples(colors) };
    case 'number':
      return { ...base, type, ...examples([min, max].filter((bound) => bound !== undefined && bound !== value)) };
    default:
      return { ...base, type };
  }
}
