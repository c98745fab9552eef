// The description of a CLI command: parsing, help and shell completion all read it.
import type { FontService } from '../renderer-core/fonts/googleFont.ts';
import type { WriteBytes } from '../renderer-core/project/output/outputStream.ts';
import type { Engine } from './engine.ts';

/** The streams and the environment of a command. Passed in, so that tests need no process. */
export type CliIo = {
  stdout: CliStream;
  /** Writes a video or an image to standard output. */
  writeStdout: WriteBytes;
  stderr: CliStream;
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
  env: NodeJS.ProcessEnv;
  /** Aborted when the user cancels. */
  signal: AbortSignal;
  /** ID of the process that has started this one and lives on, such as an editor. */
  owner?: number;
  /** Tests replace it; the real one starts browsers. */
  engine?: Engine;
  /** Tests replace Google Fonts. */
  fontService?: FontService;
};

export type CliStream = { write(text: string): unknown; isTTY?: boolean; columns?: number };

export type OptionValue = {
  /** Shown in help: `--fps <rate>`. */
  label: string;
  /** The only values allowed. */
  choices?: readonly string[];
  /** Values that shell completion offers; the renderer validates them. */
  complete?: readonly string[] | 'file' | 'folder';
  /** The value must be a whole number, at least this. */
  wholeNumberFrom?: number;
  /** The highest allowed whole number. */
  wholeNumberTo?: number;
  /** May be given more than once; every value counts. */
  repeatable?: boolean;
};

export type OptionSpec = {
  /** The name does not contain the dashes. */
  name: string;
  short?: string;
  summary: string;
  /** Absent for a flag. */
  value?: OptionValue;
  /** The values that a flag may have after an equals sign: `--resume=completed`. */
  modes?: readonly string[];
  /** A flag whose command reads a secret. What users type after it is not printed. */
  readsSecret?: boolean;
};

export type CommandSpec = {
  name: string;
  summary: string;
  /** Arguments without a dash, in order. All are optional. `many`: the last one may be given more than once. */
  positionals?: readonly {
    name: string;
    summary: string;
    complete?: readonly string[] | 'file' | 'folder';
    many?: boolean;
  }[];
  options: readonly OptionSpec[];
  examples: readonly string[];
  /** Imports the command's module only when it runs, so that `--version` and help do not load a browser driver. */
  run(input: CommandInput, io: CliIo): Promise<number>;
};

/** The parsed arguments, validated against the command's description. */
export type CommandInput = {
  positionals: readonly string[];
  /** Options with a value, and flags with a mode, by name; the last one counts. */
  values: ReadonlyMap<string, string>;
  /** All values of repeatable options, in the order in which they were given. */
  lists: ReadonlyMap<string, readonly string[]>;
  /** Flags that were given, with or without a mode. */
  flags: ReadonlySet<string>;
};
