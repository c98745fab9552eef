// `framework chunks`: plans a job, renders one of its chunks, joins them, and shows which are rendered.
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../../renderer-core/errors.ts';
import { given } from '../../../renderer-core/model/variables/given.ts';
import { featuresOption } from '../../../renderer-core/page/features/features.ts';
import { isStandardOutput } from '../../../renderer-core/project/output/outputPath.ts';
import { checkFileOutput } from '../../../renderer-core/project/output/outputTarget.ts';
import type { RenderEvent } from '../../../renderer-core/render/renderReport.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { withAws } from '../../../serverless/awsErrors.ts';
import { idleLimit } from '../../../serverless/jobs/idleLimit.ts';
import type { JobStatus } from '../../../serverless/jobs/jobReports.ts';
import { jobStatus, joinJob, planJob, plannedOutput, renderJobChunk } from '../../../serverless/jobs/jobs.ts';
import { type Job, openJob } from '../../../serverless/jobs/openJob.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { clock } from '../../engine.ts';
import { readSizeOptions } from '../../options/sizeOptions.ts';
import { readVariables } from '../../options/variableOptions.ts';
import { type Colors, colorsFor } from '../../output/colors.ts';
import { bytesText, countText, secondsText, table } from '../../output/format.ts';
import { barText, createLiveLine } from '../../output/liveLine.ts';
import { createProgress, type ProgressMode } from '../../output/renderProgress.ts';

export async function runChunksPlan(input: CommandInput, io: CliIo): Promise<number> {
  const { values } = input;
  const job = await openJob(required(values.get('to'), '--to is missing: where the job is stored'), io.env, io.signal);
  const mode = (values.get('progress') ?? 'auto') as ProgressMode;
  const progress = createProgress(mode, io.stderr, colorsFor(io.stderr, io.env));
  const request = await readRequest(input, io, (event) => progress.show(event));
  const chunks = values.has('chunks') ? Number(values.get('chunks')) : undefined;
  const planned = await inJob(job, 'Planning the job', () => planJob(job, request, chunks, optionsOf(io))).finally(
    progress.clear,
  );
  warn(planned.warnings, io);
  if (print(planned, input, io)) return 0;
  const { name } = job;
  io.stdout.write(`${name}\n`);
  io.stderr.write(
    `${countText(planned.chunks, 'chunk')} of ${countText(planned.frames, 'frame')}; ${countText(planned.uploadedFiles, 'file')} uploaded (${bytesText(planned.uploadedBytes)})
To render: seq 0 ${planned.chunks - 1} | xargs -P 2 -n 1 framework chunks render ${name} --index
To join:   framework chunks join ${name} -o ${planned.output}\n`,
  );
  return 0;
}

export async function runChunksRender(input: CommandInput, io: CliIo): Promise<number> {
  const { values } = input;
  const job = await jobOf(input, io);
  const index = Number(required(values.get('index'), '--index is missing: the chunk to render'));
  const programs = given({ browserPath: values.get('browser'), ffmpegPath: values.get('ffmpeg') });
  const rendered = await inJob(job, `Rendering chunk ${index}`, () =>
    renderJobChunk(job, index, { ...optionsOf(io), ...programs }),
  );
  if (print(rendered, input, io)) return 0;
  const { frames, bytes, elapsedMs, isReused } = rendered;
  const how = isReused ? 'was rendered before' : `rendered in ${secondsText(elapsedMs / 1000)}`;
  io.stdout.write(`chunk ${index}: ${countText(frames, 'frame')}, ${bytesText(bytes)}, ${how}\n`);
  return 0;
}

export async function runChunksJoin(input: CommandInput, io: CliIo): Promise<number> {
  const job = await jobOf(input, io);
  const wanted = input.values.get('output') ?? (await inJob(job, 'Reading the job', () => plannedOutput(job)));
  if (isStandardOutput(wanted)) throw new UserError('usage', 'chunks join writes no video to standard output');
  const output = resolve(wanted);
  await checkFileOutput(output);
  const live = createLiveLine(io.stderr, colorsFor(io.stderr, io.env));
  const onWait = (missing: number) => {
    if (io.stderr.isTTY) live.draw(`waiting for ${countText(missing, 'chunk')}`);
  };
  const options = { ...optionsOf(io), wait: input.flags.has('wait'), onWait };
  const joined = await inJob(job, 'Joining the job', () => joinJob(job, output, options)).finally(live.clear);
  warn(joined.warnings, io);
  if (print(joined, input, io)) return 0;
  const { frames, durationSeconds, bytes } = joined;
  io.stdout.write(`${output}\n`);
  io.stderr.write(`${countText(frames, 'frame')}, ${secondsText(durationSeconds)}, ${bytesText(bytes)}\n`);
  return 0;
}

const watchMs = 2000;

