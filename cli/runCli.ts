// Runs a command line: finds the command, parses its options, runs it, and prints errors.
import manifest from '../package.json' with { type: 'json' };
import { UserError } from '../renderer-core/errors.ts';
import type { CliIo } from './command.ts';
import { commands, commonOptions, editorCommands } from './commandTable.ts';
import { findCommand } from './findCommand.ts';
import { commandHelp, groupHelp, programHelp } from './help.ts';
import { parseInput } from './options/parseArguments.ts';
import { colorsFor } from './output/colors.ts';
import { errorJson, errorText, exitStatusOf } from './output/formatError.ts';

/** `argv` does not include the program's name. Returns the exit status; never throws. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    printError(error, argv, io);
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
  const isHelpCommand = first === 'help';
  const own = editorCommands.find(({ name }) => name === first);
  const { command, group, rest } = own
    ? { command: own, rest: others }
    : findCommand(commands, isHelpCommand ? others : argv);
  if (!command) {
    io.stdout.write(groupHelp(group, commands, commonOptions));
    return 0;
  }
  if (isHelpCommand || asksForHelp(rest)) {
    io.stdout.write(commandHelp(command, commands, commonOptions));
    return 0;
  }
  const input = parseInput(command, commonOptions, rest);
  if (input.flags.has('version')) return printVersion(io);
  return command.run(input, io);
}

function printVersion(io: CliIo): number {
  io.stdout.write(`${manifest.version}\n`);
  return 0;
}

/** Help wins over invalid arguments. */
function asksForHelp(args: readonly string[]): boolean {
  return beforeDoubleDash(args).some((arg) => isOneOf(arg, '--help', '-h'));
}

/** Reads the raw arguments, because the error may be that they could not be parsed. */
function printError(error: unknown, argv: readonly string[], io: CliIo): void {
  const words = beforeDoubleDash(argv);
  if (words.includes('--json')) io.stdout.write(`${JSON.stringify({ error: errorJson(error) })}\n`);
  const ndjson = words.includes('--progress=ndjson') || words[words.indexOf('--progress') + 1] === 'ndjson';
  // A program that reads stderr as JSON lines must be able to read the error too.
  if (ndjson) io.stderr.write(`${JSON.stringify({ type: 'error', error: errorJson(error) })}\n`);
  // A program that stops reading, such as `head`, is not an error that the user must know of.
  else if (!(error instanceof UserError && error.code === 'output_closed'))
    io.stderr.write(errorText(error, colorsFor(io.stderr, io.env), io.env.FRAMEWORK_DEBUG === '1'));
}

function beforeDoubleDash(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

function isOneOf(word: string, ...words: string[]): boolean {
  return words.includes(word);
}
