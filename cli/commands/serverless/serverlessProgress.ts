// `framework serverless progress`: shows the frames, chunks, cost and errors of a render.
import { UserError } from '../../../renderer-core/errors.ts';
import { executionArnOf } from '../../../serverless/execution.ts';
import { readProgress } from '../../../serverless/progress.ts';
import { colorsFor } from '../../colors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { type Account, openAccount } from './serverlessAccount.ts';
import { progressText } from './serverlessText.ts';

/** The exit status is 1 if the render failed. */
export async function runProgress(input: CommandInput, io: CliIo): Promise<number> {
  const [id] = input.positionals;
  if (id === undefined) {
    throw new UserError('usage', 'the render id is missing', {
      hint: 'Usage: framework serverless progress <render id or execution ARN>',
    });
  }
  const isWaiting = input.flags.has('wait') || input.values.has('output');
  const wait = isWaiting ? await import('./serverlessWait.ts') : undefined;
  await wait?.checkWaitOutput(input, io);
  const account = openAccount(input, io);
  const executionArn = id.startsWith('arn:') ? id : await arnOf(id, account);
  if (wait) return wait.waitForExecution(executionArn, account, input, io);
  const progress = await readProgress(account.stepFunctions, executionArn, account.bucket, Date.now());
  const isJson = input.flags.has('json');
  io.stdout.write(isJson ? `${JSON.stringify(progress)}\n` : progressText(progress, colorsFor(io.stdout, io.env)));
  return ['FAILED', 'TIMED_OUT', 'ABORTED'].includes(progress.status) ? 1 : 0;
}

async function arnOf(renderId: string, account: Account): Promise<string> {
  const { stateMachineArn } = await account.outputs();
  return executionArnOf(stateMachineArn, renderId);
}
