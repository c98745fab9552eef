// Renders that wait for a worker, fair among accounts, and the workers that take them.
import { randomUUID } from 'node:crypto';
import { type Claim, claimRender, expiredClaims, type LeaseTerms, leaseTerms, putBack, renewLease } from './claims.ts';
import type { ServiceContext, ServicePart } from './context.ts';
import { failRender } from './renderEnds.ts';
import { type RunContext, runClaim, type StopReason } from './renderRun.ts';
import type { ServiceSettings } from './settings.ts';
import { type WorkerLimits, workerLimits } from './workerProcess.ts';
import { openWorkFolders } from './workFolders.ts';

export type QueueOptions = {
  limits?: Partial<WorkerLimits>;
  terms?: Partial<LeaseTerms>;
  /** How often the queue is looked at, progress written and deletion noticed. */
  roundMs?: number;
};

type Running = {
  claim: Claim;
  stop: AbortController;
  progress: number;
  told: number;
  renewedAt: number;
  done: Promise<void>;
};

/** An instance without workers only answers requests. */
export async function startRenderQueue(
  context: ServiceContext,
  webhooks: ServicePart,
  { limits, terms, roundMs = 1_000 }: QueueOptions = {},
): Promise<ServicePart> {
  if (context.settings.workers === 0) return { wake: () => {}, close: async () => {} };
  warnOfRoot(context);
  const run: RunContext = {
    context,
    webhooks,
    folders: await openWorkFolders(context.settings.dataDir),
    limits: { ...workerLimits, ...limits },
    terms: { ...leaseTerms, ...terms },
    stack: await stackOf(context.settings),
  };
  // SQLite has one service: what is rendering now was rendered by the one before.
  if (context.settings.databaseUrl === undefined) await recover(run, Number.MAX_SAFE_INTEGER);
  const queue = createQueue(run, () => rounds.wake());
  const rounds: ServicePart = repeat(context, roundMs, queue.round);
  return {
    wake: rounds.wake,
    async close() {
      await rounds.close();
      await queue.stop();
    },
  };
}

/** Throws UserError `stack_not_found`: at the start, not at the first render. */
async function stackOf({ engine, stackName }: ServiceSettings): Promise<RunContext['stack']> {
  if (engine === 'local') return null;
  return (await import('./stackEngine.ts')).findRenderStack(stackName);
}

function createQueue(run: RunContext, onFree: () => void) {
  const { context, terms } = run;
  const { database, now } = context;
  const running = new Map<string, Running>();

  /** Says of each render that it is worked on, and stops those that are not to be gone on with. */
  async function renew(each: Running): Promise<void> {
    each.renewedAt = now();
    each.told = each.progress;
    const state = await renewLease(database, each.claim, each.progress, now(), terms);
    if (state !== 'held') each.stop.abort(state satisfies StopReason);
  }

  async function fill(): Promise<void> {
    while (running.size < context.settings.workers) {
      const claim = await claimRender(database, `${context.instance}/${randomUUID()}`, now(), terms);
      if (!claim) return;
      start(claim);
    }
  }

  function start(claim: Claim): void {
    const stop = new AbortController();
    const each: Running = { claim, stop, progress: 0, told: 0, renewedAt: now(), done: Promise.resolve() };
    const onProgress = (value: number) => {
      each.progress = Math.max(each.progress, Math.min(value, 0.99));
    };
    running.set(claim.lease, each);
    each.done = runClaim(run, claim, stop.signal, onProgress)
      .catch((error) => {
        // Not ended, so the lease runs out and somebody takes it up again.
        context.log('error', 'render broke off', { render: claim.render.id, error: String(error) });
      })
      .finally(() => {
        running.delete(claim.lease);
        onFree();
      });
  }

  return {
    /** `isAsked`: something has changed in the database, maybe about a render that is running. */
    async round(isAsked: boolean): Promise<void> {
      const isDue = (each: Running) =>
        isAsked || each.progress > each.told || now() - each.renewedAt > terms.leaseMs / 6;
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

/** Renders whose leases ran out before `now` are begun again, or have failed when that was tried often enough. */
async function recover({ context, webhooks, terms }: RunContext, now: number): Promise<void> {
  const { database, log } = context;
  for (const claim of await expiredClaims(database, now)) {
    const { id, attempts, deleted_at } = claim.render;
    const again = deleted_at === null && attempts < terms.maxInterruptions;
    if (again && (await putBack(database, claim, false)))
      log('warn', 'render was interrupted', { render: id, attempts });
    if (again || !(await failRender(database, claim, interrupted, context.now()))) continue;
    log('warn', 'render was interrupted for the last time', { render: id, attempts });
    webhooks.wake();
  }
}

const interrupted = {
  code: 'render_interrupted',
  message: 'The render was interrupted several times. It costs nothing; order it again.',
};

/** Runs `round` over and over, one at a time: after a pause, or at once when woken. */
function repeat({ log }: ServiceContext, pauseMs: number, round: (isAsked: boolean) => Promise<void>): ServicePart {
  let isClosed = false;
  let isAsked = true;
  let stopWaiting: () => void = () => undefined;
  const wake = (): void => {
    isAsked = true;
    stopWaiting();
  };
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      stopWaiting = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isAsked || isClosed) stopWaiting();
    });
  const work = (async () => {
    while (!isClosed) {
      const asked = isAsked;
      isAsked = false;
      try {
        await round(asked);
      } catch (error) {
        // The database may be back in a moment.
        log('error', 'the queue could not be looked at', { error: String(error) });
        isAsked = false;
      }
      if (!isClosed) await pause();
    }
  })();
  return {
    wake,
    async close() {
      isClosed = true;
      stopWaiting();
      await work;
    },
  };
}

/** Browsers run without their sandbox as root: a page that breaks out of one is root then. */
function warnOfRoot({ log }: ServiceContext): void {
  if (process.getuid?.() !== 0) return;
  log('warn', 'running as root: browsers have no sandbox; run the service as a user of its own');
}
