// `framework serverless list`, `progress`, `cancel` and `resume`: the renders of the stack.

import { UserError } from '../../../renderer-core/errors.ts';
import { readProgress } from '../../../serverless/renders/progress.ts';
import { choiceOf, renderStatuses } from '../../../serverless/renders/renderStatuses.ts';
import { cancelRender, listRenders, resumeRender } from '../../../serverless/renders/renders.ts';
import type { ListedRender } from '../../../serverless/renders/reports.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { colorsFor } from '../../output/colors.ts';
import { secondsText, table } from '../../output/format.ts';
import { executionOf, openAccount } from './serverlessAccount.ts';
import { progressText, timingsText } from './serverlessText.ts';
import { checkWaitOutput, waitForExecution } from './serverlessWait.ts';

const defaultLimit = 20;

/** Returns 0; throws UserError. */
export async function runList(input: CommandInput, io: CliIo): Promise<number> {
  const { values, flags } = input;
  const account = openAccount(input, io);
  const { stateMachineArn } = await account.outputs();
  const status = renderStatuses.find((one) => choiceOf(one) === values.get('status'));
  const limit = Number(values.get('limit') ?? defaultLimit);
  const renders = await listRenders(account.stepFunctions, stateMachineArn, {
    limit,
    ...(status === undefined ? {} : { status }),
  });
  if (flags.has('json')) io.stdout.write(`${JSON.stringify(renders)}\n`);
  else io.stdout.write(listText(renders, Date.now()));
  return 0;
}

function listText(renders: readonly ListedRender[], now: number): string {
  if (renders.length === 0) return 'No renders.\n';
  const rows = renders.map(({ renderId, status, startedAt, endedAt }) => {
    const end = endedAt === null ? now : Date.parse(endedAt);
    return [renderId, choiceOf(status), startedAt, secondsText((end - Date.parse(startedAt)) / 1000)];
  });
  return `${table([['RENDER', 'STATUS', 'STARTED', 'TIME'], ...rows]).join('\n')}\n`;
}

/** Returns 0; throws UserError. */
export async function runCancel(input: CommandInput, io: CliIo): Promise<number> {
  const account = openAccount(input, io);
  const executionArn = await executionOf(input, account, 'cancel');
  const { renderId } = await cancelRender(account.stepFunctions, executionArn);
  if (input.flags.has('json')) io.stdout.write(`${JSON.stringify({ renderId, executionArn, cancelled: true })}\n`);
  else {
    io.stdout.write(`${renderId}\n`);
    io.stderr.write(`Cancelled. To continue the render: framework serverless resume ${renderId}\n`);
  }
  return 0;
}

/** If it waits, the exit status is 1 for a failed render. Throws UserError. */
export async function runResume(input: CommandInput, io: CliIo): Promise<number> {
  const { values, flags } = input;
  await checkWaitOutput(input, io);
  const account = openAccount(input, io);
  const executionArn = await executionOf(input, account, 'resume');
  if (io.signal.aborted) throw new UserError('cancelled', 'Cancelled; the render was not resumed.');
  const handle = await resumeRender(account.stepFunctions, executionArn, account.bucket);
  if (values.get('progress') === 'ndjson') io.stderr.write(`${JSON.stringify({ type: 'started', ...handle })}\n`);
  if (flags.has('wait') || values.has('output')) return waitForExecution(executionArn, account, input, io);
  if (flags.has('json')) io.stdout.write(`${JSON.stringify(handle)}\n`);
  else {
    io.stdout.write(`${handle.renderId}\n`);
    io.stderr.write(`To see its progress: framework serverless progress ${handle.renderId}\n`);
  }
  return 0;
}

/** The exit status is 1 if the render failed. */
export async function runProgress(input: CommandInput, io: CliIo): Promise<number> {
  const isWaiting = input.flags.has('wait') || input.values.has('output');
  if (isWaiting) await checkWaitOutput(input, io);
  const account = openAccount(input, io);
  const executionArn = await executionOf(input, account, 'progress');
  if (isWaiting) return waitForExecution(executionArn, account, input, io);
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
