// `framework serverless deploy` and `destroy`: create, update or delete the stack, showing the events of its resources.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../../renderer-core/errors.ts';
import type { findPackage } from '../../../renderer-core/project/packageFolder.ts';
import { runCanary } from '../../../serverless/deploy/canary.ts';
import { type BucketContent, bucketContent, deleteBucket } from '../../../serverless/deploy/deleteBucket.ts';
import {
  type DeployEvent,
  type Deployed,
  deployStack,
  destroyStack,
  type PlannedChange,
} from '../../../serverless/deploy/deploy.ts';
import { packFunction } from '../../../serverless/deploy/functionPackage.ts';
import { keptBuckets } from '../../../serverless/deploy/keptBuckets.ts';
import { linuxPackages } from '../../../serverless/deploy/linuxLibraries.ts';
import { readQuotas } from '../../../serverless/deploy/quotas.ts';
import { findStack, outputOf } from '../../../serverless/deploy/stack.ts';
import type { Canary } from '../../../serverless/renders/reports.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { askYesNo } from '../../confirm.ts';
import { colorsFor } from '../../output/colors.ts';
import { bytesText, countText, secondsText } from '../../output/format.ts';
import { errorText } from '../../output/formatError.ts';
import { barText, createLiveLine } from '../../output/liveLine.ts';
import { createSetUpProgress } from '../../output/setUpProgress.ts';
import { type Account, openAccount } from './serverlessAccount.ts';

const maxMemory = 10_240;

