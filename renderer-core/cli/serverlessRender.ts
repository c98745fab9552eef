// `framework serverless render`: starts one render, estimates it, or waits for it.
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import { frameCount } from '../plan/frameRate.ts';
import { planRender } from '../render/renderVideo.ts';
import { type Estimate, estimateRender } from '../serverless/estimate.ts';
import { type RenderProgress, readProgress } from '../serverless/progress.ts';
import { checkOrder, checkProject, startExecution } from '../serverless/start.ts';
import { defaultMemory } from '../serverless/template.ts';
import { countText, secondsText } from './amounts.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { createLiveLine } from './liveLine.ts';
import type { ProgressMode } from './progress.ts';
import { type Account, openAccount } from './serverlessAccount.ts';
import { readChunks, readConfig } from './serverlessOrder.ts';
import { dollars, progressLine, progressText } from './serverlessProgress.ts';
import { upload } from './serverlessSites.ts';
import { readVariables } from './variables.ts';

/** Throws UserError; with `--wait` the status is 1 when the render fails. */
export async function runServerlessRender(input: CommandInput, io: CliIo): Promise<number> {
  const { values, switches } = input;
  const sources = { inline: values.get('variables'), file: values.get('variables-file') };
  const config = readConfig(input, await readVariables(sources, io.stdin));
  const order = { config, chunks: readChunks(input), outputKey: values.get('output-key') };
  checkOrder(order);
  const projectDir = input.positionals[0] ?? '.';
  const siteId = values.get('site-id');
  if (siteId === undefined || switches.has('dry-run')) await warnOfProject(projectDir, order.config, io);
  if (switches.has('dry-run')) return estimate(projectDir, input, io);
  const account = openAccount(input, io);
  const { bucketName, stateMachineArn } = await account.outputs();
  const site = siteId ?? (await upload(account, bucketName, input, io)).siteId;
  if (io.signal.aborted) throw new UserError('cancelled', 'Cancelled; nothing was started.');
  const place = { bucket: bucketName, siteId: site, stateMachineArn };
  const handle = await startExecution(account.stepFunctions, order, place);
  if (switches.has('wait')) return wait(handle.executionArn, account, input, io);
  if (switches.has('json')) io.stdout.write(`${JSON.stringify({ ...handle, siteId: site })}\n`);
  else {
    io.stdout.write(`${handle.renderId}\n`);
    io.stderr.write(`It is on its way: framework serverless progress ${handle.renderId}\n`);
  }
  return 0;
}

async function warnOfProject(projectDir: string, config: ReturnType<typeof readConfig>, io: CliIo): Promise<void> {
  const { warnings } = await checkProject(projectDir, config);
  const colors = colorsFor(io.stderr, io.env);
  for (const message of warnings) io.stderr.write(`${colors.yellow('warning:')} ${message}\n`);
}

async function estimate(projectDir: string, input: CommandInput, io: CliIo): Promise<number> {
  const { fps, ...config } = readConfig(input);
  const request = { projectDir, ...config, ...(fps === undefined ? {} : { fps: String(fps) }) };
  const { plan } = await planRender({ ...request, signal: io.signal });
  const found = estimateRender(frameCount(plan.duration, plan.fps), readChunks(input), defaultMemory);
  io.stdout.write(input.switches.has('json') ? `${JSON.stringify(found)}\n` : estimateText(found));
  return 0;
}

function estimateText({
  frames,
  chunks,
  framesPerChunk,
  seconds,
  shareOfLimit,
  cost,
  assumed,
  warnings,
}: Estimate): string {
  const { framesPerSecond, coldStartSeconds, memoryMb } = assumed;
  const rows = [
    ['chunks', `${chunks} of at most ${framesPerChunk} frames (${countText(frames, 'frame')})`],
    ['time', `about ${secondsText(seconds)} with a free worker for each chunk`],
    ['longest', `${Math.round(shareOfLimit * 100)} % of the 15 minutes that a worker has`],
    [
      'cost',
      `about ${dollars(cost.usd)}: Lambda ${dollars(cost.lambda)}, Step Functions ${dollars(cost.stepFunctions)}, S3 ${dollars(cost.s3)}`,
    ],
    [
      'assumed',
      `${framesPerSecond} frames/s a worker of ${memoryMb} MB, ${coldStartSeconds} s until its first; prices of us-east-1`,
    ],
  ];
  const lines = rows.map(([name = '', value]) => `${name.padEnd(9)}${value}`);
  return `${[...lines, ...warnings.map((message) => `warning: ${message}`)].join('\n')}\n`;
}

const pollMs = 3000;

async function wait(executionArn: string, account: Account, input: CommandInput, io: CliIo): Promise<number> {
  const mode = (input.values.get('progress') as ProgressMode | undefined) ?? 'auto';
  const live = createLiveLine(io.stderr, colorsFor(io.stderr, io.env));
  let told = '';
  const show = (progress: RenderProgress): void => {
    if (mode === 'none') return;
    if (mode === 'ndjson') io.stderr.write(`${JSON.stringify({ type: 'progress', ...progress })}\n`);
    else if (mode === 'auto' && io.stderr.isTTY) live.draw(progressLine(progress));
    else if (progressLine(progress) !== told) io.stderr.write(`${progressLine(progress)}\n`);
    told = progressLine(progress);
  };
  for (;;) {
    const progress = await readProgress(account.stepFunctions, executionArn, account.bucket, Date.now()).catch(
      (error) => {
        throw io.signal.aborted ? goesOn(executionArn, error) : error;
      },
    );
    show(progress);
    if (progress.status !== 'RUNNING') {
      live.clear();
      const isDone = progress.status === 'SUCCEEDED';
      if (input.switches.has('json')) io.stdout.write(`${JSON.stringify(progress)}\n`);
      else if (isDone) io.stdout.write(`${progress.outputFile?.s3Uri}\n`);
      else io.stderr.write(progressText(progress, colorsFor(io.stderr, io.env)));
      return isDone ? 0 : 1;
    }
    await sleep(pollMs, undefined, { signal: io.signal }).catch((error) => {
      live.clear();
      throw goesOn(executionArn, error);
    });
  }
}

function goesOn(executionArn: string, cause: unknown): UserError {
  const message = `No longer waiting; the render goes on. To see how far it is: framework serverless progress ${executionArn}`;
  return new UserError('cancelled', message, { cause });
}
