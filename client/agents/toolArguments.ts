// The command line for each language model tool.
import type { EditorLintInput, EditorRenderInput, EditorSnapshotInput } from '../../cli/mcp/toolDefinitions.ts';
import { videoArgs } from '../render/jobArguments.ts';

/** Values are passed on stdin, because command lines are limited in length and visible to other users. */
export type ToolCommand = { args: string[]; stdin: string };

const option = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`--${name}=${value}`];

function withValues(args: string[], variables: Record<string, unknown> | undefined): ToolCommand {
  if (!variables) return { args, stdin: '' };
  return { args: [...args, '--variables-file=-'], stdin: JSON.stringify(variables) };
}

export function lintCommand(dir: string, { fix }: EditorLintInput): ToolCommand {
  return { args: ['lint', dir, '--json', ...(fix ? ['--fix'] : [])], stdin: '' };
}

export const variablesCommand = (dir: string): ToolCommand => ({ args: ['variables', dir, '--json'], stdin: '' });

/** Writes one image, small enough for a model, to `output`. */
export function snapshotCommand(
  dir: string,
  { composition, at = [], variables, ...size }: EditorSnapshotInput,
  output: string,
  programs: readonly string[],
): ToolCommand {
  const times = at.map((time) => `--at=${time}`);
  const sheet = at.length > 1 ? ['--contact-sheet'] : [];
  const frames = [...times, ...videoArgs(size), ...sheet];
  const args = ['snapshot', dir, ...option('composition', composition), ...frames, '--max-side=1280'];
  return withValues([...args, `--output=${output}`, ...programs, '--progress=ndjson', '--json'], variables);
}

export function renderCommand(
  dir: string,
  { composition, quality, format, variables, ...size }: EditorRenderInput,
  output: string | undefined,
  programs: readonly string[],
): ToolCommand {
  const chosen = [...option('composition', composition), ...option('quality', quality), ...option('format', format)];
  const args = ['render', dir, ...chosen, ...videoArgs(size), ...option('output', output), ...programs];
  return withValues([...args, '--progress=ndjson', '--json'], variables);
}
