// Variables and compositions in words: one line for a list, Markdown for a hover.
import type { Composition } from '../../renderer-core/model/composition.ts';
import { shortForm } from '../../renderer-core/model/values.ts';
import type { FieldName, VariableDeclaration, VariableType } from '../../renderer-core/model/variables.ts';
import { seconds } from './clipTimes.ts';

/** `number · Speed · default 1.5`. */
export function variableDetail({ type, label, default: value }: VariableDeclaration): string {
  const parts = [type, ...(label ? [label] : []), ...(value === undefined ? [] : [`default ${shortForm(value)}`])];
  return parts.join(' · ');
}

/** Label, type, default and bounds of a variable, in Markdown. */
export function variableMarkdown(declaration: VariableDeclaration): string {
  const { id, type, label, default: value, min, max, step, unit, maxLength, placeholder, options } = declaration;
  const lines = [`**${plain(id)}** \`${type}\`${label ? ` — ${plain(label)}` : ''}`];
  if (value !== undefined) lines.push(`Default: ${code(shortForm(value))}${unit ? ` ${plain(unit)}` : ''}`);
  const bounds = [
    ...(min === undefined ? [] : [`from ${min}`]),
    ...(max === undefined ? [] : [`to ${max}`]),
    ...(step === undefined ? [] : [`in steps of ${step}`]),
    ...(unit && value === undefined ? [`in ${plain(unit)}`] : []),
  ];
  if (bounds.length > 0) lines.push(`Range: ${bounds.join(' ')}`);
  if (maxLength !== undefined) lines.push(`At most ${maxLength} characters`);
  if (placeholder) lines.push(`Placeholder: ${code(placeholder)}`);
  if (options?.length) {
    const shown = options.slice(0, 12).map((option) => `${code(shortForm(option.value))} ${plain(option.label)}`);
    lines.push(`Options: ${shown.join(', ')}${options.length > 12 ? ', …' : ''}`);
  }
  return lines.join('\n\n');
}

/** `1920 × 1080 · 5 s · 3 variables`, as far as it is known. */
export function compositionDetail({ width, height, duration, declarations }: Composition): string {
  const parts: string[] = [];
  if (width?.value && height?.value) parts.push(`${width.value} × ${height.value}`);
  if (duration?.value) parts.push(seconds(duration.value));
  if (declarations.length > 0)
    parts.push(`${declarations.length} ${declarations.length === 1 ? 'variable' : 'variables'}`);
  return parts.join(' · ');
}

/** What each type of a variable holds. */
export const typeDocs: Record<VariableType, string> = {
  string: 'Text. Structured data is passed as a text of JSON, media as a URL.',
  number: 'A number, with optional `min`, `max`, `step` and `unit`.',
  color: 'A colour as `#rrggbb`.',
  boolean: '`true` or `false`.',
  enum: 'One of the values in `options`.',
};

/** What each field of a declaration means. */
export const fieldDocs: Record<FieldName, string> = {
  id: 'Name of the variable, unique in the composition. Scripts, bindings and `$name` use it.',
  type: 'What the variable holds: `string`, `number`, `color`, `boolean` or `enum`.',
  label: 'What the editor shows beside the field.',
  default: 'Value when none is given. It must fit the type.',
  placeholder: 'Text that the field shows while it is empty.',
  maxLength: 'Most characters that the field takes.',
  min: 'Smallest number that the field takes.',
  max: 'Largest number that the field takes.',
  step: 'How far one step of the field goes.',
  unit: 'Unit that the field shows behind the number.',
  options: 'The values to choose from: objects with `value` and `label`.',
};

/** Text that Markdown shows as it is. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~!()&]/g, '\\$&').replace(/\s+/g, ' ');
}

/** Text as code in Markdown, also with backticks in it. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return fence + space + text.replace(/\s+/g, ' ') + space + fence;
}
