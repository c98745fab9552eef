// `framework serverless progress`: frames, chunks, cost, and what went wrong.
import { UserError } from '../errors.ts';
import { executionArnOf } from '../serverless/execution.ts';
import { type RenderProgress, readProgress } from '../serverless/progress.ts';
import { bytesText, secondsText } from './amounts.ts';
import { type Colors, colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { barText } from './liveLine.ts';
import { type Account, openAccount } from './serverlessAccount.ts';

/** The status is 1 when the render failed. */
export async function runProgress(input: CommandInput, io: CliIo): Promise<number> {
  const [id] = input.positionals;
  if (id === undefined) {
    throw new UserError('usage', 'serverless progress needs the id of a render', {
      hint: 'framework serverless progress <render id or execution ARN>',
    });
  }
  const account = openAccount(input, io);
  const executionArn = id.startsWith('arn:') ? id : await arnOf(id, account);
  if (input.switches.has('wait') || input.values.has('output'))
    return (await import('./serverlessWait.ts')).waitForExecution(executionArn, account, input, io);
  const progress = await readProgress(account.stepFunctions, executionArn, account.bucket, Date.now());
  const isJson = input.switches.has('json');
  io.stdout.write(isJson ? `${JSON.stringify(progress)}\n` : progressText(progress, colorsFor(io.stdout, io.env)));
  return ['FAILED', 'TIMED_OUT', 'ABORTED'].includes(progress.status) ? 1 : 0;
}

async function arnOf(renderId: string, account: Account): Promise<string> {
  const { stateMachineArn } = await account.outputs();
  return executionArnOf(stateMachineArn, renderId);
}

export const dollars = (usd: number): string => `$${usd < 0.01 ? usd.toFixed(5) : usd.toFixed(3)}`;

export function progressLine({
  status,
  overallProgress,
  framesRendered,
  totalFrames,
  chunks,
  costs,
}: RenderProgress): string {
  const frames = totalFrames === null ? 'planning' : `${framesRendered}/${totalFrames} frames`;
  const done = chunks.total === null ? '' : `, ${chunks.done}/${chunks.total} chunks`;
  const part = `${String(Math.floor(overallProgress * 100)).padStart(3)} %`;
  return `${barText(overallProgress)} ${part}  ${status === 'RUNNING' ? '' : `${status} `}${frames}${done}, ${dollars(costs.usd)}`;
}

export function progressText(progress: RenderProgress, colors: Colors): string {
  const { renderId, status, slowestChunk, workersInvoked, costs, outputFile, errors, warnings, startedAt, endedAt } =
    progress;
  const paint = status === 'SUCCEEDED' ? colors.green : status === 'RUNNING' ? colors.cyan : colors.red;
  const rows = [
    ['render', renderId],
    ['status', paint(status)],
    ['progress', progressLine(progress)],
    ['workers', `${workersInvoked} invocations, about ${dollars(costs.usd)} so far`],
    ...(slowestChunk
      ? [
          [
            'slowest',
            `chunk ${slowestChunk.index}: ${secondsText(slowestChunk.seconds)}, ${Math.round(slowestChunk.shareOfLimit * 100)} % of its limit`,
          ],
        ]
      : []),
    ...(outputFile ? [['output', `${outputFile.s3Uri} (${bytesText(outputFile.bytes)})`]] : []),
    ['started', startedAt],
    ...(endedAt === null ? [] : [['ended', endedAt]]),
  ];
  const lines = rows.map(([name = '', value]) => `${name.padEnd(10)}${value}`);
  for (const message of warnings) lines.push(`${colors.yellow('warning:')} ${message}`);
  for (const { state, error, cause, log } of errors) {
    lines.push(`${colors.red(`${state}: ${error}`)}`, `  ${cause}`);
    if (log) lines.push(colors.dim(`  log: ${log.group} ${log.stream} request ${log.requestId}`));
  }
  return `${lines.join('\n')}\n`;
}
