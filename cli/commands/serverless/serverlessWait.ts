// Waits for a render on AWS, shows its progress, and downloads the video.

import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../../renderer-core/errors.ts';
import { given } from '../../../renderer-core/model/variables/given.ts';
import { checkFileOutput, openFileOutput } from '../../../renderer-core/project/output/outputTarget.ts';
import { withAws } from '../../../serverless/awsErrors.ts';
import { readProgress } from '../../../serverless/renders/progress.ts';
import type { RenderProgress } from '../../../serverless/renders/reports.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { colorsFor } from '../../output/colors.ts';
import { createLiveLine } from '../../output/liveLine.ts';
import type { ProgressMode } from '../../output/renderProgress.ts';
import { fontsText } from '../../output/renderReport.ts';
import { reportStream, writesToStdout } from '../../output/standardOutput.ts';
import type { Account } from './serverlessAccount.ts';
import { progressLine, progressText, timingsText } from './serverlessText.ts';

const pollMs = 3000;

/** `warned`: warnings that were printed before. The exit status is 1 if the render fails. Throws UserError. */
export async function waitForExecution(
  executionArn: string,
  account: Account,
  input: CommandInput,
  io: CliIo,
  warned: readonly string[] = [],
): Promise<number> {
  const show = createProgress(input, io);
  const renderId = executionArn.replace(/^.*:/, '');
  show.started(renderId);
  try {
    for (;;) {
      const options = { withUrl: input.flags.has('url') };
      const progress = await readProgress(account.stepFunctions, executionArn, account.bucket, Date.now(), options);
      show.progress(progress);
      if (progress.status !== 'RUNNING') {
        const output = await fetchVideo(progress, account, input, io, show.stage);
        show.clear();
        return present(progress, output, warned, input, io);
      }
      await sleep(pollMs, undefined, { signal: io.signal });
    }
  } catch (error) {
    show.clear();
    throw io.signal.aborted ? stillRunning(renderId, executionArn, error) : ofRender(renderId, executionArn, error);
  }
}

/** Checks `--output` before anything is started. Throws UserError. */
export async function checkWaitOutput(input: CommandInput, io: CliIo): Promise<void> {
  writesToStdout(input);
  const output = input.values.get('output');
  if (output !== undefined) await checkFileOutput(output, { stdout: io.writeStdout });
}

/** Returns the absolute path of the video or `-`; null without `--output` or without a video. */
async function fetchVideo(
  { outputFile }: RenderProgress,
  account: Account,
  { values }: CommandInput,
  io: CliIo,
  onStage: (message: string) => void,
): Promise<string | null> {
  const output = values.get('output');
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.*)$/s.exec(outputFile?.s3Uri ?? '') ?? [];
  if (output === undefined || key === '') return null;
  onStage('Downloading the video');
  const target = await openFileOutput(output, { stdout: io.writeStdout, signal: io.signal });
  try {
    await withAws('Downloading the video', () => account.bucket(bucket).download(key, target.temporary));
    await target.commit();
    return target.path;
  } finally {
    await target.discard();
  }
}

function present(
  progress: RenderProgress,
  output: string | null,
  warned: readonly string[],
  input: CommandInput,
  io: CliIo,
): number {
  const { flags } = input;
  const isDone = progress.status === 'SUCCEEDED';
  if (flags.has('json')) io.stdout.write(`${JSON.stringify({ ...progress, output })}\n`);
  else if (isDone) {
    reportStream(input, io).write(`${output ?? progress.outputFile?.url ?? progress.outputFile?.s3Uri}\n`);
    presentText(progress, warned, input, io);
  } else io.stderr.write(progressText(progress, colorsFor(io.stderr, io.env)));
  if (flags.has('timings') && !flags.has('json')) io.stderr.write(timingsText(progress.timings));
  return isDone ? 0 : 1;
}

/** Prints fonts and warnings to stderr, because scripts read the path of the video from stdout. Events contain them already. */
function presentText(
  { fonts, warnings }: RenderProgress,
  warned: readonly string[],
  input: CommandInput,
  io: CliIo,
): void {
  if (input.values.get('progress') === 'ndjson') return;
  if (fonts) io.stderr.write(`${colorsFor(io.stderr, io.env).dim(fontsText(fonts))}\n`);
  for (const message of warnings) if (!warned.includes(message)) warn(message, input, io);
}

function createProgress({ values }: CommandInput, io: CliIo) {
  const mode = (values.get('progress') as ProgressMode | undefined) ?? 'auto';
  const live = createLiveLine(io.stderr, colorsFor(io.stderr, io.env));
  let printed = '';
  const line = (text: string): void => {
    if (mode === 'none' || text === printed) return;
    if (mode === 'auto' && io.stderr.isTTY) live.draw(text);
    else io.stderr.write(`${text}\n`);
    printed = text;
  };
  const event = (given: object): void => void io.stderr.write(`${JSON.stringify(given)}\n`);
  return {
    clear: live.clear,
    /** Before anything can fail, so that the render can be found again. */
    started(renderId: string): void {
      if (mode !== 'ndjson') io.stderr.write(`Render ${renderId}\n`);
    },
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

function stillRunning(renderId: string, executionArn: string, cause: unknown): UserError {
  const message = `Stopped waiting; the render ${renderId} continues. To see its progress: framework serverless progress ${executionArn}`;
  return new UserError('cancelled', message, { cause, details: { execution_arn: executionArn } });
}

/** The render is not affected by an error of the command that waits for it. */
function ofRender(renderId: string, executionArn: string, error: unknown): unknown {
  if (!(error instanceof UserError)) return error;
  const { code, message, place, problems, hint } = error;
  return new UserError(code, `Render ${renderId}: ${message}`, {
    hint: `${hint === undefined ? '' : `${hint} `}To see the render: framework serverless progress ${renderId}`,
    ...given({ place, problems }),
    cause: error,
    details: { execution_arn: executionArn },
  });
}

/** Prints a warning to stderr, as text or as a JSON event. */
export function warn(message: string, { values }: CommandInput, io: CliIo): void {
  if (values.get('progress') === 'ndjson') io.stderr.write(`${JSON.stringify({ type: 'warning', message })}\n`);
  else io.stderr.write(`${colorsFor(io.stderr, io.env).yellow('warning:')} ${message}\n`);
}
