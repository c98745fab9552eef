// From arguments to exit status: finds the command, reads its options, runs it, and presents whatever it throws.
import manifest from '../../package.json' with { type: 'json' };
import { colorsFor } from './colors.ts';
import type { CliIo } from './command.ts';
import { commands, commonOptions } from './commands.ts';
import { findCommand } from './findCommand.ts';
import { commandHelp, groupHelp, programHelp } from './help.ts';
import { parseInput } from './parse.ts';
import { errorJson, errorText, exitStatusOf } from './presentError.ts';

/** `argv` without the program's own name. Never throws; the result is the exit status. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    presentFailure(error, argv, io);
    return exitStatusOf(error);
  }
}

async function dispatch(argv: readonly string[], io: CliIo): Promise<number> {
  const [first, ...others] = argv;
  if (first === undefined || isOneOf(first, '--help', '-h') || (first === 'help' && others.length === 0)) {
    io.stdout.write(programHelp(commands, commonOptions));
    return 0;
  }
  if (isOneOf(first, '--version', '-v')) return printVersion(io);
  const isQuestion = first === 'help';
  const { command, group, rest } = findCommand(commands, isQuestion ? others : argv);
  if (!command) {
    io.stdout.write(groupHelp(group, commands, commonOptions));
    return 0;
  }
  if (isQuestion || asksForHelp(rest)) {
    io.stdout.write(commandHelp(command, commands, commonOptions));
    return 0;
  }
  const input = parseInput(command, commonOptions, rest);
  if (input.switches.has('version')) return printVersion(io);
  return command.run(input, io);
}

function printVersion(io: CliIo): number {
  io.stdout.write(`${manifest.version}\n`);
  return 0;
}

/** Asked for even where something else is wrong with the line: that is when help is wanted. */
function asksForHelp(args: readonly string[]): boolean {
  return beforeDashes(args).some((arg) => isOneOf(arg, '--help', '-h'));
}

/** Looks at the words themselves, because the error may be that they could not be read. */
function presentFailure(error: unknown, argv: readonly string[], io: CliIo): void {
  const words = beforeDashes(argv);
  if (words.includes('--json')) io.stdout.write(`${JSON.stringify({ error: errorJson(error) })}\n`);
  const ndjson = words.includes('--progress=ndjson') || words[words.indexOf('--progress') + 1] === 'ndjson';
  // Whoever reads standard error line by line as JSON must be able to read its last line too.
  if (ndjson) io.stderr.write(`${JSON.stringify({ type: 'error', error: errorJson(error) })}\n`);
  else io.stderr.write(errorText(error, colorsFor(io.stderr, io.env), io.env.FRAMEWORK_DEBUG === '1'));
}

function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

function isOneOf(word: string, ...words: string[]): boolean {
  return words.includes(word);
}
