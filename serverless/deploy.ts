// Deploys the stack: its bucket first, then the code into it, then everything that runs the code.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Change,
  type CloudFormationClient,
  CreateChangeSetCommand,
  DeleteChangeSetCommand,
  DeleteStackCommand,
  DescribeChangeSetCommand,
  DescribeStackEventsCommand,
  ExecuteChangeSetCommand,
  type Parameter,
} from '@aws-sdk/client-cloudformation';
import { UserError } from '../errors.ts';
import { withAws } from './awsErrors.ts';
import type { Bucket } from './bucket.ts';
import type { FunctionPackage } from './functionPackage.ts';
import { keys } from './keys.ts';
import { findStack, outputOf, type StackOutputs, stackOutputs } from './stack.ts';
import { template } from './template.ts';

export type PlannedChange = { action: string; logicalId: string; type: string };

export type DeployEvent =
  | { type: 'stage'; message: string }
  | { type: 'resource'; logicalId: string; resourceType: string; status: string; reason: string | null };

export type DeployOptions = {
  client: CloudFormationClient;
  openBucket(name: string): Bucket;
  stackName: string;
  code: FunctionPackage;
  /** Megabytes of a worker; undefined: as it was deployed before, else the template's default. */
  memory?: number | undefined;
  /** Reserved concurrency; undefined: as it was deployed before, else none. */
  concurrency?: number | undefined;
  /** Asked once, before anything is made or changed. */
  confirm(changes: PlannedChange[]): Promise<boolean>;
  onEvent(event: DeployEvent): void;
  /** Between two looks at the stack. */
  pollMs?: number;
  signal?: AbortSignal;
};

export type Deployed = StackOutputs & { isChanged: boolean };

/** Throws UserError `deploy_failed` with the reason of the first resource that failed; `cancelled` when not confirmed. */
export async function deployStack(options: DeployOptions): Promise<Deployed> {
  const { client, stackName, code, onEvent } = options;
  let isConfirmed = false;
  const confirm = async (changes: PlannedChange[]): Promise<void> => {
    if (isConfirmed) return;
    isConfirmed = await options.confirm(changes);
    if (!isConfirmed) throw new UserError('cancelled', 'Nothing was deployed.');
  };
  await refuseBusy(client, stackName);
  let bucketName = outputOf(await findStack(client, stackName), 'RenderBucketName');
  const codeKey = keys.code(code.sha256);
  if (bucketName === undefined) {
    // Everything that will be made, not the bucket alone.
    await confirm(allResources());
    onEvent({ type: 'stage', message: 'Making the bucket' });
    await changeStack(options, { CodeKey: '' }, true, confirm);
    bucketName = outputOf(await findStack(client, stackName), 'RenderBucketName') ?? '';
  }
  const bucket = options.openBucket(bucketName);
  const isThere = await withAws('Looking for the code', () => bucket.size(codeKey));
  if (isThere === undefined) {
    onEvent({ type: 'stage', message: `Uploading the code, ${(code.bytes / 1024 ** 2).toFixed(1)} MB` });
    await withAws('Uploading the code', () => bucket.upload(codeKey, code.path, 'application/zip'));
  }
  onEvent({ type: 'stage', message: 'Comparing the stack with what is wanted' });
  const isChanged = await changeStack(options, { CodeKey: codeKey }, false, confirm);
  return { ...(await stackOutputs(client, stackName)), isChanged };
}

/** A stack that something else is changing, or whose making failed, cannot be changed. */
async function refuseBusy(client: CloudFormationClient, stackName: string): Promise<void> {
  const status = (await findStack(client, stackName))?.StackStatus ?? '';
  if (status.endsWith('_IN_PROGRESS') && status !== 'REVIEW_IN_PROGRESS') {
    throw new UserError('deploy_failed', `The stack ${stackName} is being changed already (${status})`, {
      hint: 'Wait until that is done.',
    });
  }
  if (status === 'ROLLBACK_COMPLETE' || status.endsWith('_FAILED')) {
    throw new UserError('deploy_failed', `The stack ${stackName} was left in the state ${status}`, {
      hint: `Remove it with framework serverless destroy --stack-name ${stackName}, and deploy it again.`,
    });
  }
}

const allResources = (): PlannedChange[] =>
  Object.entries(template.Resources).map(([logicalId, { Type }]) => ({ action: 'Add', logicalId, type: Type }));

/** One change set from the template; false when there was nothing to change. */
async function changeStack(
  options: DeployOptions,
  parameters: { CodeKey: string },
  isNew: boolean,
  confirm: (changes: PlannedChange[]) => Promise<void>,
): Promise<boolean> {
  const { client, stackName, memory, concurrency, signal } = options;
  const given = [
    ...Object.entries(parameters).map(([name, value]) => parameter(name, value, isNew)),
    parameter('MemorySize', memory, isNew),
    parameter('ReservedConcurrency', concurrency, isNew),
  ].flat();
  const names = { StackName: stackName, ChangeSetName: `framework-${Date.now()}` };
  const abort = signal === undefined ? {} : { abortSignal: signal };
  await withAws('Making a change set', () =>
    client.send(
      new CreateChangeSetCommand({
        ...names,
        ChangeSetType: isNew ? 'CREATE' : 'UPDATE',
        TemplateBody: JSON.stringify(template),
        Capabilities: ['CAPABILITY_IAM'],
        Parameters: given,
      }),
      abort,
    ),
  );
  const changes = await describeChanges(options, names);
  const remove = () => client.send(new DeleteChangeSetCommand(names)).catch(() => undefined);
  if (changes === 'none') {
    await remove();
    return false;
  }
  try {
    await confirm(changes);
  } catch (error) {
    await remove();
    throw error;
  }
  const since = Date.now();
  await withAws('Changing the stack', () => client.send(new ExecuteChangeSetCommand(names), abort));
  await waitForStack(options, since);
  return true;
}