/** Returns 0; throws UserError. */
export async function runDeploy(input: CommandInput, io: CliIo): Promise<number> {
  const { flags } = input;
  const memory = numberOf('memory', input);
  if (memory !== undefined && memory > maxMemory) {
    throw new UserError('usage', `--memory must be at most ${maxMemory} (got ${memory})`, {
      hint: `${maxMemory} MB is the limit of AWS Lambda.`,
    });
  }
  const concurrency = readConcurrency(input);
  const webhooks = readWebhooks(input);
  const account = openAccount(input, io);
  const folder = await mkdtemp(join(tmpdir(), 'framework-deploy-'));
  try {
    io.stderr.write('Packing the function\n');
    const code = await packFunction(join(folder, 'function.zip'), {
      env: io.env,
      packages: packagesOfFunction(io),
    });
    const deployed = await deployStack({
      client: account.cloudFormation,
      openBucket: account.bucket,
      stackName: account.stackName,
      code,
      memory,
      concurrency,
      webhooks,
      keptBuckets: async () => keptBuckets(account.s3, account.stackName, await account.region()),
      quotas: () => readQuotas(account.lambda),
      confirm: (changes) => confirmChanges(changes, account.stackName, input, io),
      onEvent: (event) => showEvent(event, io),
      now: Date.now,
      signal: io.signal,
    });
    const { bucketName, stateMachineArn, functionName, memoryMb, reserved, mapConcurrency, isChanged } = deployed;
    const outputs = {
      RenderBucketName: bucketName,
      RenderStateMachineArn: stateMachineArn,
      RenderFunctionName: functionName,
    };
    const settings = {
      ...{ memoryMb, reservedConcurrency: reserved === 0 ? null : reserved, chunksAtOnce: mapConcurrency },
      webhooks: deployed.webhookSecretArn !== undefined,
    };
    const canary = flags.has('no-canary') ? null : await runTestVideo(deployed, account, io);
    if (flags.has('json'))
      io.stdout.write(`${JSON.stringify({ ...outputs, ...settings, changed: isChanged, canary })}\n`);
    else {
      if (!isChanged) io.stderr.write('The stack is up to date\n');
      if (canary) io.stderr.write(canaryText(canary, io));
      io.stderr.write(
        `Workers have ${memoryMb} MB; a render uses up to ${countText(mapConcurrency, 'worker')} at the same time${reserved === 0 ? '' : `, of ${reserved} reserved ones`}\n`,
      );
      if (settings.webhooks)
        io.stderr.write('The stack sends webhooks; framework serverless webhook-secret shows their secret\n');
      for (const [name, value] of Object.entries(outputs)) io.stdout.write(`${name}  ${value}\n`);
    }
    return canary?.ok === false ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Those that are not installed here are downloaded, with progress. */
function packagesOfFunction(io: CliIo): typeof findPackage {
  const progress = createSetUpProgress('auto', io);
  const find = linuxPackages({ env: io.env, now: Date.now, signal: io.signal, onEvent: progress.show });
  return async (...given) => {
    try {
      return await find(...given);
    } finally {
      progress.clear();
    }
  };
}

function runTestVideo(deployed: Deployed, account: Account, io: CliIo): Promise<Canary> {
  io.stderr.write('Rendering a test video on the stack\n');
  const { stateMachineArn, bucketName, memoryMb, mapConcurrency } = deployed;
  return runCanary({
    client: account.stepFunctions,
    bucket: account.bucket(bucketName),
    stateMachineArn,
    memoryMb,
    chunksAtOnce: mapConcurrency,
    now: Date.now,
    signal: io.signal,
  });
}

/** What the test video has measured, or the error and what helps. */
function canaryText(canary: Canary, io: CliIo): string {
  if (canary.ok) {
    const { framesPerSecond, coldStartSeconds } = canary.measured;
    return `The test video works: ${framesPerSecond.toFixed(1)} frames/s per worker at 1920x1080, ${secondsText(coldStartSeconds)} until the first frame of a new worker\n`;
  }
  const { check, message, hint } = canary;
  const error = new UserError(
    'deploy_failed',
    `The stack is deployed, but its test video failed (${check}): ${message}`,
    {
      hint,
    },
  );
  return errorText(error, colorsFor(io.stderr, io.env), false);
}

/** `none` removes the reservation. */
function readConcurrency({ values }: CommandInput): number | undefined {
  const text = values.get('concurrency');
  if (text === undefined) return undefined;
  if (text === 'none') return 0;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UserError('usage', `--concurrency must be a whole number from 1, or none (got "${text}")`);
}

function readWebhooks({ flags }: CommandInput): boolean | undefined {
  if (!flags.has('webhooks')) return flags.has('no-webhooks') ? false : undefined;
  if (flags.has('no-webhooks')) throw new UserError('usage', '--webhooks cannot be combined with --no-webhooks');
  return true;
}

const numberOf = (name: string, { values }: CommandInput): number | undefined =>
  values.has(name) ? Number(values.get(name)) : undefined;

/** Keeps the bucket with the results and prints its name; `--all` deletes it too. */
export async function runDestroy(input: CommandInput, io: CliIo): Promise<number> {
  const { flags } = input;
  const { cloudFormation: client, s3, stackName } = openAccount(input, io);
  const isAll = flags.has('all');
  const stack = await findStack(client, stackName);
  const bucket = outputOf(stack, 'RenderBucketName');
  const content = isAll && bucket !== undefined ? await bucketContent(s3, bucket) : undefined;
  await confirmDestroy(stackName, content, input, io);
  const { bucketName } = await destroyStack({
    client,
    stackName,
    onEvent: (event) => showEvent(event, io),
    now: Date.now,
    signal: io.signal,
  });
  if (content && bucketName !== null) await emptyAndDelete(s3, bucketName, content, io);
  const keptBucket = content ? null : bucketName;
  const deletedObjects = content?.objects ?? 0;
  const report = { stackName, destroyed: true, keptBucket, deletedObjects };
  io.stdout.write(flags.has('json') ? `${JSON.stringify(report)}\n` : destroyedText(stackName, keptBucket));
  return 0;
}

async function confirmDestroy(
  stackName: string,
  content: BucketContent | undefined,
  { flags }: CommandInput,
  io: CliIo,
): Promise<void> {
  if (flags.has('yes')) return;
  const bucket = content
    ? `its bucket with ${countText(content.objects, 'object')} (${bytesText(content.bytes)}) is deleted too: all videos, projects and chunks`
    : 'the bucket with the results is kept';
  const question = `Delete the stack ${stackName}? Running renders are stopped; ${bucket}.`;
  const command = `framework serverless destroy --stack-name ${stackName}${content ? ' --all' : ''} --yes`;
  if (!(await askYesNo(question, io, command))) throw new UserError('cancelled', 'The stack was not deleted.');
}

async function emptyAndDelete(s3: Account['s3'], bucket: string, { objects }: BucketContent, io: CliIo): Promise<void> {
  io.stderr.write(`Deleting the bucket ${bucket}\n`);
  const live = createLiveLine(io.stderr, colorsFor(io.stderr, io.env));
  await deleteBucket(s3, bucket, (done) => {
    if (io.stderr.isTTY)
      live.draw(`${barText(done / Math.max(objects, done))} ${done}/${Math.max(objects, done)} objects`);
  }).finally(live.clear);
}

function destroyedText(stackName: string, keptBucket: string | null): string {
  if (keptBucket === null) return `Deleted ${stackName}\n`;
  return `Deleted ${stackName}. The bucket ${keptBucket} is kept, and deploy adopts it again. To delete it with all results: aws s3 rb --force s3://${keptBucket}\n`;
}

async function confirmChanges(
  changes: PlannedChange[],
  stackName: string,
  { flags }: CommandInput,
  io: CliIo,
): Promise<boolean> {
  const colors = colorsFor(io.stderr, io.env);
  const sign: Record<string, string> = {
    Add: colors.green('+'),
    Import: colors.green('↻'),
    Modify: colors.yellow('~'),
    Remove: colors.red('-'),
  };
  for (const { action, logicalId, type } of changes)
    io.stderr.write(`  ${sign[action] ?? action} ${logicalId} ${colors.dim(type)}\n`);
  if (flags.has('yes')) return true;
  return askYesNo(`Apply these changes to the stack ${stackName}?`, io, 'framework serverless deploy --yes');
}

function showEvent(event: DeployEvent, io: CliIo): void {
  const colors = colorsFor(io.stderr, io.env);
  if (event.type !== 'resource') {
    const label = event.type === 'warning' ? `${colors.yellow('warning:')} ` : '';
    io.stderr.write(`${label}${event.message}\n`);
    return;
  }
  const { logicalId, status, reason } = event;
  const paint = status.endsWith('_FAILED') ? colors.red : status.endsWith('_COMPLETE') ? colors.green : colors.dim;
  const why = reason !== null && status.endsWith('_FAILED') ? `: ${reason}` : '';
  io.stderr.write(`  ${paint(status.toLowerCase().replaceAll('_', ' '))} ${logicalId}${why}\n`);
}
