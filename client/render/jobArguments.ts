// What the command line is started with for each kind of render, as data.
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Values } from '../values.ts';

/** One run of the command line. `folder` is the project's, where relative paths begin. */
export type CliJob = {
  /** Without what says how progress is told and where programs are. */
  args: readonly string[];
  folder: string;
  stdin: string;
  /** It starts a browser and ffmpeg here, which settings may name. */
  isLocal: boolean;
};

/** A composition, its project folder as a path of this machine, and the values: only those that differ from the defaults. */
export type Subject = { composition: CompositionInfo; folder: string; values: Values };

/** AWS as the command line is told it; what is empty is left to AWS's own configuration. */
export type Stack = { region: string; profile: string; name: string };

/** Values come by standard input: no shell, no limit of length, and not in anybody's list of processes. */
export function renderJob({ composition, folder, values }: Subject, output?: string): CliJob {
  const place = output === undefined ? [] : [`--output=${output}`];
  const args = ['render', folder, ...valueArgs(composition), ...place, '--quiet'];
  return { args, folder, stdin: JSON.stringify(values), isLocal: true };
}

/** `rows` is the path of the file, `template` where the videos go; empty: where the command line puts them. */
export function batchJob(
  { composition, folder }: Omit<Subject, 'values'>,
  { rows, template, resume }: { rows: string; template: string; resume: boolean },
): CliJob {
  const place = template === '' ? [] : [`--output=${template}`];
  const options = [`--composition=${composition.path}`, `--batch=${rows}`, ...place];
  const args = ['render', folder, ...options, ...(resume ? ['--resume'] : []), '--quiet'];
  return { args, folder, stdin: '', isLocal: true };
}

/** What a task has run before. Its options are all there: nothing about it is worked out anew. */
export function taskJobAgain(
  { args, stdin }: { args: readonly string[]; stdin: string },
  folder: string,
  resume = false,
): CliJob {
  return { args: resume ? [...args, '--resume'] : args, folder, stdin, isLocal: true };
}

export function cloudJob({ composition, folder, values }: Subject): CliJob {
  const options = [...valueArgs(composition), `--output=${remoteOutput(composition, 'cloud')}`];
  const args = ['cloud', 'render', folder, ...options, `--title=${composition.path}`, '--json'];
  return { args, folder, stdin: JSON.stringify(values), isLocal: false };
}

/** Waits for a render that was accepted before. */
export function cloudWaitJob({ composition, folder }: Omit<Subject, 'values'>, renderId: string): CliJob {
  const args = ['cloud', 'get', renderId, '--wait', `--output=${remoteOutput(composition, 'cloud')}`, '--json'];
  return { args, folder, stdin: '', isLocal: false };
}

export function serverlessJob({ composition, folder, values }: Subject, stack: Stack): CliJob {
  const options = [...valueArgs(composition), `--output=${remoteOutput(composition, 'aws')}`, ...stackArgs(stack)];
  return {
    args: ['serverless', 'render', folder, ...options, '--json'],
    folder,
    stdin: JSON.stringify(values),
    isLocal: false,
  };
}

/** Waits for an execution that was started before. */
export function serverlessWaitJob(
  { composition, folder }: Omit<Subject, 'values'>,
  executionArn: string,
  stack: Stack,
): CliJob {
  const options = [`--output=${remoteOutput(composition, 'aws')}`, ...stackArgs(stack)];
  return { args: ['serverless', 'progress', executionArn, ...options, '--json'], folder, stdin: '', isLocal: false };
}

export function stackArgs({ region, profile, name }: Stack): string[] {
  const given = { region, profile, 'stack-name': name };
  return Object.entries(given).flatMap(([option, value]) => (value === '' ? [] : [`--${option}=${value}`]));
}

/** The stack an execution is on: its ARN is surer of the region than what the workspace has chosen since. */
export function stackOf(executionArn: string, known: Stack | undefined): Stack {
  const { region, profile, name } = known ?? { region: '', profile: '', name: '' };
  return { region: executionArn.split(':')[3] || region, profile, name };
}

const valueArgs = ({ path }: CompositionInfo): string[] => [`--composition=${path}`, '--variables-file=-'];

/** Beside the video that this machine makes, not over it. */
function remoteOutput({ path }: CompositionInfo, where: 'cloud' | 'aws'): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.html?$/i, '');
  return `renders/${name}-${where}.mp4`;
}
