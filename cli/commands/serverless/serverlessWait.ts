// Waits for a render on AWS to its end, shows how it goes, and brings the video where that was asked for.
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import { withAws } from '../serverless/awsErrors.ts';
import { type RenderProgress, readProgress } from '../serverless/progress.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { createLiveLine } from './liveLine.ts';
import type { ProgressMode } from './progress.ts';
import type { Account } from './serverlessAccount.ts';
import { progressLine, progressText } from './serverlessProgress.ts';

const pollMs = 3000;

/** The status is 1 when the render fails. Throws UserError. */
export async function waitForExecution(
  executionArn: string,
  account: Account,
  input: CommandInput,
  io: CliIo,
): Promise<number> {
  const show = shown(input, io);
  try {
    for (;;) {
      const progress = await readProgress(account.stepFunctions, executionArn, account.bucket, Date.now());
      show.progress(progress);
      if (progress.status !== 'RUNNING') {
        const output = await fetchVideo(progress, account, input, show.stage);
        show.clear();
        return present(progress, output, input, io);
      }
      await sleep(pollMs, undefined, { signal: io.signal });
    }
  } catch (error) {
    show.clear();
    throw io.signal.aborted ? goesOn(executionArn, error) : error;
  }
}

/** Absolute path of the video; null where none was asked for, or there is none. */
async function fetchVideo(
  { outputFile }: RenderProgress,
  account: Account,
  { values }: CommandInput,
  onStage: (message: string) => void,
): Promise<string | null> {
  const output = values.get('output');
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.*)$/s.exec(outputFile?.s3Uri ?? '') ?? [];
  if (output === undefined || key === '') return null;
  onStage('Downloading the video');
  const path = resolve(output);
  await withAws('Downloading the video', () => account.bucket(bucket).download(key, path));
  return path;
}

function present(progress: RenderProgress, output: string | null, { switches }: CommandInput, io: CliIo): number {
  const isDone = progress.status === 'SUCCEEDED';
  if (switches.has('json')) io.stdout.write(`${JSON.stringify({ ...progress, output })}\n`);
  else if (isDone) io.stdout.write(`${output ?? progress.outputFile?.s3Uri}\n`);
  else io.stderr.write(progressText(progress, colorsFor(io.stderr, io.env)));
  return isDone ? 0 : 1;
}

function shown({ values }: CommandInput, io: CliIo) {
  const mode = (values.get('progress') as ProgressMode | undefined) ?? 'auto';
  const live = createLiveLine(io.stderr, colorsFor(io.stderr, io.env));
  let told = '';
  const line = (text: string): void => {
    if (mode === 'none' || text === told) return;
    if (mode === 'auto' && io.stderr.isTTY) live.draw(text);
    else io.stderr.write(`${text}\n`);
    told = text;
  };
  const event = (given: object): void => void io.stderr.write(`${JSON.stringify(given)}\n`);
  return {
    clear: live.clear,
    progress(progress: RenderProgress): void {
      if (mode === 'ndjson') event({ type: 'progress', ...progress });
      else line(progressLine(progress));
    },
    stage(message: string): void {
      if (mode === 'ndjson') event({ type: 'stage', stage: 'download', message });
      else line(message);
    },
  };
}

function goesOn(executionArn: string, cause: unknown): UserError {
  const message = `No longer waiting; the render goes on. To see how far it is: framework serverless progress ${executionArn}`;
  return new UserError('cancelled', message, { cause, details: { execution_arn: executionArn } });
}

/** A line for people, or an event for whoever reads standard error line by line as JSON. */
export function warn(message: string, { values }: CommandInput, io: CliIo): void {
  if (values.get('progress') === 'ndjson') io.stderr.write(`${JSON.stringify({ type: 'warning', message })}\n`);
  else io.stderr.write(`${colorsFor(io.stderr, io.env).yellow('warning:')} ${message}\n`);
}
