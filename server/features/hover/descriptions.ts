// Descriptions of attributes, variables and compositions: one line for lists, Markdown for hovers.
import { type AttributeKey, attr, attributeSpecs } from '../../../renderer-core/model/attributes.ts';
import { compositionSize } from '../../../renderer-core/model/compositionSize.ts';
import type { ListedFamily } from '../../../renderer-core/model/fonts/familyList.ts';
import type { Span } from '../../../renderer-core/model/text/spans.ts';
import { formatValue } from '../../../renderer-core/model/variables/values.ts';
import type { FieldName, VariableDeclaration, VariableType } from '../../../renderer-core/model/variables/variables.ts';
import { seconds } from '../clipTimes.ts';
import type { SourceFile } from '../sourceFile.ts';

/** The text of a hover, in Markdown, and the part of the file that it describes. `font`: the family, if it describes one. */
export type HoverText = { span: Span; text: string; font?: ListedFamily };

/** `number · Speed · default 1.5`. */
export function variableDetail({ type, label, default: value }: VariableDeclaration): string {
  const parts = [type, ...(label ? [label] : []), ...(value === undefined ? [] : [`default ${formatValue(value)}`])];
  return parts.join(' · ');
}

/** Label, type, default and range of a variable, in Markdown. */
export function variableMarkdown(declaration: VariableDeclaration): string {
  const {
    id,
    type,
    label,
    description,
    default: value,
    min,
    max,
    step,
    unit,
    maxLength,
    placeholder,
    options,
  } = declaration;
  const lines = [`**${escapeMarkdown(id)}** \`${type}\`${label ? ` — ${escapeMarkdown(label)}` : ''}`];
  if (description) lines.push(escapeMarkdown(description));
  if (value !== undefined)
    lines.push(`Default: ${inlineCode(formatValue(value))}${unit ? ` ${escapeMarkdown(unit)}` : ''}`);
  const bounds = [
    ...(min === undefined ? [] : [`from ${min}`]),
    ...(max === undefined ? [] : [`to ${max}`]),
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(unit && value === undefined ? [`in ${escapeMarkdown(unit)}`] : []),
  ];
  if (bounds.length > 0) lines.push(`Range: ${bounds.join(' ')}`);
  if (maxLength !== undefined) lines.push(`Maximum length: ${maxLength} characters`);
  if (placeholder) lines.push(`Placeholder: ${inlineCode(placeholder)}`);
  if (options?.length) {
    const shown = options
      .slice(0, 12)
      .map((option) => `${inlineCode(formatValue(option.value))} ${escapeMarkdown(option.label)}`);
    lines.push(`Options: ${shown.join(', ')}${options.length > 12 ? ', …' : ''}`);
  }
  return lines.join('\n\n');
}

type Described = Pick<SourceFile, 'path' | 'project' | 'composition'>;

/** `1920 × 1080 · 5 s · 3 variables`, as far as known. */
export function compositionDetail({ path, project, composition }: Described): string {
  const { duration, declarations } = composition;
  const { width, height } = compositionSize(path, project);
  const parts: string[] = [];
  if (width && height) parts.push(`${width} × ${height}`);
  if (duration?.value) parts.push(seconds(duration.value));
  if (declarations.length > 0)
    parts.push(`${declarations.length} ${declarations.length === 1 ? 'variable' : 'variables'}`);
  return parts.join(' · ');
}

export const typeDocs: Record<VariableType, string> = {
  string: 'A string. Pass structured data as JSON and media as a URL.',
  number: 'A number, with optional `min`, `max`, `step` and `unit`.',
  color: 'A color as `#rrggbb`.',
  boolean: '`true` or `false`.',
  enum: 'One of the values in `options`.',
};

export const fieldDocs: Record<FieldName, string> = {
  id: 'Unique ID of the variable in the composition. Scripts, bindings and `$id` references use it.',
  type: 'Type of the value: `string`, `number`, `color`, `boolean` or `enum`.',
  label: 'Display name of the variable in forms.',
  description: 'Help text for people who enter a value. Shown in forms and completions.',
  default: 'Value if none is passed. Must match the type.',
  placeholder: 'Hint shown in the empty field.',
  maxLength: 'Maximum number of characters in the field.',
  min: 'Minimum value of the field.',
  max: 'Maximum value of the field.',
  step: 'Increment of the field.',
  unit: 'Unit shown after the number, for example `px`.',
  options: 'The allowed values: objects with `value` and `label`.',
};

/** Escapes text for Markdown. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~!()&]/g, '\\$&').replace(/\s+/g, ' ');
}

/** Formats text as inline code, even if it contains backticks. */
export function inlineCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return fence + space + text.replace(/\s+/g, ' ') + space + fence;
}

/** Documentation and example of an attribute, in Markdown. */
export function attributeMarkdown(key: AttributeKey): string {
  const { doc, example } = attributeSpecs[key];
  const usage = example === '' ? attr[key] : `${attr[key]}=${example}`;
  return `${doc}\n\n\`\`\`html\n${usage}\n\`\`\``;
}
