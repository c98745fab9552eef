// What a command of the executable is: a row of data that parsing, help and completion all read, and a function.
import type { Engine } from './engine.ts';

/** Where a command reads and writes. Passed in, so that tests need no process. */
export type CliIo = {
  stdout: CliStream;
  stderr: CliStream;
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
  env: NodeJS.ProcessEnv;
  /** Aborted when the user cancels. */
  signal: AbortSignal;
  /** Replaced in tests: the real one starts browsers. */
  engine?: Engine;
};

export type CliStream = { write(text: string): unknown; isTTY?: boolean; columns?: number };

/** What an option's value is: the word for it in the help, what is allowed, and what the shell may offer. */
export type OptionValue = {
  label: string;
  /** The only values allowed. */
  choices?: readonly string[];
  /** Values to offer that the renderer itself checks, or paths. */
  complete?: readonly string[] | 'file' | 'folder';
  /** A whole number, at least this. */
  wholeNumberFrom?: number;
  /** May be given more than once; every value counts. */
  repeatable?: boolean;
};

/** `value` is absent for a switch. `name` has no dashes. */
export type OptionSpec = { name: string; short?: string; summary: string; value?: OptionValue };

export type CommandSpec = {
  name: string;
  summary: string;
  /** Arguments without a dash, in order; each may be left out. `many`: the last one, which may be given more than once. */
  positionals: readonly {
    name: string;
    summary: string;
    complete?: readonly string[] | 'file' | 'folder';
    many?: boolean;
  }[];
  options: readonly OptionSpec[];
  examples: readonly string[];
  /** Loads the command's module only now: `--version` and the help must not wait for a browser driver. */
  run(input: CommandInput, io: CliIo): Promise<number>;
};

/** What the user typed, already checked against the row. */
export type CommandInput = {
  positionals: readonly string[];
  /** Options with a value, by name; the last one counts. */
  values: ReadonlyMap<string, string>;
  /** All values of repeatable options, in the order they were given. */
  lists: ReadonlyMap<string, readonly string[]>;
  switches: ReadonlySet<string>;
};
