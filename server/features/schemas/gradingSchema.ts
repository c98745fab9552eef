// The JSON schema of `data-color-grading`: presets, adjustments with their limits, and references to variables.
import type { JSONSchema } from 'vscode-json-languageservice';
import {
  type AdjustKey,
  adjustLimits,
  gradingPresets,
  type PresetName,
} from '../../../renderer-core/model/grading/gradingPresets.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import { adjustDocs, colorSpaceDocs, gradingFieldDocs, presetDocs } from '../hover/gradingDocs.ts';
import { referencesSchema } from './referencesSchema.ts';
import { examples, stop } from './schemaParts.ts';

/** The schema of the object in `data-color-grading`, with references to these variables. */
export function gradingSchema(declarations: readonly VariableDeclaration[]): JSONSchema {
  const numbers = referencesSchema(declarations, ({ type }) => type === 'number');
  const texts = referencesSchema(declarations, ({ type }) => type === 'enum' || type === 'string');
  const presets = Object.keys(gradingPresets) as PresetName[];
  const spaces = Object.keys(colorSpaceDocs) as (keyof typeof colorSpaceDocs)[];
  const adjustments = (Object.keys(adjustLimits) as AdjustKey[]).map((key, index) => {
    const limit = adjustLimits[key];
    const steps = [-0.5, -0.2, 0.2, 0.5].map((part) => part * (limit > 1 ? 2 : 1));
    const number = { type: 'number', minimum: -limit, maximum: limit, ...examples(steps) };
    return [key, gradingField(`${adjustDocs[key]} ${-limit} to ${limit}.`, index, number, numbers)];
  });
  return {
    type: 'object',
    properties: {
      preset: gradingField(gradingFieldDocs.preset, 0, choice(presets, presetDocs), texts),
      intensity: gradingField(
        gradingFieldDocs.intensity,
        1,
        { type: 'number', minimum: 0, maximum: 1, ...examples([0.25, 0.5, 0.75, 1]) },
        numbers,
      ),
      adjust: {
        markdownDescription: gradingFieldDocs.adjust,
        suggestSortText: '02',
        type: 'object',
        properties: Object.fromEntries(adjustments),
      },
      colorSpace: gradingField(gradingFieldDocs.colorSpace, 3, choice(spaces, colorSpaceDocs), texts),
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

/** A field accepts its own values or a reference to a variable. */
function gradingField(markdownDescription: string, index: number, own: JSONSchema, references: JSONSchema): JSONSchema {
  return {
    markdownDescription,
    suggestSortText: String(index).padStart(2, '0'),
    type: own.type === 'number' ? ['number', 'string'] : 'string',
    anyOf: [own, references, { type: 'string', pattern: '^\\s*\\$' }],
  };
}

function choice<Name extends string>(names: readonly Name[], docs: Record<Name, string>): JSONSchema {
  return { type: 'string', enum: [...names], markdownEnumDescriptions: names.map((name) => docs[name]) };
}