/** What is not given stays as it is; a new stack takes the template's default. */
function parameter(ParameterKey: string, value: string | number | undefined, isNew: boolean): Parameter[] {
  if (value !== undefined) return [{ ParameterKey, ParameterValue: String(value) }];
  return isNew ? [] : [{ ParameterKey, UsePreviousValue: true }];
}

async function describeChanges(
  { client, pollMs = 2000, signal }: DeployOptions,
  names: { StackName: string; ChangeSetName: string },
): Promise<PlannedChange[] | 'none'> {
  for (;;) {
    const set = await withAws('Looking at the change set', () => client.send(new DescribeChangeSetCommand(names)));
    if (set.Status === 'CREATE_COMPLETE') return allChanges(client, names, set.Changes ?? [], set.NextToken);
    if (set.Status === 'FAILED') {
      if (/didn't contain changes|No updates are to be performed/.test(set.StatusReason ?? '')) return 'none';
      throw new UserError('deploy_failed', `The change set could not be made: ${set.StatusReason}`, {
        hint: 'framework serverless policies prints what the commands need to be allowed.',
      });
    }
    await pause(pollMs, signal, 'Nothing was deployed.');
  }
}

/** Throws UserError `cancelled` when the signal comes first. */
async function pause(ms: number, signal: AbortSignal | undefined, cancelled: string): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch((cause) => {
    throw new UserError('cancelled', cancelled, { cause });
  });
}

async function allChanges(
  client: CloudFormationClient,
  names: { StackName: string; ChangeSetName: string },
  first: Change[],
  next: string | undefined,
): Promise<PlannedChange[]> {
  const changes = [...first];
  for (let token = next; token !== undefined; ) {
    const page = await client.send(new DescribeChangeSetCommand({ ...names, NextToken: token }));
    changes.push(...(page.Changes ?? []));
    token = page.NextToken;
  }
  return changes.map(({ ResourceChange }) => ({
    action: ResourceChange?.Action ?? '',
    logicalId: ResourceChange?.LogicalResourceId ?? '',
    type: ResourceChange?.ResourceType ?? '',
  }));
}

/** Tells what happens to the resources until the stack stands still. */
async function waitForStack(options: DeployOptions, since: number, isGone = false): Promise<void> {
  const { client, stackName, onEvent, pollMs = 2000, signal } = options;
  const told = new Set<string>();
  let failure: string | undefined;
  for (;;) {
    const stack = await findStack(client, stackName);
    for (const event of await newEvents(client, stackName, since, told)) {
      onEvent(event);
      if (event.status.endsWith('_FAILED') && event.reason !== null)
        failure ??= `${event.logicalId} (${event.resourceType}): ${event.reason}`;
    }
    const status = stack?.StackStatus ?? 'DELETE_COMPLETE';
    if (!status.endsWith('_IN_PROGRESS')) {
      const isGood = isGone ? status === 'DELETE_COMPLETE' : /^(?:CREATE|UPDATE)_COMPLETE$/.test(status);
      if (isGood) return;
      throw new UserError(
        'deploy_failed',
        `The stack ended as ${status}: ${failure ?? stack?.StackStatusReason ?? ''}`,
        {
          hint: `Correct what it names. A stack that could not be made goes with framework serverless destroy --stack-name ${stackName}.`,
        },
      );
    }
    await pause(pollMs, signal, `No longer waiting; AWS goes on with the stack ${stackName} (${status}).`);
  }
}

type ResourceEvent = Extract<DeployEvent, { type: 'resource' }>;

/** Oldest first. A stack that has gone has no events to tell. */
async function newEvents(
  client: CloudFormationClient,
  stackName: string,
  since: number,
  told: Set<string>,
): Promise<ResourceEvent[]> {
  const { StackEvents = [] } = await client
    .send(new DescribeStackEventsCommand({ StackName: stackName }))
    .catch(() => ({ StackEvents: [] }));
  const fresh = StackEvents.filter(
    // Clocks differ a little.
    ({ EventId = '', Timestamp }) => !told.has(EventId) && (Timestamp?.getTime() ?? 0) > since - 5000,
  );
  for (const { EventId = '' } of fresh) told.add(EventId);
  return fresh.reverse().map((event) => ({
    type: 'resource',
    logicalId: event.LogicalResourceId ?? '',
    resourceType: event.ResourceType ?? '',
    status: event.ResourceStatus ?? '',
    reason: event.ResourceStatusReason ?? null,
  }));
}

export type DestroyOptions = Pick<DeployOptions, 'client' | 'stackName' | 'onEvent' | 'pollMs' | 'signal'>;

/** Takes the stack away; the bucket with its results stays. Returns its name. Throws UserError `stack_not_found`. */
export async function destroyStack(options: DestroyOptions): Promise<{ bucketName: string | null }> {
  const { client, stackName } = options;
  const stack = await findStack(client, stackName);
  if (!stack || stack.StackStatus === 'DELETE_COMPLETE') {
    throw new UserError('stack_not_found', `There is no stack ${stackName} in this account and region`, {
      hint: 'Name another with --stack-name and --region.',
    });
  }
  const since = Date.now();
  await withAws('Removing the stack', () => client.send(new DeleteStackCommand({ StackName: stackName })));
  await waitForStack({ ...options } as DeployOptions, since, true);
  return { bucketName: outputOf(stack, 'RenderBucketName') ?? null };
}
