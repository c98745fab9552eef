// The render queue: takes queued renders (fair among accounts), runs them, renews their leases and recovers lost ones.
import { randomUUID } from 'node:crypto';
import type { ServiceContext, ServicePart } from '../context.ts';
import type { ServiceSettings } from '../settings.ts';
import { failRender } from './completeRender.ts';
import {
  expiredLeases,
  type Lease,
  type LeaseTerms,
  leaseNextRender,
  leaseTerms,
  renewLease,
  requeue,
} from './leases.ts';
import { type RunContext, runLeasedRender } from './renderRun.ts';
import { type StopReason, type WorkerLimits, workerLimits } from './workerProcess.ts';
import { openWorkFolders } from './workFolders.ts';

export type QueueOptions = {
  limits?: Partial<WorkerLimits>;
  terms?: Partial<LeaseTerms>;
  /** Milliseconds between two polls, which start renders, store progress and notice deletions. */
  pollMs?: number;
};

type RunningRender = {
  lease: Lease;
  stop: AbortController;
  progress: number;
  storedProgress: number;
  renewedAt: number;
  done: Promise<void>;
};

/** With `workers: 0` the queue does nothing: the instance only handles requests. */
export async function startRenderQueue(
  context: ServiceContext,
  webhooks: ServicePart,
  { limits, terms, pollMs = 1_000 }: QueueOptions = {},
): Promise<ServicePart> {
  if (context.settings.workers === 0) return { wake: () => {}, close: async () => {} };
  warnIfRoot(context);
  const run: RunContext = {
    context,
    webhooks,
    folders: await openWorkFolders(context.settings.dataDir),
    limits: { ...workerLimits, ...limits },
    terms: { ...leaseTerms, ...terms },
    stack: await findStack(context.settings),
  };
  // With SQLite there is only this service, so every render that is marked as rendering was interrupted.
  if (context.settings.databaseUrl === undefined) await recover(run, Number.MAX_SAFE_INTEGER);
  const queue = createQueue(run, () => loop.wake());
  const loop: ServicePart = pollLoop(context, pollMs, queue.poll);
  return {
    wake: loop.wake,
    async close() {
      await loop.close();
      await queue.stop();
    },
  };
}

/** Throws UserError `stack_not_found`, so that the service does not start with a wrong `--stack-name`. */
async function findStack({ engine, stackName }: ServiceSettings): Promise<RunContext['stack']> {
  if (engine === 'local') return null;
  return (await import('./stackEngine.ts')).findRenderStack(stackName);
}

function createQueue(run: RunContext, onWorkerFree: () => void) {
  const { context, terms } = run;
  const { database, now } = context;
  const running = new Map<string, RunningRender>();

  async function renew(render: RunningRender): Promise<void> {
    render.renewedAt = now();
    render.storedProgress = render.progress;
    const state = await renewLease(database, render.lease, render.progress, now(), terms);
    if (state !== 'held') render.stop.abort(state satisfies StopReason);
  }

  async function fill(): Promise<void> {
    while (running.size < context.settings.workers) {
      const lease = await leaseNextRender(database, `${context.instance}/${randomUUID()}`, now(), terms);
      if (!lease) return;
      start(lease);
    }
  }

  function start(lease: Lease): void {
    const stop = new AbortController();
    const render: RunningRender = {
      lease,
      stop,
      progress: 0,
      storedProgress: 0,
      renewedAt: now(),
      done: Promise.resolve(),
    };
    const onProgress = (value: number) => {
      render.progress = Math.max(render.progress, Math.min(value, 0.99));
    };
    running.set(lease.owner, render);
    render.done = runLeasedRender(run, lease, stop.signal, onProgress)
      .catch((error) => {
        // The render is not marked as ended: its lease expires, and it is rendered again.
        context.log('error', 'render aborted', { render: lease.render.id, error: String(error) });
      })
      .finally(() => {
        running.delete(lease.owner);
        onWorkerFree();
      });
  }

  return {
    /** `isWoken`: something changed in the database, possibly a render that is running. */
    async poll(isWoken: boolean): Promise<void> {
      const isDue = (render: RunningRender) =>
        isWoken || render.progress > render.storedProgress || now() - render.renewedAt > terms.leaseMs / 6;
      await Promise.all([...running.values()].filter(isDue).map(renew));
      await recover(run, now());
      await fill();
    },
    /** Stops what is running and puts it back into the queue. */
    async stop(): Promise<void> {
      const all = [...running.values()];
      for (const { stop } of all) stop.abort('closing' satisfies StopReason);
      await Promise.all(all.map(({ done }) => done));
    },
  };
}

/** Requeues renders whose leases expired before `now`, or fails them after too many interruptions. */
async function recover({ context, webhooks, terms }: RunContext, now: number): Promise<void> {
  const { database, log } = context;
  for (const lease of await expiredLeases(database, now)) {
    const { id, attempts, deleted_at } = lease.render;
    const canRetry = deleted_at === null && attempts < terms.maxInterruptions;
    if (canRetry && (await requeue(database, lease, { countsAsAttempt: true })))
      log('warn', 'render was interrupted', { render: id, attempts });
    if (canRetry || !(await failRender(database, lease, interrupted, context.now()))) continue;
    log('warn', 'render failed after too many interruptions', { render: id, attempts });
    webhooks.wake();
  }
}

const interrupted = {
  code: 'render_interrupted',
  message: 'The render was interrupted too many times. You were not charged; submit it again.',
};

/** Calls `poll` repeatedly, one call at a time: every `pauseMs` milliseconds, and immediately when woken. */
function pollLoop({ log }: ServiceContext, pauseMs: number, poll: (isWoken: boolean) => Promise<void>): ServicePart {
  let isClosed = false;
  let isWoken = true;
  let endPause: () => void = () => undefined;
  const wake = (): void => {
    isWoken = true;
    endPause();
  };
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isWoken || isClosed) endPause();
    });
  const loop = (async () => {
    while (!isClosed) {
      const wasWoken = isWoken;
      isWoken = false;
      try {
        await poll(wasWoken);
      } catch (error) {
        // The database may be reachable again in a moment. Pause even if woken, to avoid a busy loop.
        log('error', 'the render queue could not be polled', { error: String(error) });
        isWoken = false;
      }
      if (!isClosed) await pause();
    }
  })();
  return {
    wake,
    async close() {
      isClosed = true;
      endPause();
      await loop;
    },
  };
}

/** Browsers run without their sandbox as root: a page that breaks out of the browser would have root access. */
function warnIfRoot({ log }: ServiceContext): void {
  if (process.getuid?.() !== 0) return;
  log('warn', 'running as root: browsers have no sandbox; run the service as an unprivileged user');
}
