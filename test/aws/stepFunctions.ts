// A double of AWS Step Functions: standard state machines run by an interpreter of the Amazon States Language.
import { randomUUID } from 'node:crypto';
import type { StateMachineDefinition } from 'aws-local-stepfunctions';
import { type Execution, executionOf, ServiceFault } from './execution.ts';
import type { LambdaDouble } from './lambda.ts';
import {
  createMapRun,
  isDistributedMap,
  type MapInput,
  redriven,
  refuseUnknownMap,
  runItems,
  selection,
  stopItems,
  taskOfMap,
} from './mapRuns.ts';

export { ServiceFault } from './execution.ts';

type Json = Record<string, unknown>;

export type StepFunctionsOptions = {
  lambda: LambdaDouble;
  /** Reads the items of distributed Maps from S3. */
  readObject?: (bucket: string, key: string) => Promise<string>;
  /** The number of starts before throttling, and how many more are accepted per second. */
  startBucket?: { size: number; perSecond: number };
  /** Milliseconds that replace every wait before a retry; by default the definition's waits. */
  retryWaitMs?: number;
  /** Called when an execution has ended. */
  onEnd?: (execution: Execution) => void;
};

export type StepFunctionsDouble = {
  /** Creates or updates a machine. Throws on what the service would reject and what the interpreter would ignore. */
  put(arn: string, definition: Json): void;
  /** Runs an action of the API and returns the response. Throws `ServiceFault`. */
  call(action: string, body: Json): Json;
  executions: Execution[];
  close(): Promise<void>;
};

/** Fields that the interpreter does not know, or handles differently from the service. */
const refusedFields = new Set([
  'QueryLanguage',
  'Assign',
  'Output',
  'Arguments',
  'ItemBatcher',
  'ResultWriter',
  'ToleratedFailureCount',
  'ToleratedFailurePercentage',
  'HeartbeatSeconds',
]);

/** Throws on the first field that would be ignored. */
export function refuseUnknown(value: unknown, path = '$'): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseUnknown(item, `${path}[${index}]`);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const state = value as Json;
  for (const [key, item] of Object.entries(state)) {
    if (refusedFields.has(key)) throw new ServiceFault('InvalidDefinition', `${path}.${key} is not run here`);
    if (key === 'ItemReader') continue;
    if (key === 'Resource' && item !== 'arn:aws:states:::lambda:invoke')
      throw new ServiceFault('InvalidDefinition', `${path}.${key}: ${String(item)} is not run here`);
    // Authors' values are data, not states.
    if (key !== 'Parameters' && key !== 'ItemSelector' && key !== 'ResultSelector')
      refuseUnknown(item, `${path}.${key}`);
  }
  if (state.Type === 'Map') refuseUnknownMap(state, path);
  if (state.Type === 'Task' && typeof state.TimeoutSeconds !== 'number')
    throw new ServiceFault('InvalidDefinition', `${path} has no TimeoutSeconds`);
}