export async function runChunksStatus(input: CommandInput, io: CliIo): Promise<number> {
  const job = await jobOf(input, io);
  const live = createLiveLine(io.stderr, colorsFor(io.stderr, io.env));
  const stillWaits = idleLimit(optionsOf(io).date);
  for (;;) {
    const status = await inJob(job, 'Reading the job', () => jobStatus(job));
    const isEnd = status.done === status.total || !input.flags.has('watch');
    if (isEnd) {
      if (!print(status, input, io)) io.stdout.write(statusText(status, colorsFor(io.stdout, io.env)));
      return 0;
    }
    stillWaits(`${status.done} ${status.framesDone}`);
    if (io.stderr.isTTY) live.draw(statusLine(status));
    await inJob(job, 'Watching the job', () => sleep(watchMs, undefined, { signal: io.signal })).finally(live.clear);
  }
}

const barsOf = ({ framesDone, frames }: JobStatus): string => barText(framesDone / Math.max(1, frames));

const statusLine = (status: JobStatus): string =>
  `${barsOf(status)} ${status.done}/${status.total} chunks, ${status.framesDone}/${status.frames} frames`;

function statusText(status: JobStatus, colors: Colors): string {
  const paint = { done: colors.green, started: colors.cyan, failed: colors.red, waiting: colors.dim };
  const rows = status.chunks.map(({ index, state, framesDone, frames, attempts, updatedAt }) => [
    String(index),
    state,
    `${framesDone}/${frames}`,
    String(attempts),
    updatedAt ?? '',
  ]);
  const [head = '', ...lines] = table([['CHUNK', 'STATE', 'FRAMES', 'ATTEMPTS', 'UPDATED'], ...rows]);
  const painted = lines.map((line, at) => {
    const { state = 'waiting', error } = status.chunks[at] ?? {};
    return [paint[state](line), ...(error ? [`  ${error.message}`] : [])].join('\n');
  });
  return `${[statusLine(status), head, ...painted].join('\n')}\n`;
}

const optionsOf = ({ env, signal }: CliIo) => ({
  signal,
  surroundings: { ...clock, env },
  date: () => clock.date().getTime(),
});

function required(value: string | undefined, message: string): string {
  if (value !== undefined) return value;
  throw new UserError('usage', message);
}

const jobOf = ({ positionals }: CommandInput, { env, signal }: CliIo): Promise<Job> =>
  openJob(required(positionals[0], 'the job is missing: a folder, or s3://<bucket>/<name>'), env, signal);

/** Reports errors of the bucket or of the folder, and cancellations. */
async function inJob<T>({ name }: Job, action: string, work: () => Promise<T>): Promise<T> {
  if (name.startsWith('s3://')) return withAws(action, work);
  return work().catch((error: NodeJS.ErrnoException) => {
    if (error.name === 'AbortError') throw new UserError('cancelled', `${action}: cancelled`, { cause: error });
    if (error instanceof SyntaxError)
      throw new UserError('job_not_found', `${action}: a file of ${name} is damaged (${error.message})`, {
        hint: 'Delete the folder, and plan the job again.',
        cause: error,
      });
    if (error instanceof UserError || !/^E[A-Z]+$/.test(error.code ?? '')) throw error;
    throw new UserError('output_unwritable', `${action}: ${error.message}`, {
      hint: `Check that ${name} can be read and written, and that there is space.`,
      cause: error,
    });
  });
}

/** Contains only the given options. */
async function readRequest(
  input: CommandInput,
  io: CliIo,
  onEvent: (event: RenderEvent) => void,
): Promise<RenderRequest> {
  const { values, flags, positionals } = input;
  const sources = { inline: values.get('variables'), file: values.get('variables-file') };
  return {
    projectDir: positionals[0] ?? '.',
    ...featuresOption(io.env),
    ...given({
      composition: values.get('composition'),
      fps: values.get('fps'),
      format: values.get('format'),
      codec: values.get('codec'),
      quality: values.get('quality'),
      network: values.get('network') as RenderRequest['network'],
      browserPath: values.get('browser'),
      ffmpegPath: values.get('ffmpeg'),
    }),
    ...(await readVariables(sources, io.stdin)),
    ...readSizeOptions(input),
    ...(flags.has('strict-variables') ? { strictVariables: true } : {}),
    onEvent,
  };
}

function warn(warnings: readonly string[], { stderr, env }: CliIo): void {
  for (const message of warnings) stderr.write(`${colorsFor(stderr, env).yellow('warning:')} ${message}\n`);
}

/** Prints a report as JSON if that is wanted. */
function print(report: unknown, { flags }: CommandInput, { stdout }: CliIo): boolean {
  if (flags.has('json')) stdout.write(`${JSON.stringify(report)}\n`);
  return flags.has('json');
}
