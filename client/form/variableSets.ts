// Named sets of values: their paths, valid names, and file contents.
import { mergeValues } from '../../renderer-core/model/variables/values.ts';
import type { Values } from '../compositions/draftValues.ts';
import type { VariableDeclaration } from './valueText.ts';

/** The folder of a composition's sets: `variables/cards/intro` for `cards/intro.html`. */
export function setsFolder(composition: string): string {
  return `variables/${composition.replace(/\.html?$/i, '')}`;
}

/** Path of a set in the project folder. */
export function setPath(composition: string, name: string): string {
  return `${setsFolder(composition)}/${name}.json`;
}

/** The name of the set in a file; undefined when the file is not a set. */
export function setName(file: string): string | undefined {
  const name = /^(.+)\.json$/i.exec(file)?.[1];
  return name !== undefined && nameProblem(name) === undefined ? name : undefined;
}

/** Characters that are not allowed in file names on some operating system. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches control characters
const forbidden = /[\\/:*?"<>|\u0000-\u001f\u007f]/;
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;
const maxLength = 80;

/** The reason why a name is not a valid file name on every operating system, or undefined. */
export function nameProblem(name: string): 'empty' | 'characters' | 'dots' | 'long' | 'device' | undefined {
  if (name.trim() === '') return 'empty';
  if (forbidden.test(name)) return 'characters';
  if (/^[.\s]|[.\s]$/.test(name)) return 'dots';
  if (name.length > maxLength) return 'long';
  return devices.test(name) ? 'device' : undefined;
}

/** The existing name that equals `name` on a case-insensitive file system. */
export function findName(names: readonly string[], name: string): string | undefined {
  return names.find((other) => other.toLowerCase() === name.toLowerCase());
}

/** The file content of a set. It has all values, also defaults and undeclared ones, so that it does not change with a default. */
export function setText(declarations: readonly VariableDeclaration[], values: Values): string {
  return `${JSON.stringify(mergeValues(declarations, values), null, 2)}\n`;
}

/** Parses the file content of a set. */
export function readSet(text: string): { values: Values } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { values: value as Values };
  return { problem: '{"id": value}' };
}

/** Whether draft values and a set are equal, including defaults. */
export function isSameSet(declarations: readonly VariableDeclaration[], drafts: Values, set: Values): boolean {
  const [a, b] = [mergeValues(declarations, drafts), mergeValues(declarations, set)];
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]))
  );
}
