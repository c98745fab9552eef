// Reads what the user typed against a command's row; what does not fit is a usage error with the nearest option.
import { parseArgs } from 'node:util';
import { UserError } from '../errors.ts';
import { nearestName } from '../model/suggest.ts';
import type { CommandInput, CommandSpec, OptionSpec } from './command.ts';

/** `common` are the options that every command takes. Throws UserError `usage`. */
export function parseInput(command: CommandSpec, common: readonly OptionSpec[], argv: readonly string[]): CommandInput {
  const specs = [...command.options, ...common];
  const values = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const switches = new Set<string>();
  const positionals: string[] = [];
  for (const token of tokenize(specs, argv)) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = specs.find(({ name }) => name === token.name);
    if (!spec) throw unknownOption(token.rawName, specs, command);
    if (!spec.value) {
      if (token.value !== undefined) throw usage(`--${spec.name} takes no value`, command);
      switches.add(spec.name);
    } else {
      const value = checkValue(spec, token, command);
      values.set(spec.name, value);
      if (spec.value.repeatable) lists.set(spec.name, [...(lists.get(spec.name) ?? []), value]);
    }
  }
  const surplus = positionals[command.positionals.length];
  if (surplus !== undefined && !command.positionals.at(-1)?.many) throw surplusArgument(surplus, command);
  return { positionals, values, lists, switches };
}

/** Not strict: its own messages neither suggest nor name the command. */
function tokenize(specs: readonly OptionSpec[], argv: readonly string[]) {
  const options = Object.fromEntries(
    specs.map(({ name, short, value }) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), ...(short ? { short } : {}) },
    ]),
  );
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

type OptionToken = { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined };

function checkValue(spec: OptionSpec, token: OptionToken, command: CommandSpec): string {
  const { label = 'value', choices, wholeNumberFrom } = spec.value ?? {};
  const { value } = token;
  if (value === undefined || value === '')
    throw usage(`--${spec.name} needs a value: --${spec.name} <${label}>`, command);
  if (!token.inlineValue && /^-./.test(value)) {
    throw new UserError('usage', `--${spec.name} needs a value, and "${value}" looks like an option`, {
      hint: `If it is the value, write --${spec.name}=${value}`,
    });
  }
  if (choices && !choices.includes(value)) {
    const nearest = nearestName(value, choices);
    throw new UserError('usage', `--${spec.name} cannot be "${value}"`, {
      hint: nearest ? `Did you mean ${nearest}? It takes ${choices.join(', ')}.` : `It takes ${choices.join(', ')}.`,
    });
  }
  if (wholeNumberFrom !== undefined && !(/^\d{1,9}$/.test(value) && Number(value) >= wholeNumberFrom)) {
    throw new UserError('usage', `--${spec.name} cannot be "${value}"`, {
      hint: `It takes a whole number from ${wholeNumberFrom} up.`,
    });
  }
  return value;
}

function unknownOption(typed: string, specs: readonly OptionSpec[], command: CommandSpec): UserError {
  const nearest = nearestName(
    typed.replace(/^-+/, ''),
    specs.map(({ name }) => name),
  );
  return usage(`unknown option ${typed}`, command, nearest && `Did you mean --${nearest}?`);
}

function surplusArgument(argument: string, command: CommandSpec): UserError {
  const takes = command.positionals.map(({ name }) => `[${name}]`).join(' ');
  const message = `unexpected argument "${argument}"`;
  return usage(message, command, takes === '' ? undefined : `framework ${command.name} takes one ${takes}.`);
}

function usage(message: string, command: CommandSpec, hint?: string): UserError {
  return new UserError('usage', message, { hint: hint ?? `See framework ${command.name} --help` });
}
