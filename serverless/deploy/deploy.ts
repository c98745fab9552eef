// Deploys and deletes the stack. A deployment creates the bucket, uploads the code, and creates everything else.
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
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { UserError } from '../../renderer-core/errors.ts';
import { withAws } from '../awsErrors.ts';
import type { Bucket } from '../bucket.ts';
import { codePrefix, keys } from '../keys.ts';
import type { Quotas } from '../renders/reports.ts';
import type { FunctionPackage } from './functionPackage.ts';
import { bucketImport, type TemplateChange } from './keptBuckets.ts';
import { type StackSettings, settingsWarnings, stackSettings } from './quotas.ts';
import { findStack, outputOf, parameterOf, type StackOutputs, stackOutputs } from './stack.ts';
import { renderTemplate } from './template.ts';

export type PlannedChange = { action: string; logicalId: string; type: string };

export type DeployEvent =
  | { type: 'stage'; message: string }
  | { type: 'warning'; message: string }
  | { type: 'resource'; logicalId: string; resourceType: string; status: string; reason: string | null };

export type DeployOptions = {
  client: CloudFormationClient;
  openBucket(name: string): Bucket;
  stackName: string;
  code: FunctionPackage;
  /** Memory of a worker in MB. Default is the deployed value, or what suits the account: see `stackSettings`. */
  memory?: number | undefined;
  /** Reserved concurrency; 0 removes the reservation. Default is the deployed value, or none. */
  concurrency?: number | undefined;
  /** Adds or removes what sends webhooks. Default is as deployed, or without. */
  webhooks?: boolean | undefined;
  /** Buckets of earlier stacks of this name, newest first: see `keptBuckets`. Read if the stack does not exist. */
  keptBuckets?(): Promise<string[]>;
  /** The quotas of the account. Read before anything is created or uploaded. */
  quotas(): Promise<Quotas>;
  /** Called once, before anything is created or changed. */
  confirm(changes: PlannedChange[]): Promise<boolean>;
  onEvent(event: DeployEvent): void;
  /** Unix milliseconds. */
  now(): number;
  /** Polling interval. Default 2 s. */
  pollMs?: number;
  signal?: AbortSignal;
};

export type Deployed = StackOutputs & StackSettings & { isChanged: boolean };

/**
 * Throws UserError `deploy_failed`, which names the first failed resource, `cancelled` without confirmation, or `usage` if the account
 * does not allow the settings.
 */
export async function deployStack(options: DeployOptions): Promise<Deployed> {
  const { client, stackName, code, onEvent } = options;
  let isConfirmed = false;
  const confirm = async (changes: PlannedChange[]): Promise<void> => {
    if (isConfirmed) return;
    isConfirmed = await options.confirm(changes);
    if (!isConfirmed) throw new UserError('cancelled', 'Nothing was deployed.');
  };
  await refuseBusy(client, stackName);
  const stack = await findStack(client, stackName);
  const quotas = await options.quotas();
  const settings = stackSettings(options, deployedSettings(stack), quotas);
  for (const message of settingsWarnings(settings, quotas)) onEvent({ type: 'warning', message });
  let bucketName = outputOf(stack, 'RenderBucketName');
  const codeKey = keys.code(code.sha256);
  const webhooks = options.webhooks ?? outputOf(stack, 'WebhookSecretArn') !== undefined;
  const change = { ...options, settings, codeKey, webhooks };
  if (bucketName === undefined) {
    const isNew = stack === undefined || stack.StackStatus === 'REVIEW_IN_PROGRESS';
    const warn = (message: string) => onEvent({ type: 'warning', message });
    const found = isNew ? options.keptBuckets?.() : undefined;
    const [kept, ...others] = (await found?.catch(({ message }: Error) => void warn(message))) ?? [];
    for (const name of others) warn(`The bucket ${name} of an earlier stack is left as it is`);
    // Confirms all resources, although this step only creates the bucket.
    await confirm(allResources(change, kept));
    onEvent({
      type: 'stage',
      message: kept ? `Adopting the bucket ${kept} of an earlier stack` : 'Creating the bucket',
    });
    const isAdopted = kept !== undefined && (await adopt(change, kept, confirm));
    await changeStack(change, wholeTemplate(change, '', isNew && !isAdopted ? 'CREATE' : 'UPDATE'), confirm);
    bucketName = outputOf(await findStack(client, stackName), 'RenderBucketName') ?? '';
  }
  const bucket = options.openBucket(bucketName);
  const uploaded = await withAws('Checking the code', () => bucket.size(codeKey));
  if (uploaded === undefined) {
    onEvent({ type: 'stage', message: `Uploading the code, ${(code.bytes / 1024 ** 2).toFixed(1)} MB` });
    await withAws('Uploading the code', () => bucket.upload(codeKey, code.path, 'application/zip'));
  }
  onEvent({ type: 'stage', message: 'Comparing the stack with the template' });
  const isChanged = await changeStack(change, wholeTemplate(change, codeKey, 'UPDATE'), confirm);
  await removeOldCode(bucket, [codeKey, parameterOf(stack, 'CodeKey') ?? '']).catch((error: Error) =>
    onEvent({ type: 'warning', message: `Old code could not be deleted: ${error.message}` }),
  );
  return { ...(await stackOutputs(client, stackName)), ...settings, isChanged };
}

