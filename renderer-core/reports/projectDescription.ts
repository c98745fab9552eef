// What `framework variables` reports about the compositions of a folder.
import { z } from 'zod';
import { type VariableDeclaration, variableTypes } from '../model/variables/variables.ts';
import { count, maybe, path, values } from './reportFields.ts';

const file = path('Path relative to root, with slashes.');
const declared = (what: string) => z.number().nullable().describe(`${what}; null if the file does not declare it.`);

/** Declarations belong to the model, which pages and the editor use; so this schema is checked against their type. */
const declarationFields = {
  id: z.string(),
  type: z.enum(variableTypes),
  label: maybe(z.string()),
  description: maybe(z.string().describe('Help text for people who enter a value.')),
  default: maybe(z.union([z.string(), z.number(), z.boolean()])),
  placeholder: maybe(z.string().describe('Only for type string.')),
  maxLength: maybe(z.number().describe('Only for type string.')),
  min: maybe(z.number().describe('Only for type number.')),
  max: maybe(z.number().describe('Only for type number.')),
  step: maybe(z.number().describe('Only for type number.')),
  unit: maybe(z.string().describe('Only for type number.')),
  options: maybe(z.array(z.object({ value: z.string(), label: z.string() })).describe('Only for type enum.')),
} satisfies Record<keyof VariableDeclaration, z.ZodType>;
const declarationSchema: z.ZodType<VariableDeclaration> = z
  .object(declarationFields)
  .meta({ id: 'VariableDeclaration', description: 'A valid variable declaration.' });

const embeddedCompositionSchema = z.object({
  file: z.string().nullable().describe('Path relative to root; null if the file does not exist.'),
  source: z.string().describe('The path as written.'),
  line: count('From 1.'),
  column: count('From 1.'),
  values: values.describe('Variable values that it is given.'),
});

const describedCompositionSchema = z.object({
  file,
  project: path('The project folder, relative to root.'),
  composition: path('Path relative to the project folder, as for --composition.'),
  id: z.string().nullable(),
  width: declared('Pixels'),
  height: declared('Pixels'),
  duration: declared('Seconds'),
  fps: declared('Frames per second'),
  variables: z.array(declarationSchema),
  rejected: z
    .array(z.object({ message: z.string(), line: count('From 1.'), column: count('From 1.') }))
    .describe('Invalid declarations with the reasons.'),
  embeds: z.array(embeddedCompositionSchema),
  embeddedBy: z.array(file),
});

export const projectDescriptionSchema = z.object({
  root: path('Absolute path of the folder that files are relative to.'),
  compositions: z.array(describedCompositionSchema),
});
export type ProjectDescription = z.infer<typeof projectDescriptionSchema>;
export type DescribedComposition = ProjectDescription['compositions'][number];
export type EmbeddedComposition = DescribedComposition['embeds'][number];
