// `framework serverless render`: starts a render, estimates it, or waits for its video.

import { UserError } from '../../../renderer-core/errors.ts';
import { frameCount } from '../../../renderer-core/plan/frameRate.ts';
import { planRender } from '../../../renderer-core/render/pipeline.ts';
import { withAws } from '../../../serverless/awsErrors.ts';
import { bestMemoryMb } from '../../../serverless/deploy/quotas.ts';
import { secretOf } from '../../../serverless/deploy/stack.ts';
import { readMeasured } from '../../../serverless/renders/autoChunks.ts';
import { type Estimate, estimateRender } from '../../../serverless/renders/estimate.ts';
import { callbackOf, checkOrder } from '../../../serverless/renders/renderRequest.ts';
import type { Measured } from '../../../serverless/renders/reports.ts';
import { checkProject, startExecution } from '../../../serverless/renders/start.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { clock } from '../../engine.ts';
import { readVariables } from '../../options/variableOptions.ts';
import { countText, secondsText } from '../../output/format.ts';
import { type Account, openAccount } from './serverlessAccount.ts';
import { readChunks, readConfig } from './serverlessOptions.ts';
import { upload } from './serverlessSites.ts';
import { dollars } from './serverlessText.ts';
import { checkWaitOutput, waitForExecution, warn } from './serverlessWait.ts';

/** If it waits, the exit status is 1 for a failed render. Throws UserError. */
export async function runServerlessRender(input: CommandInput, io: CliIo): Promise<number> {
  const { values, flags } = input;
  const sources = { inline: values.get('variables'), file: values.get('variables-file') };
  const { variables, variablesSource } = await readVariables(sources, io.stdin);
  const config = readConfig(input, variables);
  const order = {
    ...{ config, chunks: readChunks(input), outputKey: values.get('output-key') },
    callback: callbackOf(values.get('callback-url'), values.get('callback-id')),
  };
  checkOrder(order);
  await checkWaitOutput(input, io);
  const projectDir = input.positionals[0] ?? '.';
  const siteId = values.get('site-id');
  const output = values.get('output');
  const isChecked = siteId === undefined || flags.has('dry-run');
  const warnings = isChecked ? (await checkProject(projectDir, config, variablesSource)).warnings : [];
  for (const message of warnings) warn(message, input, io);
  if (flags.has('dry-run')) return estimate(projectDir, input, io);
  const account = openAccount(input, io);
  const stack = await account.renderStack();
  if (order.callback) secretOf(stack, account.stackName);
  const { bucketName, stateMachineArn } = stack;
  const site = siteId ?? (await upload(account, bucketName, input, io, output === undefined ? [] : [output])).siteId;
  if (io.signal.aborted) throw new UserError('cancelled', 'Cancelled; the render was not started.');
  const place = { bucket: bucketName, siteId: site, stateMachineArn };
  const handle = await startExecution(account.stepFunctions, order, place);
  if (values.get('progress') === 'ndjson') io.stderr.write(`${JSON.stringify({ type: 'started', ...handle })}\n`);
  if (flags.has('wait') || values.has('output'))
    return waitForExecution(handle.executionArn, account, input, io, warnings);
  if (flags.has('json')) io.stdout.write(`${JSON.stringify({ ...handle, siteId: site })}\n`);
  else {
    io.stdout.write(`${handle.renderId}\n`);
    io.stderr.write(`To see its progress: framework serverless progress ${handle.renderId}\n`);
  }
  return 0;
}

async function estimate(projectDir: string, input: CommandInput, io: CliIo): Promise<number> {
  const { fps, ...config } = readConfig(input);
  const request = { projectDir, ...config, ...(fps === undefined ? {} : { fps: String(fps) }) };
  const { plan } = await planRender({ ...request, signal: io.signal }, { ...clock, env: io.env });
  const chunks = readChunks(input);
  const measured = chunks.auto ? await measuredByStack(openAccount(input, io)) : undefined;
  const found = estimateRender(frameCount(plan.duration, plan.fps), chunks, bestMemoryMb, measured);
  const source = measured ? 'measured' : 'assumed';
  io.stdout.write(input.flags.has('json') ? `${JSON.stringify(found)}\n` : estimateText(found, source));
  return 0;
}

async function measuredByStack(account: Account): Promise<Measured> {
  const { bucketName } = await account.renderStack();
  const measured = await withAws('Reading the measurements', () => readMeasured(account.bucket(bucketName)));
  if (measured) return measured;
  throw new UserError('usage', `The stack ${account.stackName} has measured nothing, which --chunks auto needs`, {
    hint: 'Run framework serverless deploy, which ends with a test video.',
  });
}

function estimateText(estimate: Estimate, source: 'assumed' | 'measured'): string {
  const { frames, chunks, framesPerChunk, seconds, shareOfLimit, cost, assumed, warnings } = estimate;
  const { framesPerSecond, coldStartSeconds, memoryMb } = assumed;
  const rows = [
    ['chunks', `${chunks} of at most ${framesPerChunk} frames (${countText(frames, 'frame')})`],
    ['time', `about ${secondsText(seconds)} with a free worker for each chunk`],
    ['longest', `${Math.round(shareOfLimit * 100)} % of the 15-minute limit of a worker`],
    [
      'cost',
      `about ${dollars(cost.usd)}: Lambda ${dollars(cost.lambda)}, Step Functions ${dollars(cost.stepFunctions)}, S3 ${dollars(cost.s3)}`,
    ],
    [
      source,
      `${rounded(framesPerSecond)} frames/s per worker of ${memoryMb} MB, ${rounded(coldStartSeconds)} s cold start, prices of us-east-1`,
    ],
  ];
  const lines = rows.map(([name = '', value]) => `${name.padEnd(9)}${value}`);
  return `${[...lines, ...warnings.map((message) => `warning: ${message}`)].join('\n')}\n`;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
