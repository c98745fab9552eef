// Rows with the values that a composition should bear: the longest and shortest texts, limits of numbers, each option. Pure.
import type { VariableDeclaration, VariableValue } from '../model/variables/variables.ts';

/** `name` says what the row tries. The other variables have their defaults. */
export type ExtremeRow = { name: string; values: Record<string, VariableValue> };

/**
 * `isFixed`: whether a variable is no text for viewers, such as the path of an image. Each option, and each value of a
 * boolean, has a row of its own.
 */
export function extremeRows(
  declarations: readonly VariableDeclaration[],
  isFixed: (id: string) => boolean,
): ExtremeRow[] {
  const free = declarations.filter((one) => !isFixed(one.id) && !(one.type === 'string' && isData(one.default)));
  const all = (name: string, valueFor: (one: VariableDeclaration) => VariableValue | undefined): ExtremeRow[] => {
    const values = free.flatMap((one): [string, VariableValue][] => {
      const value = valueFor(one);
      return value === undefined ? [] : [[one.id, value]];
    });
    return values.length === 0 ? [] : [{ name, values: Object.fromEntries(values) }];
  };
  return [
    ...all('longest and largest', (one) =>
      one.type === 'string' ? longest(one) : one.type === 'number' ? one.max : undefined,
    ),
    ...all('shortest and smallest', (one) =>
      one.type === 'string' ? 'A' : one.type === 'number' ? one.min : undefined,
    ),
    ...all('empty', ({ type }) => (type === 'string' ? '' : undefined)),
    ...all('white', ({ type }) => (type === 'color' ? '#ffffff' : undefined)),
    ...all('black', ({ type }) => (type === 'color' ? '#000000' : undefined)),
    ...free.flatMap((one) =>
      optionsOf(one).map((value) => ({ name: `${one.id}: ${value}`, values: { [one.id]: value } })),
    ),
  ];
}

/** Values other than the default. */
function optionsOf({ type, options = [], default: usual }: VariableDeclaration): VariableValue[] {
  const values: VariableValue[] =
    type === 'boolean' ? [true, false] : type === 'enum' ? options.map(({ value }) => value) : [];
  return values.filter((value) => value !== usual);
}

/** Paths, addresses, lists of numbers and dates are read by scripts, or name files. */
function isData(value: VariableValue | undefined): boolean {
  return typeof value === 'string' && /^[\w.+-]+:|^[^\s]*\/[^\s]*$|\.\w{2,5}$|^\s*[[{]|^[\d\s.,;:%-]+$/.test(value);
}

const words = 'Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor';
/** Without a limit, texts become this many times as long as their default, and at least this long. */
const growth = 2;
const leastLength = 20;

/** Words of the default, so that they look like what authors have in mind. */
function longest({ default: usual, maxLength }: VariableDeclaration): string {
  const given = typeof usual === 'string' && /\S/.test(usual) ? usual.trim() : words;
  const length = maxLength ?? Math.max(leastLength, growth * given.length);
  return `${given} `
    .repeat(Math.ceil(length / (given.length + 1)) + 1)
    .slice(0, length)
    .trimEnd();
}
