// Parses the command line of ffmpeg, as far as Framework uses it: several inputs, one output.

/** By name without the dash: `c:v`, `pix_fmt`. Options without a value have an empty one; several `map` are joined by spaces. */
export type Options = Readonly<Record<string, string>>;

/** Options belong to the file that follows them, as for ffmpeg. Those of the whole program, such as `y`, are not told apart. */
export type CommandFile = { url: string; options: Options };

/** `options`: those that no file follows. */
export type Command = { inputs: CommandFile[]; output: CommandFile | undefined; options: Options };

const withoutValue = new Set(['hide_banner', 'nostdin', 'y', 'copyts', 'noaccurate_seek', 'an', 'encoders']);

export function parseCommand(args: readonly string[]): Command {
  const inputs: CommandFile[] = [];
  let output: CommandFile | undefined;
  let options: Record<string, string> = {};
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (!arg.startsWith('-') || arg === '-') {
      if (output) throw new Error('only one output is supported');
      output = { url: arg, options };
      options = {};
      continue;
    }
    const name = arg.slice(1);
    const value = withoutValue.has(name) ? '' : args[++index];
    if (value === undefined) throw new Error(`missing argument for option '${name}'`);
    if (name === 'i') {
      inputs.push({ url: value, options });
      options = {};
    } else options[name] = name === 'map' && options.map !== undefined ? `${options.map} ${value}` : value;
  }
  return { inputs, output, options };
}

/** The value of an option for streams of one kind: `c:v` before `c`. */
export const streamOption = (options: Options, name: string, kind: 'v' | 'a' | 's'): string | undefined =>
  options[`${name}:${kind}`] ?? options[name];
