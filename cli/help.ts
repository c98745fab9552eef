// The text of --help, generated from the table of commands.
import type { CommandSpec, OptionSpec } from './command.ts';

const width = 100;

export function programHelp(commands: readonly CommandSpec[], common: readonly OptionSpec[]): string {
  return [
    'Render HTML compositions with typed variables to video.',
    '',
    'Usage: framework <command> [options]',
    '',
    'Commands:',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Options:',
    ...columns(common.map(optionRow)),
    '',
    'Run framework <command> --help for the options of a command.',
    '',
  ].join('\n');
}

/** Help for a group of commands, such as `framework cloud`. */
export function groupHelp(group: string, commands: readonly CommandSpec[], common: readonly OptionSpec[]): string {
  return [
    `Usage: framework ${group} <command> [options]`,
    '',
    'Commands:',
    ...columns(subcommands(group, commands)),
    '',
    'Options:',
    ...columns(common.map(optionRow)),
    '',
    `Run framework ${group} <command> --help for the options of a command.`,
    '',
  ].join('\n');
}

/** Names and summaries of the commands in a group. */
function subcommands(name: string, commands: readonly CommandSpec[]): [string, string][] {
  return commands
    .filter((command) => command.name.startsWith(`${name} `))
    .map((command) => [command.name, command.summary]);
}

/** `commands` is the whole table, from which the subcommands are listed. */
export function commandHelp(
  command: CommandSpec,
  commands: readonly CommandSpec[],
  common: readonly OptionSpec[],
): string {
  const { name, summary, positionals = [], options, examples } = command;
  const usage = [
    'framework',
    name,
    ...positionals.map((one) => `[${one.name}${one.many ? '…' : ''}]`),
    '[options]',
  ].join(' ');
  const nested = subcommands(name, commands);
  const rows: [string, string][] = positionals.map((positional) => [positional.name, positional.summary]);
  return [
    `${summary}.`,
    '',
    `Usage: ${usage}`,
    '',
    ...(rows.length > 0 ? ['Arguments:', ...columns(rows), ''] : []),
    'Options:',
    ...columns([...options, ...common].map(optionRow)),
    '',
    ...(nested.length > 0 ? ['Subcommands:', ...columns(nested), ''] : []),
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
  ].join('\n');
}

function optionRow({ name, short, value, modes, summary }: OptionSpec): [string, string] {
  const argument = value ? ` <${value.label}>` : modes ? `[=${modes.join('|')}]` : '';
  return [`${short ? `-${short}, ` : '    '}--${name}${argument}`, summary];
}

/** Two columns; long text in the second column is wrapped. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const first = Math.max(...rows.map(([left]) => left.length)) + 4;
  return rows.flatMap(([left, right]) =>
    wrap(right, width - first).map((line, index) => `  ${(index === 0 ? left : '').padEnd(first - 2)}${line}`),
  );
}

function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
