// A short text for the values of a render, for its progress, its message and the history.
import { l10n } from 'vscode';
import type { Values } from '../compositions/draftValues.ts';

const maxValueLength = 24;
/** More values are counted. */
const maxValues = 3;

/** `title: Sun Lamp, price: 3 (+2)`; empty for the defaults. */
export function valuesText(values: Values): string {
  const all = Object.entries(values);
  const shown = all.slice(0, maxValues).map(([id, value]) => `${id}: ${shortened(textOf(value))}`);
  const rest = all.length > maxValues ? ` (+${all.length - maxValues})` : '';
  return shown.join(', ') + rest;
}

/** `Rendering card with title: Sun Lamp`; the text alone for the defaults. */
export function withValues(text: string, values: Values): string {
  const shown = valuesText(values);
  return shown === '' ? text : l10n.t('{0} with {1}', text, shown);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value || '""' : JSON.stringify(value));

function shortened(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ')];
  return characters.length <= maxValueLength
    ? characters.join('')
    : `${characters.slice(0, maxValueLength - 1).join('')}…`;
}
