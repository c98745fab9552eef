// `framework serverless deploy` and `destroy`: the stack, with what happens to its resources while it does.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { type DeployEvent, deployStack, destroyStack, type PlannedChange } from '../serverless/deploy.ts';
import { packFunction } from '../serverless/functionPackage.ts';
import { askYesNo } from './askYesNo.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { openAccount } from './serverlessAccount.ts';

const mostMemory = 10_240;

/** Throws UserError; the status is 0 otherwise. */
export async function runDeploy(input: CommandInput, io: CliIo): Promise<number> {
  const { switches } = input;
  const memory = numberOf('memory', input);
  if (memory !== undefined && memory > mostMemory) {
    throw new UserError('usage', `--memory cannot be ${memory}`, { hint: `AWS Lambda has at most ${mostMemory} MB.` });
  }
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
      concurrency: numberOf('concurrency', input),
      confirm: (changes) => confirmChanges(changes, account.stackName, input, io),
      onEvent: (event) => show(event, io),
      signal: io.signal,
    });
    const { bucketName, stateMachineArn, functionName, isChanged } = deployed;
    const outputs = {
      RenderBucketName: bucketName,
      RenderStateMachineArn: stateMachineArn,
      RenderFunctionName: functionName,
    };
    if (switches.has('json')) io.stdout.write(`${JSON.stringify({ ...outputs, changed: isChanged })}\n`);
    else {
      if (!isChanged) io.stderr.write('Nothing has changed: the stack is up to date\n');
      for (const [name, value] of Object.entries(outputs)) io.stdout.write(`${name}  ${value}\n`);
    }
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const numberOf = (name: string, { values }: CommandInput): number | undefined =>
  values.has(name) ? Number(values.get(name)) : undefined;

/** The bucket stays with its results, and its name is told. */
export async function runDestroy(input: CommandInput, io: CliIo): Promise<number> {
  const { switches } = input;
  const { cloudFormation: client, stackName } = openAccount(input, io);
  const question = `Take the stack ${stackName} away? Running renders end; the bucket with its results stays.`;
  const isMeant =
    switches.has('yes') ||
    (await askYesNo(question, io, `framework serverless destroy --stack-name ${stackName} --yes`));
  if (!isMeant) throw new UserError('cancelled', 'Nothing was taken away.');
  const { bucketName } = await destroyStack({
    client,
    stackName,
    onEvent: (event) => show(event, io),
    signal: io.signal,
  });
  if (switches.has('json'))
    io.stdout.write(`${JSON.stringify({ stackName, destroyed: true, keptBucket: bucketName })}\n`);
  else
    io.stdout.write(
      bucketName === null
        ? `${stackName} is gone\n`
        : `${stackName} is gone. The bucket ${bucketName} stays: aws s3 rb --force s3://${bucketName} deletes it with all results.\n`,
    );
  return 0;
}

async function confirmChanges(
  changes: PlannedChange[],
  stackName: string,
  { switches }: CommandInput,
  io: CliIo,
): Promise<boolean> {
  const colors = colorsFor(io.stderr, io.env);
  const sign: Record<string, string> = { Add: colors.green('+'), Modify: colors.yellow('~'), Remove: colors.red('-') };
  for (const { action, logicalId, type } of changes)
    io.stderr.write(`  ${sign[action] ?? action} ${logicalId} ${colors.dim(type)}\n`);
  if (switches.has('yes')) return true;
  return askYesNo(`Change the stack ${stackName} like this?`, io, 'framework serverless deploy --yes');
}

function show(event: DeployEvent, io: CliIo): void {
  if (event.type === 'stage') {
    io.stderr.write(`${event.message}\n`);
    return;
  }
  const { logicalId, status, reason } = event;
  const colors = colorsFor(io.stderr, io.env);
  const paint = status.endsWith('_FAILED') ? colors.red : status.endsWith('_COMPLETE') ? colors.green : colors.dim;
  const why = reason !== null && status.endsWith('_FAILED') ? `: ${reason}` : '';
  io.stderr.write(`  ${paint(status.toLowerCase().replaceAll('_', ' '))} ${logicalId}${why}\n`);
}
