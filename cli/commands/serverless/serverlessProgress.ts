// `framework serverless progress`: shows the frames, chunks, cost and errors of a render.
import { readProgress } from '../../../serverless/progress.ts';
import { colorsFor } from '../../colors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { executionOf, openAccount } from './serverlessAccount.ts';
import { progressText, timingsText } from './serverlessText.ts';

/** The exit status is 1 if the render failed. */
export async function runProgress(input: CommandInput, io: CliIo): Promise<number> {
  const isWaiting = input.flags.has('wait') || input.values.has('output');
  const wait = isWaiting ? await import('./serverlessWait.ts') : undefined;
  await wait?.checkWaitOutput(input, io);
  const account = openAccount(input, io);
  const executionArn = await executionOf(input, account, 'progress');
  if (wait) return wait.waitForExecution(executionArn, account, input, io);
  const progress = await readProgress(account.stepFunctions, executionArn, account.bucket, Date.now(), {
    withUrl: input.flags.has('url'),
  });
  if (input.flags.has('json')) io.stdout.write(`${JSON.stringify(progress)}\n`);
  else {
    io.stdout.write(progressText(progress, colorsFor(io.stdout, io.env)));
    if (input.flags.has('timings')) io.stdout.write(timingsText(progress.timings));
  }
  return ['FAILED', 'TIMED_OUT', 'ABORTED'].includes(progress.status) ? 1 : 0;
}
