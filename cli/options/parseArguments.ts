// Parses the arguments of a command against its description. An invalid argument is a usage error that suggests the nearest option.
import { parseArgs } from 'node:util';
import { UserError } from '../../renderer-core/errors.ts';
import { nearestName } from '../../renderer-core/model/text/suggest.ts';
import type { CommandInput, CommandSpec, OptionSpec } from '../command.ts';

/** `common` are the options of every command. Throws UserError `usage`. */
export function parseInput(command: CommandSpec, common: readonly OptionSpec[], argv: readonly string[]): CommandInput {
  const specs = [...command.options, ...common];
  const values = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const flags = new Set<string>();
  const positionals: string[] = [];
  for (const token of tokenize(specs, argv)) {
    if (token.kind === 'positional' && !takeMode(specs, argv, token, values)) positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = specs.find(({ name }) => name === token.name);
    if (!spec) throw unknownOption(token.rawName, specs, command);
    if (!spec.value) {
      flags.add(spec.name);
      values.delete(spec.name);
      if (token.value !== undefined) values.set(spec.name, checkMode(spec, token.value, command));
    } else {
      const value = checkValue(spec, token, command);
      values.set(spec.name, value);
      if (spec.value.repeatable) lists.set(spec.name, [...(lists.get(spec.name) ?? []), value]);
    }
  }
  const expected = command.positionals ?? [];
  const surplus = positionals[expected.length];
  if (surplus !== undefined && !expected.at(-1)?.many) throw surplusArgument(surplus, command);
  return { positionals, values, lists, flags };
}

/** `--hdr hlg` is like `--hdr=hlg`. Returns whether the argument belongs to the option before it. */
function takeMode(
  specs: readonly OptionSpec[],
  argv: readonly string[],
  { index, value }: { index: number; value: string },
  values: Map<string, string>,
): boolean {
  const spec = specs.find(({ name, modes }) => modes?.includes(value) && argv[index - 1] === `--${name}`);
  if (spec) values.set(spec.name, value);
  return spec !== undefined;
}

/** Not in strict mode: its error messages neither suggest an option nor name the command. */
function tokenize(specs: readonly OptionSpec[], argv: readonly string[]) {
  const options = Object.fromEntries(
    specs.map(({ name, short, value }) => {
      const type = value ? ('string' as const) : ('boolean' as const);
      return [name, { type, ...(short ? { short } : {}) }];
    }),
  );
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

type OptionToken = { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined };

function checkValue(spec: OptionSpec, token: OptionToken, command: CommandSpec): string {
  const { label = 'value', choices } = spec.value ?? {};
  const { value } = token;
  if (value === undefined || value === '')
    throw usage(`--${spec.name} needs a value: --${spec.name} <${label}>`, command);
  if (!token.inlineValue && /^-./.test(value)) {
    throw new UserError('usage', `--${spec.name} needs a value, but "${value}" looks like an option`, {
      hint: `If it is the value, write --${spec.name}=${value}`,
    });
  }
  if (choices && !choices.includes(value)) {
    const nearest = nearestName(value, choices);
    throw new UserError('usage', `--${spec.name} must be ${oneOf(choices)}${got(value, command)}`, {
      hint: nearest ? `Did you mean ${nearest}?` : `See framework ${command.name} --help`,
    });
  }
  checkNumber(spec, value, command);
  return value;
}

function checkNumber({ name, value: spec }: OptionSpec, value: string, command: CommandSpec): void {
  const { wholeNumberFrom: from, wholeNumberTo: to } = spec ?? {};
  if (from === undefined) return;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= from && number <= (to ?? number)) return;
  const range = to === undefined ? `, at least ${from}` : ` from ${from} to ${to}`;
  throw usage(`--${name} must be a whole number${range} (got "${value}")`, command);
}

function checkMode({ name, modes = [] }: OptionSpec, value: string, command: CommandSpec): string {
  if (modes.includes(value)) return value;
  if (modes.length === 0) throw usage(`--${name} takes no value`, command);
  throw usage(`--${name} takes no value, or ${oneOf(modes)} (got "${value}")`, command);
}

/** `a, b or c`. */
export function oneOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** What users type after a command that reads a secret may be that secret, so no message repeats it. */
const mayContainSecret = ({ options }: CommandSpec): boolean => options.some(({ readsSecret }) => readsSecret);

const got = (value: string, command: CommandSpec): string => (mayContainSecret(command) ? '' : ` (got "${value}")`);

function unknownOption(typed: string, specs: readonly OptionSpec[], command: CommandSpec): UserError {
  const nearest = nearestName(
    typed.replace(/^-+/, ''),
    specs.map(({ name }) => name),
  );
  return usage(`unknown option ${typed}`, command, nearest && `Did you mean --${nearest}?`);
}

function surplusArgument(argument: string, command: CommandSpec): UserError {
  if (mayContainSecret(command)) {
    return usage(
      `framework ${command.name} takes no arguments`,
      command,
      'If you passed a secret, it is now in the history of your shell. Omit it to type it at a hidden prompt, or redirect a file: < key.txt',
    );
  }
  const names = (command.positionals ?? []).map(({ name }) => `[${name}]`).join(' ');
  return usage(`unexpected argument "${argument}"`, command, names && `Usage: framework ${command.name} ${names}`);
}

function usage(message: string, command: CommandSpec, hint?: string): UserError {
  return new UserError('usage', message, { hint: hint || `See framework ${command.name} --help` });
}