/** False with a warning if AWS refuses it before anything has changed: the stack can still be created with another bucket. */
async function adopt(
  change: StackChange,
  bucket: string,
  confirm: (changes: PlannedChange[]) => Promise<void>,
): Promise<boolean> {
  try {
    return await changeStack(change, bucketImport(templateOf(change), bucket), confirm);
  } catch (error) {
    const status = (await findStack(change.client, change.stackName))?.StackStatus ?? 'REVIEW_IN_PROGRESS';
    if (status !== 'REVIEW_IN_PROGRESS' || (error as UserError).code === 'cancelled') throw error;
    const message = `The bucket ${bucket} cannot be adopted, and another one is created: ${(error as Error).message}`;
    change.onEvent({ type: 'warning', message });
    return false;
  }
}

/**
 * Functions have a copy of their code. `kept`: CloudFormation needs the last one to undo a failed update. Code does not expire like
 * chunks, because no age says whether it is still needed.
 */
async function removeOldCode(bucket: Bucket, kept: readonly string[]): Promise<void> {
  const stored = await withAws('Listing the code', () => bucket.list(codePrefix));
  for (const { key } of stored)
    if (key.endsWith('.zip') && !kept.includes(key)) await withAws('Deleting old code', () => bucket.remove(key));
}

/** A stack that is being changed, or whose creation failed, cannot be updated. */
async function refuseBusy(client: CloudFormationClient, stackName: string): Promise<void> {
  const status = (await findStack(client, stackName))?.StackStatus ?? '';
  if (status.endsWith('_IN_PROGRESS') && status !== 'REVIEW_IN_PROGRESS') {
    throw new UserError('deploy_failed', `The stack ${stackName} is already being changed (${status})`, {
      hint: 'Wait until the change has finished.',
    });
  }
  if (status === 'ROLLBACK_COMPLETE' || status.endsWith('_FAILED')) {
    throw new UserError('deploy_failed', `The stack ${stackName} cannot be updated in the state ${status}`, {
      hint: `Delete it with framework serverless destroy --stack-name ${stackName}, and deploy it again.`,
    });
  }
}

/** What the stack was deployed with before. */
function deployedSettings(stack: Stack | undefined): { memory?: number; concurrency?: number } {
  const number = (name: string) => Number(parameterOf(stack, name) ?? Number.NaN);
  const [memory, concurrency] = [number('MemorySize'), number('ReservedConcurrency')];
  // The parameters of a stack that has only its bucket are defaults of the template.
  if (outputOf(stack, 'RenderFunctionName') === undefined) return {};
  return { ...(memory > 0 ? { memory } : {}), ...(concurrency > 0 ? { concurrency } : {}) };
}

type StackChange = DeployOptions & { settings: StackSettings; codeKey: string; webhooks: boolean };

const templateOf = ({ settings, codeKey, webhooks }: StackChange) => renderTemplate({ ...settings, codeKey, webhooks });

/** `keptBucket`: the bucket that is imported. */
const allResources = (change: StackChange, keptBucket: string | undefined): PlannedChange[] =>
  Object.entries<{ Type: string }>(templateOf(change).Resources).map(([logicalId, { Type }]) =>
    logicalId === 'RenderBucket' && keptBucket !== undefined
      ? { action: 'Import', logicalId: `${logicalId} ${keptBucket}`, type: Type }
      : { action: 'Add', logicalId, type: Type },
  );

/** Without a code key, there is only the bucket. */
function wholeTemplate(change: StackChange, codeKey: string, type: 'CREATE' | 'UPDATE'): TemplateChange {
  const { memoryMb, reserved } = change.settings;
  const parameters = { CodeKey: codeKey, MemorySize: memoryMb, ReservedConcurrency: reserved };
  return {
    ChangeSetType: type,
    TemplateBody: JSON.stringify(templateOf(change)),
    Capabilities: ['CAPABILITY_IAM'],
    Parameters: Object.entries(parameters).map(
      ([ParameterKey, value]): Parameter => ({ ParameterKey, ParameterValue: String(value) }),
    ),
  };
}

