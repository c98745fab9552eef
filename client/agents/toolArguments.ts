// What the command line is asked for each tool: arguments out of a model's input.

/** What `package.json` allows as input. */
export type LintInput = { path?: string; fix?: boolean };
export type VariablesInput = { path?: string };
export type SnapshotInput = {
  path?: string;
  composition?: string;
  at?: (string | number)[];
  variables?: Record<string, unknown>;
};
export type RenderInput = {
  path?: string;
  composition?: string;
  variables?: Record<string, unknown>;
  output?: string;
  quality?: string;
  format?: string;
};

/** Values go over standard input: a command line has a limit, and other users of the computer see it. */
export type ToolCall = { args: string[]; stdin: string };

const option = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`--${name}=${value}`];

function withValues(args: string[], variables: Record<string, unknown> | undefined): ToolCall {
  if (!variables) return { args, stdin: '' };
  return { args: [...args, '--variables-file=-'], stdin: JSON.stringify(variables) };
}

export function lintCall(dir: string, { fix }: LintInput): ToolCall {
  return { args: ['lint', dir, '--json', ...(fix ? ['--fix'] : [])], stdin: '' };
}

export const variablesCall = (dir: string): ToolCall => ({ args: ['variables', dir, '--json'], stdin: '' });

/** One picture, small enough for a model, as the file `output`. */
export function snapshotCall(
  dir: string,
  { composition, at = [], variables }: SnapshotInput,
  output: string,
  programs: readonly string[],
): ToolCall {
  const times = at.map((time) => `--at=${time}`);
  const sheet = at.length > 1 ? ['--sheet'] : [];
  const args = ['snapshot', dir, ...option('composition', composition), ...times, ...sheet, '--max-side=1280'];
  return withValues([...args, `--output=${output}`, ...programs, '--progress=ndjson', '--json'], variables);
}

export function renderCall(
  dir: string,
  { composition, quality, format, variables }: RenderInput,
  output: string | undefined,
  programs: readonly string[],
): ToolCall {
  const chosen = [...option('composition', composition), ...option('quality', quality), ...option('format', format)];
  const args = ['render', dir, ...chosen, ...option('output', output), ...programs];
  return withValues([...args, '--progress=ndjson', '--json'], variables);
}
