// `framework render --watch`: renders again after every change of the project, until it is cancelled.
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../../renderer-core/errors.ts';
import { resolveProject } from '../../renderer-core/project/findProject.ts';
import { isStandardOutput } from '../../renderer-core/project/output/outputPath.ts';
import { pathInside } from '../../renderer-core/project/pathInside.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { colorsFor } from '../output/colors.ts';
import { errorJson, errorText } from '../output/formatError.ts';
import { aborted } from '../untilAborted.ts';
import { watchFolder } from '../watchFolder.ts';

/** Returns 0 when it is cancelled. A change cancels the render in progress. Throws UserError if there is no project. */
export async function renderOnChange(
  input: CommandInput,
  io: CliIo,
  render: (signal: AbortSignal) => Promise<void>,
): Promise<number> {
  rejectOptions(input);
  const isNdjson = input.values.get('progress') === 'ndjson';
  const { root } = await resolveProject(input.positionals[0] ?? '.', input.values.get('composition'));
  let stop = new AbortController();
  watchInputs(root, input, () => stop.abort(), io.signal);
  while (!io.signal.aborted) {
    stop = new AbortController();
    const { signal } = stop;
    try {
      await render(AbortSignal.any([io.signal, signal]));
    } catch (error) {
      if (io.signal.aborted || signal.aborted) continue;
      if (isNdjson) io.stderr.write(`${JSON.stringify({ type: 'error', error: errorJson(error) })}\n`);
      else io.stderr.write(errorText(error, colorsFor(io.stderr, io.env), io.env.FRAMEWORK_DEBUG === '1'));
    }
    if (io.signal.aborted || signal.aborted) continue;
    if (!input.flags.has('quiet') && !isNdjson) io.stderr.write('Waiting for changes. Press Ctrl+C to stop.\n');
    await Promise.race([aborted(signal), aborted(io.signal)]);
  }
  return 0;
}

function rejectOptions({ values, flags }: CommandInput): void {
  const other =
    ['dry-run', 'json', 'resume'].find((name) => flags.has(name)) ?? (values.has('batch') ? 'batch' : undefined);
  if (other !== undefined) throw new UserError('usage', `--watch and --${other} cannot be used together`);
  if (isStandardOutput(values.get('output')) || values.get('variables-file') === '-')
    throw new UserError('usage', '--watch cannot be used with standard input or standard output', {
      hint: 'Use files for --output and --variables-file.',
    });
}

/** Calls `onChange` when a file of the project has changed that is not the output, or the file with the values. */
function watchInputs(root: string, { values }: CommandInput, onChange: () => void, signal: AbortSignal): void {
  const output = values.get('output');
  const isOutput = (path: string): boolean =>
    output !== undefined && (isInside(path, resolve(output)) || isInside(resolve(output), path));
  watchFolder(root, (path) => !isOutput(join(root, path)) && onChange(), signal);
  const file = values.get('variables-file');
  if (file === undefined) return;
  const given = resolve(file);
  // Editors replace files, so the folder is watched.
  watchFolder(dirname(given), (path) => join(dirname(given), path) === given && onChange(), signal, false);
}

const isInside = (path: string, folder: string): boolean => pathInside(folder, path) !== undefined;
