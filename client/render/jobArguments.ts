// The command-line arguments of each kind of render.
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Values } from '../compositions/draftValues.ts';

/** One run of the command line. `folder` is the project folder; relative paths are resolved against it. */
export type CliJob = {
  /** The arguments that a user would type: no options for progress and for the paths of programs. */
  args: readonly string[];
  folder: string;
  stdin: string;
  /** Starts a browser and ffmpeg on this machine, whose paths can be set. */
  isLocal: boolean;
};

/** `folder`: absolute path of the project folder. `values`: only those that differ from the defaults. */
export type Subject = { composition: CompositionInfo; folder: string; values: Values; size: VideoChoice };

/** The size of the video. An absent value means the default of the command line. */
export type SizeChoice = { resolution?: string; aspectRatio?: string; fit?: string; background?: string };

/**
 * What a render dialog can choose about the video. `from` and `to` are times of the composition: `2.5` or `75f`. `captions`:
 * where they are written. `color`: `10-bit`, or a curve of HDR.
 */
export type VideoChoice = SizeChoice & {
  format?: string;
  quality?: string;
  color?: string;
  fps?: string;
  from?: string;
  to?: string;
  captions?: string;
};

type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** Options of all commands that render. */
export function videoArgs(choice: Optional<VideoChoice>): string[] {
  const { aspectRatio, ...others } = choice;
  const { resolution, fit, background, format, quality, fps, from, to, captions } = others;
  const size = { resolution, 'aspect-ratio': aspectRatio, fit, background };
  const given = { ...size, format, quality, ...colorOptions(choice), fps, from, to, captions };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
}

/** The default codec of mp4 has 8 bits; those of webm and HDR have 10. */
function colorOptions({ format = 'mp4', color }: Optional<VideoChoice>): Record<string, string | undefined> {
  if (color !== '10-bit') return { hdr: color };
  return { codec: format === 'mp4' ? 'h265' : undefined, 'bit-depth': '10' };
}

/** `9:16, cover, 4k`; empty for the composition's own size. */
export const sizeText = ({ resolution, aspectRatio, fit, background }: SizeChoice): string =>
  [aspectRatio, fit, background, resolution].filter((value) => value !== undefined).join(', ');

/** Options of the AWS stack. An empty string means the value of the AWS configuration. */
export type Stack = { region: string; profile: string; name: string };

/** Values are sent over standard input: there is no length limit, and they do not appear in process lists. */
export function renderJob({ composition, folder, values, size }: Subject, output?: string): CliJob {
  const outputArgs = output === undefined ? [] : [`--output=${output}`];
  const args = ['render', folder, ...valueArgs(composition), ...videoArgs(size), ...outputArgs, '--quiet'];
  return { args, folder, stdin: JSON.stringify(values), isLocal: true };
}

/** `rows`: path of the batch file, `only`: its rows to render. `template`: output template; empty for the default of the command line. */
type BatchOptions = {
  rows: string;
  template: string;
  resume: boolean;
  only?: string | undefined;
  invalidRows?: 'defaults' | 'skip' | undefined;
};

export function batchJob(
  { composition, folder, size }: Omit<Subject, 'values'>,
  { rows, template, resume, only, invalidRows }: BatchOptions,
): CliJob {
  const outputArgs = template === '' ? [] : [`--output=${template}`];
  const options = [`--composition=${composition.path}`, `--batch=${rows}`, ...videoArgs(size), ...outputArgs];
  if (only !== undefined) options.push(`--rows=${only}`);
  if (invalidRows === 'skip') options.push('--invalid-rows=skip');
  const args = ['render', folder, ...options, ...(resume ? ['--resume'] : []), '--quiet'];
  return { args, folder, stdin: '', isLocal: true };
}

/** Runs a task again with the same arguments. */
export function taskJobAgain(
  { args, stdin }: { args: readonly string[]; stdin: string },
  folder: string,
  resume = false,
): CliJob {
  return { args: resume ? [...args, '--resume'] : args, folder, stdin, isLocal: true };
}

/** `title`: the name in the list of the account. */
export function cloudJob({ composition, folder, values, size }: Subject, output: string, title: string): CliJob {
  const options = [...valueArgs(composition), ...videoArgs(size), `--output=${output}`];
  const args = ['cloud', 'render', folder, ...options, `--title=${title}`, '--json'];
  return { args, folder, stdin: JSON.stringify(values), isLocal: false };
}

/** Waits for a render that the service has already accepted. */
export function cloudWaitJob({ folder }: Pick<Subject, 'folder'>, output: string, renderId: string): CliJob {
  const args = ['cloud', 'get', renderId, '--wait', `--output=${output}`, '--json'];
  return { args, folder, stdin: '', isLocal: false };
}

export function serverlessJob({ composition, folder, values, size }: Subject, output: string, stack: Stack): CliJob {
  const options = [...valueArgs(composition), ...videoArgs(size), `--output=${output}`, ...stackArgs(stack)];
  return {
    args: ['serverless', 'render', folder, ...options, '--json'],
    folder,
    stdin: JSON.stringify(values),
    isLocal: false,
  };
}

/** Waits for an execution that has already been started. */
export function serverlessWaitJob(
  { folder }: Pick<Subject, 'folder'>,
  output: string,
  executionArn: string,
  stack: Stack,
): CliJob {
  const options = [`--output=${output}`, ...stackArgs(stack)];
  return { args: ['serverless', 'progress', executionArn, ...options, '--json'], folder, stdin: '', isLocal: false };
}

export function stackArgs({ region, profile, name }: Stack): string[] {
  const given = { region, profile, 'stack-name': name };
  return Object.entries(given).flatMap(([option, value]) => (value === '' ? [] : [`--${option}=${value}`]));
}

/** The stack of an execution. The region comes from the ARN, because the stack of the workspace may have changed since. */
export function stackOf(executionArn: string, known: Stack | undefined): Stack {
  const { region, profile, name } = known ?? { region: '', profile: '', name: '' };
  return { region: executionArn.split(':')[3] || region, profile, name };
}

const valueArgs = ({ path }: CompositionInfo): string[] => [`--composition=${path}`, '--variables-file=-'];