/** Applies a template with a change set. Returns false when nothing has changed. */
async function changeStack(
  options: StackChange,
  change: TemplateChange,
  confirm: (changes: PlannedChange[]) => Promise<void>,
): Promise<boolean> {
  const { client, stackName, now, signal } = options;
  const names = { StackName: stackName, ChangeSetName: `framework-${now()}` };
  const abort = signal === undefined ? {} : { abortSignal: signal };
  await withAws('Creating a change set', () => client.send(new CreateChangeSetCommand({ ...names, ...change }), abort));
  const changes = await describeChanges(options, names);
  // A change set that stays does not change the stack.
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
  const since = now();
  await withAws('Changing the stack', () => client.send(new ExecuteChangeSetCommand(names), abort));
  await waitForStack(options, since);
  return true;
}

async function describeChanges(
  { client, pollMs = 2000, signal }: DeployOptions,
  names: { StackName: string; ChangeSetName: string },
): Promise<PlannedChange[] | 'none'> {
  for (;;) {
    const set = await withAws('Reading the change set', () => client.send(new DescribeChangeSetCommand(names)));
    if (set.Status === 'CREATE_COMPLETE') return allChanges(client, names, set.Changes ?? [], set.NextToken);
    if (set.Status === 'FAILED') {
      if (/didn't contain changes|No updates are to be performed/.test(set.StatusReason ?? '')) return 'none';
      throw new UserError('deploy_failed', `The change set could not be created: ${set.StatusReason}`, {
        hint: 'framework serverless policies prints the permissions that the commands need.',
      });
    }
    await pause(pollMs, signal, 'Nothing was deployed.');
  }
}

/** Throws UserError `cancelled` when the signal aborts. */
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

/** Reports events of resources until the stack no longer changes. `isDeletion`: the stack is expected to disappear. */
async function waitForStack(options: DestroyOptions, since: number, isDeletion = false): Promise<void> {
  const { client, stackName, onEvent, pollMs = 2000, signal } = options;
  const reported = new Set<string>();
  let failure: string | undefined;
  for (;;) {
    const stack = await findStack(client, stackName);
    for (const event of await newEvents(client, stackName, since, reported)) {
      onEvent(event);
      if (event.status.endsWith('_FAILED') && event.reason !== null)
        failure ??= `${event.logicalId} (${event.resourceType}): ${event.reason}`;
    }
    const status = stack?.StackStatus ?? 'DELETE_COMPLETE';
    if (!status.endsWith('_IN_PROGRESS')) {
      const isSuccess = isDeletion ? status === 'DELETE_COMPLETE' : /^(?:CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status);
      if (isSuccess) return;
      throw new UserError(
        'deploy_failed',
        `The stack ended with the status ${status}: ${failure ?? stack?.StackStatusReason ?? ''}`,
        {
          hint: `Fix the error and try again. If the stack could not be created, delete it first: framework serverless destroy --stack-name ${stackName}`,
        },
      );
    }
    await pause(pollMs, signal, `Stopped waiting. AWS continues to change the stack ${stackName} (${status}).`);
  }
}

type ResourceEvent = Extract<DeployEvent, { type: 'resource' }>;

/** Oldest first. A deleted stack has no events. */
async function newEvents(
  client: CloudFormationClient,
  stackName: string,
  since: number,
  reported: Set<string>,
): Promise<ResourceEvent[]> {
  const { StackEvents = [] } = await client
    .send(new DescribeStackEventsCommand({ StackName: stackName }))
    .catch(() => ({ StackEvents: [] }));
  const fresh = StackEvents.filter(
    // The clocks of AWS and this machine may differ.
    ({ EventId = '', Timestamp }) => !reported.has(EventId) && (Timestamp?.getTime() ?? 0) > since - 5000,
  );
  for (const { EventId = '' } of fresh) reported.add(EventId);
  return fresh.reverse().map((event) => ({
    type: 'resource',
    logicalId: event.LogicalResourceId ?? '',
    resourceType: event.ResourceType ?? '',
    status: event.ResourceStatus ?? '',
    reason: event.ResourceStatusReason ?? null,
  }));
}

export type DestroyOptions = Pick<DeployOptions, 'client' | 'stackName' | 'onEvent' | 'now' | 'pollMs' | 'signal'>;

/** Deletes the stack, but keeps the results bucket, whose name it returns. Throws UserError `stack_not_found`. */
export async function destroyStack(options: DestroyOptions): Promise<{ bucketName: string | null }> {
  const { client, stackName } = options;
  const stack = await findStack(client, stackName);
  if (!stack || stack.StackStatus === 'DELETE_COMPLETE') {
    throw new UserError('stack_not_found', `The stack ${stackName} does not exist in this account and region`, {
      hint: 'Check --stack-name and --region.',
    });
  }
  const since = options.now();
  await withAws('Deleting the stack', () => client.send(new DeleteStackCommand({ StackName: stackName })));
  await waitForStack(options, since, true);
  return { bucketName: outputOf(stack, 'RenderBucketName') ?? null };
}
