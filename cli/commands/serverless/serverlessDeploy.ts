// `framework serverless deploy` and `destroy`: create, update or delete the stack, showing the events of its resources.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../../renderer-core/errors.ts';
import { type DeployEvent, deployStack, destroyStack, type PlannedChange } from '../../../serverless/deploy.ts';
import { packFunction } from '../../../serverless/functionPackage.ts';
import { readQuotas } from '../../../serverless/quotas.ts';
import { colorsFor } from '../../colors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { askYesNo } from '../../confirm.ts';
import { countText } from '../../format.ts';
import { openAccount } from './serverlessAccount.ts';

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
  const account = openAccount(input, io);
  const folder = await mkdtemp(join(tmpdir(), 'framework-deploy-'));
  try {
    io.stderr.write('Packing the function\n');
    const code = await packFunction(join(folder, 'function.zip'));
    const deployed = await deployStack({
      client: account.cloudFormation,
      openBucket: account.bucket,
      stackName: account.stackName,
      code,
      memory,
      concurrency,
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
    const settings = { memoryMb, reservedConcurrency: reserved === 0 ? null : reserved, chunksAtOnce: mapConcurrency };
    if (flags.has('json')) io.stdout.write(`${JSON.stringify({ ...outputs, ...settings, changed: isChanged })}\n`);
    else {
      if (!isChanged) io.stderr.write('The stack is up to date\n');
      io.stderr.write(
        `Workers have ${memoryMb} MB; a render uses up to ${countText(mapConcurrency, 'worker')} at the same time${reserved === 0 ? '' : `, of ${reserved} reserved ones`}\n`,
      );
      for (const [name, value] of Object.entries(outputs)) io.stdout.write(`${name}  ${value}\n`);
    }
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `none` removes the reservation. */
function readConcurrency({ values }: CommandInput): number | undefined {
  const text = values.get('concurrency');
  if (text === undefined) return undefined;
  if (text === 'none') return 0;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UserError('usage', `--concurrency must be a whole number from 1, or none (got "${text}")`);
}

const numberOf = (name: string, { values }: CommandInput): number | undefined =>
  values.has(name) ? Number(values.get(name)) : undefined;

/** Keeps the bucket with the results and prints its name. */
export async function runDestroy(input: CommandInput, io: CliIo): Promise<number> {
  const { flags } = input;
  const { cloudFormation: client, stackName } = openAccount(input, io);
  const question = `Delete the stack ${stackName}? Running renders are stopped; the bucket with the results is kept.`;
  const isConfirmed =
    flags.has('yes') || (await askYesNo(question, io, `framework serverless destroy --stack-name ${stackName} --yes`));
  if (!isConfirmed) throw new UserError('cancelled', 'The stack was not deleted.');
  const { bucketName } = await destroyStack({
    client,
    stackName,
    onEvent: (event) => showEvent(event, io),
    now: Date.now,
    signal: io.signal,
  });
  if (flags.has('json')) io.stdout.write(`${JSON.stringify({ stackName, destroyed: true, keptBucket: bucketName })}\n`);
  else
    io.stdout.write(
      bucketName === null
        ? `Deleted ${stackName}\n`
        : `Deleted ${stackName}. The bucket ${bucketName} is kept. To delete it with all results: aws s3 rb --force s3://${bucketName}\n`,
    );
  return 0;
}

async function confirmChanges(
  changes: PlannedChange[],
  stackName: string,
  { flags }: CommandInput,
  io: CliIo,
): Promise<boolean> {
  const colors = colorsFor(io.stderr, io.env);
  const sign: Record<string, string> = { Add: colors.green('+'), Modify: colors.yellow('~'), Remove: colors.red('-') };
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
