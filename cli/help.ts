// The text of --help, made from the table of commands.
import type { CommandSpec, OptionSpec } from './command.ts';

const width = 100;

export function programHelp(commands: readonly CommandSpec[], common: readonly OptionSpec[]): string {
  return [
    'Make videos out of HTML compositions with typed variables.',
    '',
    'Usage: framework <command> [options]',
    '',
    'Commands:',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Options:',
    ...columns(common.map(optionRow)),
    '',
    'framework <command> --help tells more about a command.',
    '',
  ].join('\n');
}

/** Of all commands whose names begin with the same words. */
export function groupHelp(group: string, commands: readonly CommandSpec[], common: readonly OptionSpec[]): string {
  return [
    `Usage: framework ${group} <command> [options]`,
    '',
    'Commands:',
    ...columns(below(group, commands)),
    '',
    'Options:',
    ...columns(common.map(optionRow)),
    '',
    `framework ${group} <command> --help tells more about a command.`,
    '',
  ].join('\n');
}

/** The commands whose names begin with `name`, with their summaries. */
function below(name: string, commands: readonly CommandSpec[]): [string, string][] {
  return commands
    .filter((command) => command.name.startsWith(`${name} `))
    .map((command) => [command.name, command.summary]);
}

/** `commands` are all that there are: those below this one are named too. */
export function commandHelp(
  command: CommandSpec,
  commands: readonly CommandSpec[],
  common: readonly OptionSpec[],
): string {
  const { name, summary, positionals, options, examples } = command;
  const usage = [
    'framework',
    name,
    ...positionals.map((one) => `[${one.name}${one.many ? '…' : ''}]`),
    '[options]',
  ].join(' ');
  const inside = below(name, commands);
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
    ...(inside.length > 0 ? ['Beside it:', ...columns(inside), ''] : []),
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
  ].join('\n');
}

function optionRow({ name, short, value, summary }: OptionSpec): [string, string] {
  return [`${short ? `-${short}, ` : '    '}--${name}${value ? ` <${value.label}>` : ''}`, summary];
}

/** Two columns; what is too long for a line of the second goes on below it. */
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