export async function startStepFunctions(options: StepFunctionsOptions): Promise<StepFunctionsDouble> {
  polyfill();
  const { StateMachine } = await import('aws-local-stepfunctions');
  const runnable = (definition: Json) => new StateMachine(definition as unknown as StateMachineDefinition);
  const machines = new Map<string, Machine>();
  const executions: Execution[] = [];
  let tokens = options.startBucket?.size ?? Infinity;
  let refilled = Date.now();

  const takeToken = () => {
    const { size = Infinity, perSecond = 0 } = options.startBucket ?? {};
    const now = Date.now();
    tokens = Math.min(size, tokens + ((now - refilled) / 1000) * perSecond);
    refilled = now;
    if (tokens < 1) throw new ServiceFault('ThrottlingException', 'Rate exceeded');
    tokens--;
  };

  const start = ({ stateMachineArn, name, input }: Json): Json => {
    const machine = machines.get(String(stateMachineArn));
    if (!machine)
      throw new ServiceFault('StateMachineDoesNotExist', `State Machine Does Not Exist: '${stateMachineArn}'`);
    if (Buffer.byteLength(String(input)) > 262_144)
      throw new ServiceFault('InvalidExecutionInput', 'Input exceeds 262144 bytes');
    takeToken();
    const chosen = String(name ?? randomUUID());
    const arn = `${String(stateMachineArn).replace(':stateMachine:', ':execution:')}:${chosen}`;
    const known = executions.find((one) => one.arn === arn);
    if (known) {
      const isSame = known.status === 'RUNNING' && known.input === input;
      if (!isSame) throw new ServiceFault('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
      return { executionArn: arn, startDate: known.startDate };
    }
    const execution = executionOf(String(stateMachineArn), chosen, String(input ?? '{}'));
    executions.push(execution);
    execution.done = run(machine, execution, double);
    return { executionArn: arn, startDate: execution.startDate };
  };

  const double: Double = { ...options, onStart: (child) => executions.push(child) };

  const find = ({ executionArn }: Json): Execution => {
    const found = executions.find(({ arn }) => arn === executionArn);
    if (!found) throw new ServiceFault('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
    return found;
  };

  const actions: Record<string, (body: Json) => Json> = {
    StartExecution: start,
    DescribeExecution: (body) => describe(find(body)),
    GetExecutionHistory: (body) => history(find(body), body),
    StopExecution: (body) => {
      const execution = find(body);
      execution.abort();
      return { stopDate: Date.now() / 1000 };
    },
    RedriveExecution: (body) => {
      const execution = find(body);
      const machine = machines.get(execution.machine);
      // The items of a distributed Map have no machine of their own: their render is redriven.
      if (!machine || execution.status === 'RUNNING' || execution.status === 'SUCCEEDED')
        throw new ServiceFault('ExecutionNotRedrivable', `Execution is not redrivable: it is ${execution.status}`);
      // The execution ended in a Fail state, which would be repeated.
      if (JSON.stringify(machine.definition).includes('"Catch"'))
        throw new ServiceFault('InvalidDefinition', 'Redriving a machine with Catch is not run here');
      const again: Execution = { ...execution, ...redriven() };
      executions[executions.indexOf(execution)] = again;
      again.done = run(machine, again, double);
      return { redriveDate: again.redriveDate };
    },
    ListMapRuns: (body) => ({
      mapRuns: [...find(body).mapRuns.values()].map(({ arn, startDate }) => ({
        ...{ executionArn: body.executionArn, mapRunArn: arn, startDate },
        stateMachineArn: find(body).machine,
      })),
    }),
    ListExecutions: ({ stateMachineArn, mapRunArn, statusFilter, maxResults, nextToken }) => {
      const all = executions
        .filter((one) => (mapRunArn ? one.mapRun === mapRunArn : one.machine === stateMachineArn))
        .filter((one) => !statusFilter || one.status === statusFilter)
        .reverse();
      const from = Number(nextToken ?? 0);
      const next = from + Number(maxResults ?? 100);
      return {
        executions: all
          .slice(from, next)
          .map((one) =>
            pick(describe(one), ['executionArn', 'stateMachineArn', 'name', 'status', 'startDate', 'stopDate']),
          ),
        ...(next < all.length ? { nextToken: String(next) } : {}),
      };
    },
  };

  return {
    executions,
    put(arn, definition) {
      refuseUnknown(definition);
      machines.set(arn, machineOf(definition, runnable));
    },
    call(action, body) {
      const act = actions[action];
      if (!act) throw new ServiceFault('UnknownOperationException', `${action} is not here`, 404);
      return act(body);
    },
    async close() {
      for (const execution of executions) if (execution.status === 'RUNNING') execution.abort();
      await Promise.allSettled(executions.map(({ done }) => done));
    },
  };
}

type Runnable = { run: (input: never, options: never) => Running };
type Running = { abort(): void; result: Promise<unknown>; eventLogs: AsyncGenerator<unknown> };

/** `maps`: its distributed Maps by name. */
type Machine = {
  definition: Json;
  runnable: Runnable;
  maps: Map<string, { state: Json; selector: Runnable; child: Machine }>;
};

function machineOf(definition: Json, runnable: (definition: Json) => Runnable): Machine {
  const states = Object.entries(definition.States as Record<string, Json>);
  const distributed = states.filter(([, state]) => isDistributedMap(state));
  const maps = distributed.map(([name, state]) => {
    const { ProcessorConfig: _config, ...item } = state.ItemProcessor as Json;
    return [name, { state, selector: runnable(selection(state)), child: machineOf(item, runnable) }] as const;
  });
  const tasks = Object.fromEntries(distributed.map(([name, state]) => [name, taskOfMap(state)]));
  const replaced = { ...definition, States: { ...(definition.States as Json), ...tasks } };
  return { definition: replaced, runnable: runnable(replaced), maps: new Map(maps) };
}

type Double = StepFunctionsOptions & { onStart(child: Execution): void };
type Report = (type: string, details?: Json) => void;

/** Runs a distributed Map, or continues it if the execution is redriven. */
async function runMap(
  name: string,
  input: MapInput,
  machine: Machine,
  execution: Execution,
  double: Double,
  event: Report,
): Promise<unknown> {
  const map = machine.maps.get(name);
  if (!map) throw new Error(`${name} is not a distributed Map`);
  const options = {
    readObject: double.readObject ?? (() => Promise.reject(new Error('there is no S3 here'))),
    select: async (Value: unknown, Index: number) =>
      map.selector.run(input.state as never, { context: { Map: { Item: { Value, Index } } } } as never).result,
    runChild: (child: Execution) => run(map.child, child, double),
    onStart: double.onStart,
  };
  event('MapStateEntered', { stateEnteredEventDetails: { name } });
  const before = execution.mapRuns.get(name);
  const mapRun = before ?? (await createMapRun(execution, String(map.state.Label), input, options));
  execution.mapRuns.set(name, mapRun);
  event(before ? 'MapRunRedriven' : 'MapRunStarted', { mapRunStartedEventDetails: { mapRunArn: mapRun.arn } });
  const outputs = await runItems(execution, mapRun, map.state, options);
  event('MapRunSucceeded');
  event('MapStateExited', { stateExitedEventDetails: { name } });
  return outputs;
}

async function run(machine: Machine, execution: Execution, options: Double): Promise<void> {
  const event = (type: string, details: Json = {}) => {
    const id = execution.events.length + 1;
    execution.events.push({ id, previousEventId: id - 1, type, timestamp: Date.now() / 1000, ...details });
  };
  let isAborted = false;
  const tasks = taskNames(machine.definition);
  const handlers = Object.fromEntries(
    tasks.map((name) => [
      name,
      async (input: Json) => {
        // The interpreter would retry a throttled task without its waits, 100,000 times.
        if (isAborted) return new Promise(() => undefined);
        const key = JSON.stringify([name, input]);
        const known = execution.results.get(key);
        if (known !== undefined) return known;
        const result = machine.maps.has(name)
          ? await runMap(name, input as MapInput, machine, execution, options, event)
          : await invoke(name, input, options.lambda, event);
        execution.results.set(key, result);
        return result;
      },
    ]),
  );
  const waits = options.retryWaitMs;
  const overrides = {
    taskResourceLocalHandlers: handlers,
    ...(waits === undefined ? {} : { retryIntervalOverrides: Object.fromEntries(tasks.map((name) => [name, waits])) }),
  };
  event('ExecutionStarted', { executionStartedEventDetails: { input: execution.input } });
  const running = machine.runnable.run(JSON.parse(execution.input) as never, { overrides } as never);
  execution.abort = () => {
    isAborted = true;
    running.abort();
    for (const mapRun of execution.mapRuns.values()) stopItems(mapRun);
  };
  try {
    execution.output = JSON.stringify(await running.result);
    execution.status = 'SUCCEEDED';
    event('ExecutionSucceeded', { executionSucceededEventDetails: { output: execution.output } });
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: Error };
    const isTimeout = name.includes('Timeout') && cause === undefined;
    execution.status = isAborted ? 'ABORTED' : isTimeout ? 'TIMED_OUT' : 'FAILED';
    if (!isAborted) {
      execution.error = isTimeout ? 'States.Timeout' : (cause?.name ?? name);
      execution.cause = cause?.message ?? message;
    }
    event(isAborted ? 'ExecutionAborted' : isTimeout ? 'ExecutionTimedOut' : 'ExecutionFailed', {
      executionFailedEventDetails: { error: execution.error, cause: execution.cause },
    });
  }
  // Also when the execution has timed out.
  for (const mapRun of execution.mapRuns.values()) stopItems(mapRun);
  execution.stopDate = Date.now() / 1000;
  options.onEnd?.(execution);
}

/** The names of all tasks, including those in maps. */
function taskNames(definition: Json): string[] {
  return Object.entries((definition.States ?? {}) as Record<string, Json>).flatMap(([name, state]) => [
    ...(state.Type === 'Task' ? [name] : []),
    ...(state.ItemProcessor ? taskNames(state.ItemProcessor as Json) : []),
  ]);
}

/** The optimized integration of Step Functions with Lambda: its results and error names. */
async function invoke(
  state: string,
  { FunctionName, Payload }: Json,
  lambda: LambdaDouble,
  event: (type: string, details?: Json) => void,
): Promise<unknown> {
  event('TaskStateEntered', { stateEnteredEventDetails: { name: state } });
  event('TaskScheduled', {
    taskScheduledEventDetails: { resourceType: 'lambda', resource: 'invoke', region: 'us-east-1', parameters: '{}' },
  });
  const name = String(FunctionName).replace(/^.*:function:/, '');
  const outcome = await lambda.invoke(name, JSON.stringify(Payload));
  const fail = (error: string, cause: string): never => {
    event('TaskFailed', { taskFailedEventDetails: { resourceType: 'lambda', resource: 'invoke', error, cause } });
    throw Object.assign(new Error(cause), { name: error });
  };
  if (outcome === 'throttled')
    return fail('Lambda.TooManyRequestsException', 'Rate Exceeded. (Service: Lambda, Status Code: 429)');
  if (outcome === 'unknown') return fail('Lambda.ResourceNotFoundException', `Function not found: ${name}`);
  if (outcome.failure) {
    const { errorType = 'Lambda.Unknown' } = JSON.parse(outcome.payload) as { errorType?: string };
    return fail(errorType, outcome.payload);
  }
  event('TaskSucceeded', { taskSucceededEventDetails: { resourceType: 'lambda', resource: 'invoke' } });
  event('TaskStateExited', { stateExitedEventDetails: { name: state } });
  return { StatusCode: 200, ExecutedVersion: '$LATEST', Payload: JSON.parse(outcome.payload) as unknown };
}

function describe(execution: Execution): Json {
  const { arn, machine, name, status, startDate, stopDate, redriveDate, mapRun, input, output, error, cause } =
    execution;
  const facts = {
    executionArn: arn,
    stateMachineArn: machine,
    name,
    status,
    startDate,
    stopDate,
    redriveDate,
    mapRunArn: mapRun,
    input,
    output,
    error,
    cause,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

function history({ events }: Execution, { maxResults, reverseOrder, nextToken }: Json): Json {
  const ordered = reverseOrder ? [...events].reverse() : events;
  const from = Number(nextToken ?? 0);
  const page = ordered.slice(from, from + Number(maxResults || 100));
  const next = from + page.length;
  return { events: page, ...(next < ordered.length ? { nextToken: String(next) } : {}) };
}

const pick = (from: Json, keys: string[]): Json =>
  Object.fromEntries(keys.filter((key) => key in from).map((key) => [key, from[key]]));

/** The interpreter requires Node 22. */
function polyfill(): void {
  const promises = Promise as unknown as { withResolvers?: unknown };
  promises.withResolvers ??= function withResolvers<T>() {
    let resolve: (value: T) => void = () => undefined;
    let reject: (error: unknown) => void = () => undefined;
    const promise = new Promise<T>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    return { promise, resolve, reject };
  };
}
