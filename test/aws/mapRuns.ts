// Distributed Maps of the double of AWS Step Functions: each item of an array in S3 is an execution of its own.
import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { type Execution, executionOf, type MapRun, ServiceFault } from './execution.ts';

type Json = Record<string, unknown>;

/** What the interpreter passes to the task that stands for the Map. */
export type MapInput = { state: unknown; reader: { Bucket: string; Key: string } };

export type MapRunOptions = {
  /** The text of an object in S3. */
  readObject(bucket: string, key: string): Promise<string>;
  /** Evaluates the ItemSelector for an item. */
  select(item: unknown, index: number): Promise<unknown>;
  /** Runs the states of an item, and resolves when they have ended. */
  runChild(child: Execution): Promise<void>;
  /** Makes the execution known to the API. */
  onStart(child: Execution): void;
};

/** Throws on what would be ignored here. */
export function refuseUnknownMap(state: Json, path: string): void {
  const { Mode = 'INLINE', ExecutionType } = ((state.ItemProcessor as Json).ProcessorConfig ?? {}) as Json;
  const { Resource, ReaderConfig } = (state.ItemReader ?? {}) as { Resource?: unknown; ReaderConfig?: Json };
  const isJson = Resource === 'arn:aws:states:::s3:getObject' && ReaderConfig?.InputType === 'JSON';
  if (Mode === 'INLINE' && state.ItemReader !== undefined)
    throw new ServiceFault('InvalidDefinition', `${path}.ItemReader needs a distributed Map`);
  if (Mode === 'DISTRIBUTED' && (!isJson || ExecutionType !== 'STANDARD'))
    throw new ServiceFault('InvalidDefinition', `${path}: only standard executions of JSON in S3 are run here`);
}

export const isDistributedMap = (state: Json): boolean =>
  state.Type === 'Map' && ((state.ItemProcessor as Json).ProcessorConfig as Json | undefined)?.Mode === 'DISTRIBUTED';

/** The interpreter runs only inline Maps. This task gets a `MapInput`. */
export function taskOfMap({ ItemReader, ResultPath, Next, End }: Json): Json {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { 'state.$': '$', reader: (ItemReader as Json).Parameters },
    ...(ResultPath === undefined ? {} : { ResultPath }),
    ...(Next === undefined ? { End } : { Next }),
  };
}

/** Reads the items. Throws what fails the execution. */
export async function createMapRun(
  parent: Execution,
  label: string,
  { reader: { Bucket, Key } }: MapInput,
  { readObject, select }: MapRunOptions,
): Promise<MapRun> {
  const items = await readObject(Bucket, Key).then(
    (text) => JSON.parse(text) as unknown,
    (error: Error) => fail('States.ItemReaderFailed', error.message),
  );
  if (!Array.isArray(items)) return fail('States.ItemReaderFailed', `s3://${Bucket}/${Key} is not an array`);
  const selected = await Promise.all(items.map(select));
  return {
    arn: `${parent.machine.replace(':stateMachine:', ':mapRun:')}/${label}:${randomUUID()}`,
    startDate: Date.now() / 1000,
    inputs: selected.map((input) => JSON.stringify(input)),
    children: items.map(() => undefined),
  };
}

/**
 * Runs all items that have not succeeded, and returns their outputs. When one fails, all others are stopped, and no more are started.
 */
export async function runItems(
  parent: Execution,
  mapRun: MapRun,
  { Label = 'Map', MaxConcurrency = 0 }: Json,
  { runChild, onStart }: MapRunOptions,
): Promise<unknown[]> {
  const limit = pLimit(Number(MaxConcurrency) || Number.POSITIVE_INFINITY);
  let isFailed = false;
  const runItem = async (input: string, index: number): Promise<void> => {
    const before = mapRun.children[index];
    if (isFailed || parent.status !== 'RUNNING' || before?.status === 'SUCCEEDED') return;
    const child = before ?? executionOf(`${parent.machine}/${Label}`, randomUUID(), input);
    if (before) Object.assign(before, redriven());
    else onStart(child);
    child.mapRun = mapRun.arn;
    mapRun.children[index] = child;
    child.done = runChild(child);
    await child.done;
    if (wasSuccessful(child)) return;
    isFailed = true;
    stopItems(mapRun);
  };
  await Promise.all(mapRun.inputs.map((input, index) => limit(() => runItem(input, index))));
  if (isFailed)
    fail('States.ExceedToleratedFailureThreshold', 'The specified tolerated failure threshold was exceeded');
  return mapRun.children.map((child) => JSON.parse(child?.output ?? 'null') as unknown);
}

export function stopItems({ children }: MapRun): void {
  for (const child of children) if (child?.status === 'RUNNING') child.abort();
}

/** What changes when an execution continues at the step that has failed. */
export const redriven = () => ({
  ...{ output: undefined, error: undefined, cause: undefined, stopDate: undefined },
  ...{ status: 'RUNNING' as const, redriveDate: Date.now() / 1000 },
});

const wasSuccessful = ({ status }: Execution): boolean => status === 'SUCCEEDED';

function fail(name: string, message: string): never {
  throw Object.assign(new Error(message), { name });
}

/** The states that evaluate an ItemSelector: the interpreter knows JSONPath. */
export const selection = ({ ItemSelector }: Json): Json => ({
  StartAt: 'Select',
  States: { Select: { Type: 'Pass', Parameters: ItemSelector, End: true } },
});
