// JSON schemas of what stands in our attributes and in data files: what completion offers. The linter says what is wrong.
import type { JSONSchema } from 'vscode-json-languageservice';
import {
  type AdjustKey,
  adjustLimits,
  gradingPresets,
  type PresetName,
} from '../../renderer-core/model/gradingPresets.ts';
import { parseReference } from '../../renderer-core/model/references.ts';
import {
  declarationFields,
  type FieldName,
  type VariableDeclaration,
  type VariableType,
  variableTypes,
} from '../../renderer-core/model/variables.ts';
import { fieldDocs, typeDocs, variableDetail, variableMarkdown } from './describe.ts';
import { adjustDocs, colorSpaceDocs, gradingFieldDocs, presetDocs } from './gradingDocs.ts';

/** What is known around the declaration that is being written; all of it may be empty. */
export type DeclarationHints = {
  /** Ids that the file reads and does not declare. */
  ids: readonly string[];
  label: string | undefined;
  /** The values of this declaration's own options. */
  options: readonly string[];
  /** Colours that other variables have. */
  colors: readonly string[];
};

const noHints: DeclarationHints = { ids: [], label: undefined, options: [], colors: [] };
const fieldNames = Object.keys(declarationFields) as FieldName[];
const required: readonly FieldName[] = ['id', 'type', 'label', 'default'];

/** The array in `data-composition-variables`. */
export function declarationsSchema(hints: DeclarationHints = noHints): JSONSchema {
  return {
    type: 'array',
    items: declarationSchema(hints),
    defaultSnippets: variableTypes.map((type) => ({
      label: `${type} variable`,
      markdownDescription: typeDocs[type],
      bodyText: `[${declarationSnippets[type]}]`,
    })),
  };
}

