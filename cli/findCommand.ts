// Finds the command by its name, which has one to three words: `render`, `cloud render`.
import { UserError } from '../renderer-core/errors.ts';
import { nearestName } from '../renderer-core/model/text/suggest.ts';
import type { CommandSpec } from './command.ts';

/** A command and the arguments after its name, or a group such as `cloud` that was given without a subcommand. */
export type Found =
  | { command: CommandSpec; group?: undefined; rest: readonly string[] }
  | { command?: undefined; group: string; rest: readonly string[] };

/** Throws UserError `usage` that suggests the nearest name. */
export function findCommand(commands: readonly CommandSpec[], argv: readonly string[]): Found {
  const [first = ''] = argv;
  if (first.startsWith('-')) throw unknownOption(first, 'render');
  const words = wordsOf(argv);
  for (let count = words.length; count > 0; count--) {
    const group = words.slice(0, count).join(' ');
    const command = commands.find((one) => one.name === group);
    const nested = commands.filter(({ name }) => name.startsWith(`${group} `));
    const next = argv[count];
    // `serve` and `serve key add` are both commands: a word after `serve` must be a subcommand.
    const isGroup = nested.length > 0 && command && !command.positionals && next !== undefined && !next.startsWith('-');
    if (command && !isGroup) return { command, rest: argv.slice(count) };
    if (nested.length === 0) continue;
    if (next === undefined || next === '--help' || next === '-h') return { group, rest: argv.slice(count) };
    if (next.startsWith('-')) throw unknownOption(next, nested[0]?.name ?? group);
    throw unknownCommand(`${group} ${next}`, nested, group);
  }
  throw unknownCommand(first, commands);
}

/** The leading words, at most three: no command name is longer. */
function wordsOf(argv: readonly string[]): string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return argv.slice(0, Math.min(3, end === -1 ? 3 : end));
}

function unknownOption(typed: string, example: string): UserError {
  return new UserError('usage', `unknown option ${typed}`, {
    hint: `Options come after the command. See framework ${example} --help`,
  });
}

/** `group`: the words before the unknown one, with which all names in `among` begin. */
function unknownCommand(typed: string, among: readonly CommandSpec[], group?: string): UserError {
  const names = among.map(({ name }) => name);
  const firstWords = [...new Set(names.map((name) => name.split(' ')[0] ?? name))];
  // `login` also suggests `auth login`.
  const nearest =
    nearestName(typed, group === undefined ? [...names, ...firstWords] : names) ??
    names.find((name) => name.endsWith(` ${typed}`));
  const known = group === undefined ? firstWords : names;
  const see = `framework ${group === undefined ? '' : `${group} `}--help`;
  return new UserError('usage', `unknown command "${typed}"`, {
    hint: nearest ? `Did you mean "framework ${nearest}"?` : `Commands: ${known.join(', ')}. See ${see}`,
  });
}
