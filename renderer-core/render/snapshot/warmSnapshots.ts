// Snapshots one after another in a browser that stays open between them, and goes when nobody has asked for a while.
import pLimit from 'p-limit';
import { UserError } from '../errors.ts';
import { resolveProject } from '../project/paths.ts';
import { type Deferred, deferred } from './deferred.ts';
import { type Browsers, type Session, withSession } from './session.ts';
import { checkRequest, type SnapshotReport, type SnapshotRequest, snapshotIn } from './snapshot.ts';
import { untilAborted } from './untilAborted.ts';

export type WarmSnapshots = {
  /** As `takeSnapshot`, one at a time. A request that is aborted takes the browser with it; the next one gets a new one. */
  take(request: Omit<SnapshotRequest, 'browserPath' | 'ffmpegPath'>): Promise<SnapshotReport>;
  /** Ends what is under way, and the browser. */
  close(): Promise<void>;
};

export type WarmOptions = {
  browserPath?: string;
  ffmpegPath?: string;
  /** How long the browser stays open for nobody, in milliseconds. */
  idleMs: number;
};

type Open = {
  session: Session;
  browsers: Browsers;
  stop: AbortController;
  closed: Deferred<void>;
  ended: Promise<void>;
};

export function createWarmSnapshots({ idleMs, ...programs }: WarmOptions): WarmSnapshots {
  const turn = pLimit(1);
  let open: Open | undefined;
  let idle: NodeJS.Timeout | undefined;

  /** `isBusy`: what is under way is ended with it. */
  async function end(isBusy: boolean): Promise<void> {
    const ending = open;
    open = undefined;
    clearTimeout(idle);
    if (isBusy) ending?.stop.abort();
    ending?.closed.resolve();
    await ending?.ended;
  }

  async function snapshot(request: SnapshotRequest): Promise<SnapshotReport> {
    request.signal?.throwIfAborted();
    checkRequest(request);
    const { root } = await resolveProject(request.projectDir, request.composition);
    open ??= await start(programs);
    const { session, browsers } = open;
    // Each at an address of its own: what the browser keeps of the files may have changed since.
    const site = await session.openSite(root);
    try {
      return await snapshotIn({ session, site, browsers }, request);
    } finally {
      await site.close().catch(() => undefined);
    }
  }

  async function take(request: SnapshotRequest): Promise<SnapshotReport> {
    const signal = request.signal ?? new AbortController().signal;
    clearTimeout(idle);
    try {
      return await untilAborted(snapshot(request), signal);
    } catch (error) {
      // The author's mistakes leave the browser as it was; what else went wrong may be the browser's.
      if (signal.aborted || isBrowsers(error)) await end(true);
      if (!signal.aborted) throw error;
      throw new UserError('cancelled', 'The snapshot was cancelled; nothing was written.', { cause: error });
    } finally {
      clearTimeout(idle);
      idle = setTimeout(() => void end(false).catch(() => undefined), idleMs);
      idle.unref();
    }
  }

  return {
    take: (request) => turn(() => take({ ...request, ...programs })),
    async close() {
      turn.clearQueue();
      await end(true);
    },
  };
}

const isBrowsers = (error: unknown): boolean =>
  !(error instanceof UserError) || ['browser_failed', 'page_crashed', 'cancelled', 'disk_full'].includes(error.code);

async function start(programs: Omit<WarmOptions, 'idleMs'>): Promise<Open> {
  const stop = new AbortController();
  const closed = deferred<void>();
  const opened = deferred<Session>();
  const ended = withSession({ ...programs, root: '.', signal: stop.signal }, async (session) => {
    opened.resolve(session);
    await closed.promise;
  }).catch(opened.reject);
  const session = await opened.promise;
  return { session, browsers: session.openBrowsers(true), stop, closed, ended };
}