function declarationSchema(hints: DeclarationHints): JSONSchema {
  const shared = fieldNames.filter(
    (name) => name !== 'default' && declarationFields[name].on.length === variableTypes.length,
  );
  // A pattern, because a constant would be offered as a value.
  const isType = (type: VariableType): JSONSchema => ({
    properties: { type: { pattern: `^${type}$`, doNotSuggest: true } },
    required: ['type'],
  });
  return {
    type: 'object',
    required: [...required],
    properties: Object.fromEntries(shared.map((name) => [name, fieldSchema(name, hints)])),
    // Fields and default of a type belong to declarations of that type alone.
    allOf: [
      ...variableTypes.map((type): JSONSchema => {
        const own = fieldNames.filter((name) => declarationFields[name].on.includes(type) && !shared.includes(name));
        const properties = own.map((name) => [
          name,
          name === 'default' ? defaultSchema(type, hints) : fieldSchema(name, hints),
        ]);
        const needed = type === 'enum' ? { required: ['options'] } : {};
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        return { if: isType(type), then: { properties: Object.fromEntries(properties), ...needed } };
      }),
      {
        if: { not: { required: ['type'] } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { properties: { default: { ...documented('default'), type: ['string', 'number', 'boolean'] } } },
      },
    ],
    defaultSnippets: variableTypes.map((type) => ({
      label: `${type} variable`,
      markdownDescription: typeDocs[type],
      bodyText: declarationSnippets[type],
    })),
  };
}

/** A tab stop with a text in it. */
const stop = (index: number, text: string): string => `\${${index}:${text}}`;

const declarationSnippets: Record<VariableType, string> = {
  string: '{"id": "$1", "type": "string", "label": "$2", "default": "$3"}',
  number: `{"id": "$1", "type": "number", "label": "$2", "default": ${stop(3, '0')}}`,
  color: `{"id": "$1", "type": "color", "label": "$2", "default": "${stop(3, '#ffffff')}"}`,
  boolean: `{"id": "$1", "type": "boolean", "label": "$2", "default": ${stop(3, 'true')}}`,
  enum: '{"id": "$1", "type": "enum", "label": "$2", "options": [{"value": "$3", "label": "$4"}], "default": "$3"}',
};

function documented(name: FieldName): JSONSchema {
  const needed = required.includes(name);
  const index = String(fieldNames.indexOf(name)).padStart(2, '0');
  return {
    markdownDescription: fieldDocs[name],
    completionDetail: needed ? 'required' : `${declarationFields[name].on.join(', ')} only`,
    suggestSortText: `${needed ? 0 : 1}${index}`,
  };
}

function fieldSchema(name: FieldName, hints: DeclarationHints): JSONSchema {
  const base = documented(name);
  switch (name) {
    case 'id':
      return { ...base, type: 'string', minLength: 1, ...examples(hints.ids) };
    case 'type': {
      const markdownEnumDescriptions = variableTypes.map((type) => typeDocs[type]);
      return { ...base, type: 'string', enum: [...variableTypes], markdownEnumDescriptions };
    }
    case 'label':
      return { ...base, type: 'string', ...examples(hints.label ? [hints.label] : []) };
    case 'unit':
      return { ...base, type: 'string', ...examples(['s', 'px', '%', '°']) };
    case 'step':
      return { ...base, type: 'number', ...examples([0.1, 1, 10]) };
    case 'options':
      return {
        ...base,
        suggestSortText: '004',
        completionDetail: 'required for enum',
        type: 'array',
        items: optionSchema,
      };
    default: {
      const { json } = declarationFields[name];
      return json === 'any' ? base : { ...base, type: json };
    }
  }
}

const optionSchema: JSONSchema = {
  type: 'object',
  required: ['value', 'label'],
  properties: {
    value: { type: 'string', markdownDescription: 'What the variable gets.', suggestSortText: '0' },
    label: { type: 'string', markdownDescription: 'What the editor shows.', suggestSortText: '1' },
  },
  defaultSnippets: [{ label: 'option', bodyText: '{"value": "$1", "label": "$2"}' }],
};

function defaultSchema(type: VariableType, hints: DeclarationHints): JSONSchema {
  const base = documented('default');
  switch (type) {
    case 'enum':
      return { ...base, type: 'string', ...(hints.options.length > 0 && { enum: [...hints.options] }) };
    case 'color':
      return { ...base, type: 'string', pattern: colorPattern, ...examples([...hints.colors, '#ffffff', '#000000']) };
    default:
      return { ...base, type };
  }
}

const colorPattern = '^#[0-9a-fA-F]{6}$';

/** The object in `data-variable-values`, for the declarations of its target. `colors` are offered beside the default. */
export function valuesSchema(declarations: readonly VariableDeclaration[], colors: readonly string[] = []): JSONSchema {
  const all = declarations.slice(0, 20).map((declaration, index) => {
    const value = JSON.stringify(declaration.default ?? emptyValue[declaration.type]);
    return `${snippetText(JSON.stringify(declaration.id))}: ${stop(index + 1, snippetText(value))}`;
  });
  const snippets = [
    ...(all.length > 0 ? [{ label: 'all variables', bodyText: `{${all.join(', ')}}` }] : []),
    { label: 'some variables', bodyText: '{$1}' },
  ];
  return { ...rowSchema(declarations, colors), additionalProperties: false, defaultSnippets: snippets };
}

const emptyValue: Record<VariableType, string | number | boolean> = {
  string: '',
  number: 0,
  color: '#ffffff',
  boolean: false,
  enum: '',
};

/** One row of a local batch file; rows may have further keys, which names of outputs use. */
export function rowSchema(declarations: readonly VariableDeclaration[], colors: readonly string[] = []): JSONSchema {
  const properties = declarations.map((declaration, index) => [
    declaration.id,
    { ...valueSchema(declaration, colors), suggestSortText: String(index).padStart(4, '0') },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** A local batch file: an array of rows, alone or under `rows`. */
export function batchSchema(declarations: readonly VariableDeclaration[]): JSONSchema {
  const rows: JSONSchema = { type: 'array', items: rowSchema(declarations) };
  return { anyOf: [rows, { type: 'object', required: ['rows'], properties: { rows } }] };
}

/** Bounds and lengths are left out: the contract does not hold values to them. */
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

/** The object in `data-color-grading`, with references to these variables. */
export function gradingSchema(declarations: readonly VariableDeclaration[]): JSONSchema {
  const presets = Object.keys(gradingPresets) as PresetName[];
  const spaces = Object.keys(colorSpaceDocs) as (keyof typeof colorSpaceDocs)[];
  const adjustments = (Object.keys(adjustLimits) as AdjustKey[]).map((key, index) => {
    const limit = adjustLimits[key];
    const steps = [-0.5, -0.2, 0.2, 0.5].map((part) => part * (limit > 1 ? 2 : 1));
    const number = { type: 'number', minimum: -limit, maximum: limit, ...examples(steps) };
    return [key, gradingField(`${adjustDocs[key]} ${-limit} to ${limit}.`, index, number, ['number'], declarations)];
  });
  return {
    type: 'object',
    properties: {
      preset: gradingField(gradingFieldDocs.preset, 0, choice(presets, presetDocs), ['enum', 'string'], declarations),
      intensity: gradingField(
        gradingFieldDocs.intensity,
        1,
        { type: 'number', minimum: 0, maximum: 1, ...examples([0.25, 0.5, 0.75, 1]) },
        ['number'],
        declarations,
      ),
      adjust: {
        markdownDescription: gradingFieldDocs.adjust,
        suggestSortText: '02',
        type: 'object',
        properties: Object.fromEntries(adjustments),
      },
      colorSpace: gradingField(
        gradingFieldDocs.colorSpace,
        3,
        choice(spaces, colorSpaceDocs),
        ['enum', 'string'],
        declarations,
      ),
    },
    defaultSnippets: [
      { label: 'preset', bodyText: `{"preset": "${stop(1, 'cinematic')}"}` },
      {
        label: 'preset and intensity',
        bodyText: `{"preset": "${stop(1, 'cinematic')}", "intensity": ${stop(2, '0.8')}}`,
      },
      { label: 'adjust', bodyText: `{"adjust": {"${stop(1, 'exposure')}": ${stop(2, '0.2')}}}` },
    ],
  };
}

/** A field of a grading: its own values, or a reference; references to variables of a fitting type stand first. */
function gradingField(
  markdownDescription: string,
  index: number,
  own: JSONSchema,
  fitting: readonly VariableType[],
  declarations: readonly VariableDeclaration[],
): JSONSchema {
  const fits = ({ type }: VariableDeclaration) => fitting.includes(type);
  const sorted = [...declarations].sort((a, b) => Number(fits(b)) - Number(fits(a)));
  const references: JSONSchema = {
    type: 'string',
    enum: sorted.map(({ id }) => referenceTo(id)),
    enumDetails: sorted.map(variableDetail),
    enumSortTexts: sorted.map((declaration, at) => `${fits(declaration) ? 0 : 9}${String(at).padStart(4, '0')}`),
    markdownEnumDescriptions: sorted.map(variableMarkdown),
  };
  return {
    markdownDescription,
    suggestSortText: String(index).padStart(2, '0'),
    type: own.type === 'number' ? ['number', 'string'] : 'string',
    anyOf: [own, ...(sorted.length > 0 ? [references] : []), { type: 'string', pattern: '^\\s*\\$' }],
  };
}

/** How a grading refers to a variable. */
function referenceTo(id: string): string {
  return parseReference(`$${id}`) === id ? `$${id}` : `\${${id}}`;
}

function choice<Name extends string>(names: readonly Name[], docs: Record<Name, string>): JSONSchema {
  return { type: 'string', enum: [...names], markdownEnumDescriptions: names.map((name) => docs[name]) };
}

function examples(values: readonly unknown[]): { examples?: unknown[] } {
  return values.length > 0 ? { examples: [...new Set(values)] } : {};
}

/** Text as it is written in a snippet. */
export function snippetText(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
