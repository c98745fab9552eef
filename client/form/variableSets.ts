// Named sets of values: where they are in a project, which names they may have, and what is in their files.
import { mergeValues } from '../../renderer-core/model/values.ts';
import type { Values } from '../values.ts';
import type { VariableDeclaration } from './valueText.ts';

/** `variables/cards/intro` for `cards/intro.html`: the folder of its sets, in the project folder. */
export function setsFolder(composition: string): string {
  return `variables/${composition.replace(/\.html?$/i, '')}`;
}

/** Path of a set in the project folder. */
export function setPath(composition: string, name: string): string {
  return `${setsFolder(composition)}/${name}.json`;
}

/** The name of a set by that of its file; undefined for other files. */
export function setName(file: string): string | undefined {
  const name = /^(.+)\.json$/i.exec(file)?.[1];
  return name !== undefined && nameFault(name) === undefined ? name : undefined;
}

/** Characters that a file name cannot have somewhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const forbidden = /[\\/:*?"<>|\u0000-\u001f\u007f]/;
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;
const mostCharacters = 80;

/** Why a name cannot be that of a file on every system; undefined for one that can. */
export function nameFault(name: string): 'empty' | 'characters' | 'dots' | 'long' | 'device' | undefined {
  if (name.trim() === '') return 'empty';
  if (forbidden.test(name)) return 'characters';
  if (/^[.\s]|[.\s]$/.test(name)) return 'dots';
  if (name.length > mostCharacters) return 'long';
  return devices.test(name) ? 'device' : undefined;
}

/** Two sets cannot have names that are one where large and small letters are. */
export function sameName(names: readonly string[], name: string): string | undefined {
  return names.find((other) => other.toLowerCase() === name.toLowerCase());
}

/** A set holds all values, so that it stays what it is when a default changes. What is not declared goes with them. */
export function setText(declarations: readonly VariableDeclaration[], values: Values): string {
  return `${JSON.stringify(mergeValues(declarations, values), null, 2)}\n`;
}

/** The values in a set's file; a sentence's end where there are none. */
export function readSet(text: string): { values: Values } | { fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { values: value as Values };
  return { fault: '{"id": value}' };
}

/** Whether the values tried are those of a set, defaults counted in. */
export function isSameSet(declarations: readonly VariableDeclaration[], tried: Values, set: Values): boolean {
  const [a, b] = [mergeValues(declarations, tried), mergeValues(declarations, set)];
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]))
  );
}
