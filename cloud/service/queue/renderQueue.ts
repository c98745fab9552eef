// The render queue: takes queued renders (fair among accounts), runs them, renews their leases and recovers lost ones.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceContext, ServicePart } from '../context.ts';
import type { ServiceSettings } from '../settings.ts';
import { deleteUnnamedFiles } from '../storage/resultFiles.ts';
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
import { type Milestone, remainingMs } from './remainingTime.ts';
import { deletedFailure } from './renderFailure.ts';
import { type RunContext, runLeasedRender } from './renderRun.ts';
import { type StoreWatch, watchStore } from './storeWatch.ts';
import { type StopReason, type WorkerLimits, workerLimits } from './workerProcess.ts';
import { openWorkFolders } from './workFolders.ts';

export type QueueOptions = {
  limits?: Partial<WorkerLimits>;
  terms?: Partial<LeaseTerms>;
  /** Milliseconds between two polls, which start renders, store progress and notice deletions. */
  pollMs?: number;
  /** Milliseconds until an object store that was not available is asked again. */
  storePauseMs?: number;
};

/** `close` drains too. */
export type RenderQueue = ServicePart & {
  /** Starts no more renders, lets short ones finish, and requeues the others. */
  drain(): Promise<void>;
};

type RunningRender = {
  lease: Lease;
  stop: AbortController;
  progress: number;
  /** When the first frames were reported, and the progress then. */
  first: Milestone | undefined;
  storedProgress: number;
  renewedAt: number;
  done: Promise<void>;
};

const limitsOf = ({ maxFrameSeconds, maxRenderDiskBytes }: ServiceSettings): Partial<WorkerLimits> => ({
  frameMs: maxFrameSeconds * 1000,
  diskBytes: maxRenderDiskBytes,
});

/** With `workers: 0` the queue does nothing: the instance only handles requests. */
export async function startRenderQueue(
  context: ServiceContext,
  webhooks: ServicePart,
  { limits, terms, pollMs = 1_000, storePauseMs = 10_000 }: QueueOptions = {},
): Promise<RenderQueue> {
  const { settings } = context;
  if (settings.workers === 0) return { wake: () => {}, drain: async () => {}, close: async () => {} };
  warnIfRoot(context);
  const run: RunContext = {
    context,
    webhooks,
    folders: await openWorkFolders(settings.dataDir, context.now),
    limits: { ...workerLimits, ...limitsOf(settings), ...limits },
    terms: { ...leaseTerms, maxRunning: settings.maxRunningRenders, ...terms },
    stack: await findStack(settings),
  };
  // With SQLite there is only this service, so every render that is marked as rendering was interrupted.
  if (settings.databaseUrl === undefined) await recover(run, Number.MAX_SAFE_INTEGER);
  const queue = createQueue(run, watchStore(context, storePauseMs), () => loop.wake());
  const loop: ServicePart = pollLoop(context, pollMs, queue.poll);
  return {
    wake: loop.wake,
    drain: queue.drain,
    async close() {
      // The loop renews the leases of renders that finish.
      await queue.drain();
      await loop.close();
      await run.folders.close();
    },
  };
}

/** Throws UserError `stack_not_found`, so that the service does not start with a wrong `--stack-name`. */
async function findStack({ engine, stackName }: ServiceSettings): Promise<RunContext['stack']> {
  if (engine === 'local') return null;
  return (await import('./stackEngine.ts')).findRenderStack(stackName);
}

function createQueue(run: RunContext, store: StoreWatch, onWorkerFree: () => void) {
  const { context, terms } = run;
  const { database, now } = context;
  const running = new Map<string, RunningRender>();
  let isDraining = false;

  async function renew(render: RunningRender): Promise<void> {
    const [at, { progress }] = [now(), render];
    const state = await renewLease(database, render.lease, progress, at, terms);
    // Only now: a renewal that failed is repeated before `recover` looks for expired leases.
    render.renewedAt = at;
    render.storedProgress = progress;
    if (state !== 'held') render.stop.abort(state satisfies StopReason);
  }

  async function fill(): Promise<void> {
    while (!isDraining && running.size < context.settings.workers && (await store.isReady())) {
      const lease = await leaseNextRender(database, `${context.instance}/${randomUUID()}`, now(), terms);
      if (!lease) return;
      if (isDraining) await requeue(database, lease, 'closing', now());
      else start(lease);
    }
  }

  function start(lease: Lease): void {
    const stop = new AbortController();
    const render: RunningRender = {
      lease,
      stop,
      progress: 0,
      first: undefined,
      storedProgress: 0,
      renewedAt: now(),
      done: Promise.resolve(),
    };
    const onProgress = (value: number) => {
      render.progress = Math.max(render.progress, Math.min(value, 0.99));
      if (value > 0) render.first ??= { at: now(), progress: render.progress };
    };
    running.set(lease.owner, render);
    context.metrics.workersBusy(running.size);
    render.done = runLeasedRender(run, lease, stop.signal, onProgress)
      .catch(async (error) => {
        // The render is not marked as ended: its lease expires, and it is rendered again.
        context.log('error', 'render aborted', { render: lease.render.id, error: String(error) });
        if (store.hasEnded(error)) await requeue(database, lease, 'store unavailable', now());
      })
      // The database is not available either.
      .catch(() => undefined)
      .finally(() => {
        running.delete(lease.owner);
        context.metrics.workersBusy(running.size);
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
    async drain(): Promise<void> {
      isDraining = true;
      const ms = context.settings.drainSeconds * 1000;
      // Executions on the stack continue, and the next start finds them.
      const isShort = ({ first, progress }: RunningRender): boolean =>
        run.stack === null && remainingMs(first, { at: now(), progress }) <= ms;
      const all = [...running.values()];
      const short = all.filter(isShort);
      stopRenders(all.filter((render) => !short.includes(render)));
      const time = new AbortController();
      const late = sleep(ms, undefined, { signal: time.signal });
      await Promise.race([Promise.all(short.map(({ done }) => done)), late]);
      time.abort();
      stopRenders(short);
      await Promise.all(all.map(({ done }) => done));
    },
  };
}

/** Their workers are stopped, and they are put back into the queue. */
function stopRenders(renders: readonly RunningRender[]): void {
  for (const { stop } of renders) stop.abort('closing' satisfies StopReason);
}

/** Requeues renders whose leases expired before `now`. Ends them if they were deleted, or after too many interruptions. */
async function recover({ context, webhooks, terms }: RunContext, now: number): Promise<void> {
  const { database, log } = context;
  for (const lease of await expiredLeases(database, now)) {
    const { id, deleted_at } = lease.render;
    const interruptions = lease.render.interruptions + 1;
    const canRetry = deleted_at === null && interruptions < terms.maxInterruptions;
    if (canRetry && (await requeue(database, lease, 'interrupted', context.now())))
      log('warn', 'render was interrupted', { render: id, interruptions });
    const failure = deleted_at === null ? interrupted : deletedFailure;
    const ended = canRetry ? undefined : await failRender(database, lease, failure, context.now());
    if (!ended) continue;
    log('warn', `interrupted render failed: ${failure.code}`, { render: id, interruptions });
    context.metrics.renderEnded({ code: failure.code, credits: ended.credits });
    webhooks.wake();
    await deleteUnnamedFiles(context, lease.render);
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
function warnIfRoot({ log, settings }: ServiceContext): void {
  if (process.getuid?.() !== 0 || settings.sandbox) return;
  log('warn', 'running as root: browsers have no sandbox; run the service as an unprivileged user');
}
