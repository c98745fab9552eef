// Finds the command that a line begins with: names are one word or several, `render` or `cloud render`.
import { UserError } from '../errors.ts';
import { nearestName } from '../model/suggest.ts';
import type { CommandSpec } from './command.ts';

/** A command and the words after its name, or a group (`cloud`) that was named alone or whose help is asked for. */
export type Found =
  | { command: CommandSpec; group?: undefined; rest: readonly string[] }
  | { command?: undefined; group: string; rest: readonly string[] };

/** Throws UserError `usage` with the nearest name. */
export function findCommand(commands: readonly CommandSpec[], argv: readonly string[]): Found {
  const [first = ''] = argv;
  if (first.startsWith('-')) throw unknownOption(first, 'render');
  const words = wordsOf(argv);
  for (let count = words.length; count > 0; count--) {
    const group = words.slice(0, count).join(' ');
    const command = commands.find((one) => one.name === group);
    const inside = commands.filter(({ name }) => name.startsWith(`${group} `));
    const next = argv[count];
    // `serve` is a command, and `serve key add` another: a word behind it is meant for one of those.
    const isGroup =
      inside.length > 0 && command?.positionals.length === 0 && next !== undefined && !next.startsWith('-');
    if (command && !isGroup) return { command, rest: argv.slice(count) };
    if (inside.length === 0) continue;
    if (next === undefined || next === '--help' || next === '-h') return { group, rest: argv.slice(count) };
    if (next.startsWith('-')) throw unknownOption(next, inside[0]?.name ?? group);
    throw unknownCommand(`${group} ${next}`, inside, group);
  }
  throw unknownCommand(first, commands);
}

/** No command has a name of more than three words. */
function wordsOf(argv: readonly string[]): string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return argv.slice(0, Math.min(3, end === -1 ? 3 : end));
}

function unknownOption(typed: string, example: string): UserError {
  return new UserError('usage', `unknown option ${typed}`, {
    hint: `Options follow a command: framework ${example} --help`,
  });
}

/** `group` is what stood in front of it: the words that `among` begin with. */
function unknownCommand(typed: string, among: readonly CommandSpec[], group?: string): UserError {
  const names = among.map(({ name }) => name);
  const firstWords = [...new Set(names.map((name) => name.split(' ')[0] ?? name))];
  // `login` for `auth login` is no misspelling, but as near.
  const nearest =
    nearestName(typed, group === undefined ? [...names, ...firstWords] : names) ??
    names.find((name) => name.endsWith(` ${typed}`));
  const known = group === undefined ? firstWords : names;
  const see = `framework ${group === undefined ? '' : `${group} `}--help`;
  return new UserError('usage', `unknown command "${typed}"`, {
    hint: nearest ? `Did you mean "framework ${nearest}"?` : `Commands: ${known.join(', ')}. See ${see}`,
  });
}
