// A double of AWS Lambda for state machines: functions in sandboxes, limited concurrency, and simulated failures.
import { installLambdaProgram } from './lambdaProgram.ts';
import { type Outcome, type Sandbox, startSandbox } from './lambdaSandbox.ts';

export type FunctionConfig = {
  code: string;
  handler: string;
  memoryMb: number;
  /** Size of `/tmp`. */
  diskMb: number;
  timeoutSeconds: number;
  /** Reserved concurrency; undefined uses the account's. */
  concurrency: number | undefined;
  env: Record<string, string>;
};

/** A simulated failure of an invocation. */
export type Disturbance =
  /** Rejected as if all workers were busy. */
  | 'throttle'
  /** The machine fails this number of milliseconds after the start. */
  | { killAfterMs: number }
  /** Delivered twice concurrently; the first response counts. */
  | 'twice';

export type Invocation = { payload: Record<string, unknown>; at: number; outcome: 'done' | 'failed' | 'throttled' };

export type LambdaDouble = {
  /** Creates or updates a function. */
  put(name: string, config: FunctionConfig): Promise<void>;
  /** Keeps the function as it is now under the next version number, as `name:1`. */
  publish(name: string): Promise<number>;
  /** The number of the last version. */
  versions(name: string): number;
  /** Stops idle workers, as after every change of a function. */
  change(name: string, change: Partial<FunctionConfig>): Promise<void>;
  invoke(name: string, payload: string): Promise<Outcome | 'throttled' | 'unknown'>;
  /** All invocations in order. */
  invocations: Invocation[];
  logs: string[];
  close(): Promise<void>;
};

const accountConcurrency = 1000;
const shutDown: Outcome = { payload: '{"errorMessage":"the double was closed"}', failure: 'Unhandled' };

export type LambdaOptions = {
  /** `attempt`: counts invocations with the same payload from 0. */
  disturb?: (payload: Record<string, unknown>, attempt: number) => Disturbance | undefined;
  /** Further folders that functions can read, like those of a layer. */
  layers?: readonly string[];
};

export async function startLambda({
  disturb = () => undefined,
  layers = [],
}: LambdaOptions = {}): Promise<LambdaDouble> {
  const program = await installLambdaProgram();
  const functions = new Map<string, { config: FunctionConfig; idle: Sandbox[]; busy: Set<Sandbox> }>();
  /** Workers of all versions of a function. */
  const workers = new Map<string, number>();
  const published = new Map<string, number>();
  const invocations: Invocation[] = [];
  const logs: string[] = [];
  const attempts = new Map<string, number>();
  const closing: Promise<void>[] = [];
  // A failed execution leaves invocations that have only started.
  const running = new Set<Promise<unknown>>();
  let closed = false;

  const runIn = async (name: string, payload: string, fault: Disturbance | undefined): Promise<Outcome> => {
    const fn = functions.get(name);
    if (!fn) throw new Error(`unknown function ${name}`);
    const { config } = fn;
    if (closed) return shutDown;
    const sandbox =
      fn.idle.pop() ?? (await startSandbox({ program, name, layers, ...config, onLog: (text) => logs.push(text) }));
    if (closed) {
      await sandbox.close();
      return shutDown;
    }
    fn.busy.add(sandbox);
    const timer = typeof fault === 'object' ? setTimeout(() => sandbox.kill(), fault.killAfterMs) : undefined;
    try {
      return await sandbox.invoke(payload);
    } finally {
      clearTimeout(timer);
      fn.busy.delete(sandbox);
      if (sandbox.isAlive()) fn.idle.push(sandbox);
      else closing.push(sandbox.close());
    }
  };

  const tracked = (outcome: Promise<Outcome>): Promise<Outcome> => {
    running.add(outcome);
    return outcome.finally(() => running.delete(outcome));
  };

  const put = async (name: string, config: FunctionConfig): Promise<void> => {
    const old = functions.get(name);
    functions.set(name, { config, idle: [], busy: new Set() });
    await Promise.all((old?.idle ?? []).map((sandbox) => sandbox.close()));
  };

  return {
    invocations,
    logs,
    put,
    versions: (name) => published.get(name) ?? 0,
    async publish(name) {
      const config = functions.get(name)?.config;
      if (!config) throw new Error(`unknown function ${name}`);
      const version = (published.get(name) ?? 0) + 1;
      published.set(name, version);
      await put(`${name}:${version}`, config);
      return version;
    },
    async change(name, change) {
      const fn = functions.get(name);
      if (!fn) throw new Error(`unknown function ${name}`);
      await put(name, { ...fn.config, ...change });
    },
    async invoke(name, payload) {
      const fn = functions.get(name);
      if (!fn) return 'unknown';
      const attempt = attempts.get(payload) ?? 0;
      attempts.set(payload, attempt + 1);
      const parsed = JSON.parse(payload) as Record<string, unknown>;
      const fault = disturb(parsed, attempt);
      const invocation: Invocation = { payload: parsed, at: Date.now(), outcome: 'throttled' };
      invocations.push(invocation);
      const [base = ''] = name.split(':');
      const running = workers.get(base) ?? 0;
      // The reservation is a setting of the function, not of its versions.
      const { concurrency = accountConcurrency } = functions.get(base)?.config ?? {};
      if (fault === 'throttle' || running >= concurrency) return 'throttled';
      workers.set(base, running + 1);
      try {
        const again = fault === 'twice' ? tracked(runIn(name, payload, undefined)) : undefined;
        const outcome = await tracked(runIn(name, payload, fault));
        await again;
        invocation.outcome = outcome.failure ? 'failed' : 'done';
        return outcome;
      } finally {
        workers.set(base, (workers.get(base) ?? 1) - 1);
      }
    },
    async close() {
      closed = true;
      const all = [...functions.values()].flatMap(({ idle, busy }) => [...idle, ...busy]);
      await Promise.all([...all.map((sandbox) => sandbox.close()), ...closing]);
      await Promise.allSettled(running);
    },
  };
}
