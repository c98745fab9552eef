// The JSON schema of `data-composition-variables`: the fields of a declaration, by type, and their values.
import type { JSONSchema } from 'vscode-json-languageservice';
import {
  declarationFields,
  type FieldName,
  type VariableType,
  variableTypes,
} from '../../../renderer-core/model/variables/variables.ts';
import { fieldDocs, typeDocs } from '../hover/descriptions.ts';
import { colorPattern, examples, stop } from './schemaParts.ts';

/** Suggestions for the declaration that is being written. All of them may be empty. */
export type DeclarationHints = {
  /** IDs that the file reads but does not declare. */
  ids: readonly string[];
  label: string | undefined;
  /** The option values of this declaration. */
  options: readonly string[];
  /** Colors of other variables. */
  colors: readonly string[];
};

const noHints: DeclarationHints = { ids: [], label: undefined, options: [], colors: [] };
const fieldNames = Object.keys(declarationFields) as FieldName[];
const required: readonly FieldName[] = ['id', 'type', 'label', 'default'];

const isForAllTypes = (name: FieldName): boolean => declarationFields[name].on.length === variableTypes.length;

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
  const shared = fieldNames.filter((name) => name !== 'default' && isForAllTypes(name));
  // A pattern, because the service would suggest a constant as a value.
  const isType = (type: VariableType): JSONSchema => ({
    properties: { type: { pattern: `^${type}$`, doNotSuggest: true } },
    required: ['type'],
  });
  return {
    type: 'object',
    required: [...required],
    properties: Object.fromEntries(shared.map((name) => [name, fieldSchema(name, hints)])),
    // Some fields, and the type of the default, depend on the declaration's type.
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
    completionDetail: needed
      ? 'required'
      : isForAllTypes(name)
        ? 'optional'
        : `${declarationFields[name].on.join(', ')} only`,
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
        items: optionSchema(),
      };
    default: {
      const { json } = declarationFields[name];
      return json === 'any' ? base : { ...base, type: json };
    }
  }
}

const optionSchema = (): JSONSchema => ({
  type: 'object',
  required: ['value', 'label'],
  properties: {
    value: { type: 'string', markdownDescription: 'Value that the variable receives.', suggestSortText: '0' },
    label: { type: 'string', markdownDescription: 'Display name of the option.', suggestSortText: '1' },
  },
  defaultSnippets: [{ label: 'option', bodyText: '{"value": "$1", "label": "$2"}' }],
});

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
