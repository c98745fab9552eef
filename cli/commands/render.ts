// `framework render`: reads the options, renders with progress, and prints the report.

import { resolve } from 'node:path';
import type { CheckRequest } from '../../renderer-core/check/checkProject.ts';
import { UserError } from '../../renderer-core/errors.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import { featuresOption } from '../../renderer-core/page/features/features.ts';
import type { RenderEvent } from '../../renderer-core/render/renderReport.ts';
import type { RenderRequest } from '../../renderer-core/render/types.ts';
import type { CliIo, CliStream, CommandInput } from '../command.ts';
import { clock, engine } from '../engine.ts';
import { readLocaleOptions } from '../options/localeOptions.ts';
import { parseRows } from '../options/rowsOption.ts';
import { readSizeOptions } from '../options/sizeOptions.ts';
import { readVariables } from '../options/variableOptions.ts';
import { colorsFor } from '../output/colors.ts';
import { createProgress, type Progress, type ProgressMode } from '../output/renderProgress.ts';
import { planText, reportText } from '../output/renderReport.ts';
import { reportStream, writesToStdout } from '../output/standardOutput.ts';
import { untilAborted } from '../untilAborted.ts';
import { checkFirst } from './check.ts';
import { rejectBatchOptions, runBatch } from './renderBatch.ts';
import { rejectWithAllSizes, runSizes } from './renderSizes.ts';
import { renderOnChange } from './renderWatch.ts';

/** Returns 0, or the status of a batch; throws UserError. */
export async function runRender(input: CommandInput, io: CliIo): Promise<number> {
  const quiet = input.flags.has('quiet');
  const progressMode = input.values.get('progress') as ProgressMode | undefined;
  const mode = progressMode ?? (quiet ? 'none' : 'auto');
  const progress = createProgress(mode, io.stderr, colorsFor(io.stderr, io.env));
  const onEvent = (event: RenderEvent): void => {
    if (event.type === 'warning' && mode !== 'ndjson') warn(event.message, progress, io);
    progress.show(event);
  };
  try {
    if (!input.values.has('batch')) rejectBatchOptions(input);
    if (input.flags.has('all-sizes')) rejectWithAllSizes(input);
    writesToStdout(input);
    const read = async (signal: AbortSignal): Promise<RenderRequest> => ({
      ...(await untilAborted(readRequest(input, io), signal, cancelled)),
      stdout: io.writeStdout,
      signal,
      onEvent,
    });
    const output = { json: input.flags.has('json'), quiet, mode, progress, stream: reportStream(input, io), io };
    if (input.flags.has('watch'))
      return await renderOnChange(input, io, async (signal) =>
        render(await read(signal), output, process.pid).finally(progress.clear),
      );
    const request = await read(io.signal);
    if (input.flags.has('check')) await checkFirst(checkOf(input, request), io);
    if (input.values.has('batch')) return await runBatch(input, request, io);
    if (input.flags.has('all-sizes')) return await runSizes(input, request, progress.clear, io);
    await (input.flags.has('dry-run') ? dryRun(request, output) : render(request, output, io.owner));
    return 0;
  } catch (error) {
    // After a cancellation, other errors are only its consequences.
    if (io.signal.aborted && !(error instanceof UserError && error.code === 'cancelled')) throw cancelled(error);
    throw error;
  } finally {
    progress.clear();
  }
}

/** The check of what a render would show. */
function checkOf({ values, flags }: CommandInput, request: RenderRequest): CheckRequest {
  const { output: _, stdout: __, onEvent: ___, ...rest } = request;
  const rows = values.get('rows');
  return {
    ...rest,
    ...given({ rows: values.get('batch'), indices: rows === undefined ? undefined : parseRows(rows) }),
    allSizes: flags.has('all-sizes'),
  };
}

/** `stream` gets the report. */
type Output = {
  json: boolean;
  quiet: boolean;
  mode: ProgressMode;
  progress: Progress;
  stream: CliStream;
  io: CliIo;
};

/** `owner`: the process that will ask for further renders. */
async function render(
  request: RenderRequest,
  { json, quiet, progress, stream, io }: Output,
  owner: number | undefined,
): Promise<void> {
  const { renderVideo, renderWithHost } = io.engine ?? engine;
  const surroundings = { ...clock, env: io.env };
  const report = await (owner === undefined
    ? renderVideo(request, surroundings)
    : renderWithHost(request, { ...surroundings, owner }));
  progress.clear();
  if (json) io.stdout.write(`${JSON.stringify(report)}\n`);
  else if (!quiet) stream.write(reportText(report, colorsFor(stream, io.env)));
  else if (stream === io.stdout) stream.write(`${report.output}\n`);
}

async function dryRun(request: RenderRequest, { json, quiet, mode, progress, io }: Output): Promise<void> {
  const { planRender } = io.engine ?? engine;
  const { plan, warnings } = await planRender(request, { ...clock, env: io.env });
  progress.clear();
  // A render reports its warnings as events, a plan in its result.
  if (mode !== 'ndjson') for (const message of warnings) warn(message, progress, io);
  if (json) io.stdout.write(`${JSON.stringify({ plan, warnings })}\n`);
  else io.stdout.write(quiet ? `${resolve(plan.output)}\n` : planText(plan, resolve(plan.output)));
}

/** Contains only the given options. The renderer validates them and chooses the defaults. */
async function readRequest(input: CommandInput, io: CliIo): Promise<RenderRequest> {
  const { values, flags, positionals } = input;
  const workers = values.get('workers');
  const loudness = values.get('loudness');
  const crf = values.get('crf');
  const bitDepth = values.get('bit-depth');
  const options = given({
    composition: values.get('composition'),
    output: values.get('output'),
    fps: values.get('fps'),
    from: values.get('from'),
    to: values.get('to'),
    format: values.get('format'),
    codec: values.get('codec'),
    quality: values.get('quality'),
    captions: values.get('captions'),
    crf: crf === undefined ? undefined : Number(crf),
    bitrate: values.get('bitrate'),
    workers: workers === undefined ? undefined : Number(workers),
    loudness: loudness === undefined ? undefined : Number(loudness),
    browserPath: values.get('browser'),
    ffmpegPath: values.get('ffmpeg'),
    capture: values.get('capture') as RenderRequest['capture'],
    gpu: values.get('gpu') as RenderRequest['gpu'],
    network: values.get('network') as RenderRequest['network'],
    ...readSizeOptions(input),
    ...readLocaleOptions(input),
    hdr: values.get('hdr') ?? (flags.has('hdr') || undefined),
    bitDepth: bitDepth === undefined ? undefined : Number(bitDepth),
    ...(flags.has('system-fonts') ? { systemFonts: true } : {}),
  });
  const sources = { inline: values.get('variables'), file: values.get('variables-file') };
  return {
    projectDir: positionals[0] ?? '.',
    ...options,
    ...(await readVariables(sources, io.stdin)),
    ...featuresOption(io.env),
    ...(flags.has('strict-variables') ? { strictVariables: true } : {}),
    ...(flags.has('resume') ? { resume: true } : {}),
  };
}

function warn(message: string, progress: Progress, io: CliIo): void {
  progress.clear();
  io.stderr.write(`${colorsFor(io.stderr, io.env).yellow('warning:')} ${message}\n`);
}

function cancelled(cause: unknown): UserError {
  return new UserError('cancelled', 'The render was cancelled; no file was written.', { cause });
}
