// Parses the command line of ffmpeg, as far as Framework uses it: several inputs, one output.

/** By name without the dash: `c:v`, `pix_fmt`. Options without a value have an empty one; several `map` are joined by spaces. */
export type Options = Readonly<Record<string, string>>;

export type Command = {
  inputs: { url: string; options: Options }[];
  output: { url: string; options: Options } | undefined;
  global: Options;
};

const withoutValue = new Set(['hide_banner', 'nostdin', 'y', 'copyts', 'noaccurate_seek', 'an', 'version', 'encoders']);
const globals = new Set([
  'hide_banner',
  'nostdin',
  'y',
  'copyts',
  'loglevel',
  'filter_complex',
  'lavfi',
  'version',
  'encoders',
  'h',
]);
const aliases: Options = { v: 'loglevel', lavfi: 'filter_complex', 'codec:v': 'c:v', 'codec:a': 'c:a' };

export function parseCommand(args: readonly string[]): Command {
  const command: Command = { inputs: [], output: undefined, global: {} };
  let options: Record<string, string> = {};
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (!arg.startsWith('-') || arg === '-') {
      if (command.output) throw new Error('only one output is supported');
      command.output = { url: arg, options };
      options = {};
      continue;
    }
    const given = arg.slice(1);
    const name = aliases[given] ?? given;
    const value = withoutValue.has(name) ? '' : args[++index];
    if (value === undefined) throw new Error(`missing argument for option '${name}'`);
    if (name === 'i') {
      command.inputs.push({ url: value, options });
      options = {};
    } else if (globals.has(name)) command.global = { ...command.global, [name]: value };
    else options[name] = name === 'map' && options.map !== undefined ? `${options.map} ${value}` : value;
  }
  return command;
}

/** The value of an option for streams of one kind: `c:v` before `c`. */
export const streamOption = (options: Options, name: string, kind: 'v' | 'a'): string | undefined =>
  options[`${name}:${kind}`] ?? options[name];
