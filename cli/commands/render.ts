// `framework render`: from options to a request, progress while it runs, and the report at the end.
import { resolve } from 'node:path';
import { UserError } from '../errors.ts';
import type { RenderEvent, RenderRequest } from '../render/renderVideo.ts';
import { refuseBatchOptions, runBatch } from './batch.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { loadEngine } from './engine.ts';
import { createProgress, type Progress, type ProgressMode } from './progress.ts';
import { planText, reportText } from './report.ts';
import { untilAborted } from './untilAborted.ts';
import { readVariables } from './variables.ts';

/** Throws UserError; the status is 0 otherwise. */
export async function runRender(input: CommandInput, io: CliIo): Promise<number> {
  const quiet = input.switches.has('quiet');
  const asked = input.values.get('progress') as ProgressMode | undefined;
  const mode = asked ?? (quiet ? 'none' : 'auto');
  const progress = createProgress(mode, io.stderr, colorsFor(io.stderr, io.env));
  const onEvent = (event: RenderEvent): void => {
    if (event.type === 'warning' && mode !== 'ndjson') warn(event.message, progress, io);
    progress.show(event);
  };
  try {
    if (!input.values.has('batch')) refuseBatchOptions(input);
    const request = {
      ...(await untilAborted(readRequest(input, io), io.signal, cancelled)),
      signal: io.signal,
      onEvent,
    };
    if (input.values.has('batch')) return await runBatch(input, request, io);
    const run = input.switches.has('dry-run') ? dryRun : render;
    await run(request, { json: input.switches.has('json'), quiet, mode, progress, io });
    return 0;
  } catch (error) {
    // Whatever broke because everything is being closed is not the cause.
    if (io.signal.aborted && !(error instanceof UserError && error.code === 'cancelled')) throw cancelled(error);
    throw error;
  } finally {
    progress.clear();
  }
}

type Showing = { json: boolean; quiet: boolean; mode: ProgressMode; progress: Progress; io: CliIo };

async function render(request: RenderRequest, { json, quiet, progress, io }: Showing): Promise<void> {
  const { renderVideo } = io.engine ?? (await loadEngine());
  const report = await renderVideo(request);
  progress.clear();
  if (json) io.stdout.write(`${JSON.stringify(report)}\n`);
  else if (quiet) io.stdout.write(`${report.output}\n`);
  else io.stdout.write(reportText(report, colorsFor(io.stdout, io.env)));
}

async function dryRun(request: RenderRequest, { json, quiet, mode, progress, io }: Showing): Promise<void> {
  const { planRender } = io.engine ?? (await loadEngine());
  const { plan, warnings } = await planRender(request);
  progress.clear();
  // A render tells its warnings as events; a plan comes with them.
  if (mode !== 'ndjson') for (const message of warnings) warn(message, progress, io);
  if (json) io.stdout.write(`${JSON.stringify({ plan, warnings })}\n`);
  else io.stdout.write(quiet ? `${resolve(plan.output)}\n` : planText(plan, resolve(plan.output)));
}

/** Only what was given: everything else is the renderer's to choose and to check. */
async function readRequest(input: CommandInput, io: CliIo): Promise<RenderRequest> {
  const { values, switches, positionals } = input;
  const variables = await readVariables(
    { inline: values.get('variables'), file: values.get('variables-file') },
    io.stdin,
  );
  const workers = values.get('workers');
  const given = {
    composition: values.get('composition'),
    variables,
    output: values.get('output'),
    fps: values.get('fps'),
    format: values.get('format'),
    codec: values.get('codec'),
    quality: values.get('quality'),
    workers: workers === undefined ? undefined : Number(workers),
    browserPath: values.get('browser'),
    ffmpegPath: values.get('ffmpeg'),
    capture: values.get('capture') as RenderRequest['capture'],
  };
  return {
    projectDir: positionals[0] ?? '.',
    ...withoutUndefined(given),
    ...(switches.has('strict-variables') ? { strictVariables: true } : {}),
    ...(switches.has('hdr') ? { hdr: true } : {}),
  };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}

function warn(message: string, progress: Progress, io: CliIo): void {
  progress.clear();
  io.stderr.write(`${colorsFor(io.stderr, io.env).yellow('warning:')} ${message}\n`);
}

function cancelled(cause: unknown): UserError {
  return new UserError('cancelled', 'The render was cancelled; nothing was written.', { cause });
}
