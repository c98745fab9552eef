// Snapshots one after another, in a browser that stays open between them and closes after some idle time.
import pLimit from 'p-limit';
import { UserError } from '../../errors.ts';
import { resolveProject } from '../../project/findProject.ts';
import { type Deferred, deferred, untilAborted } from '../promises.ts';
import { type Surroundings, withSession } from '../session.ts';
import type { RenderPlace } from '../types.ts';
import type { SnapshotReport } from './snapshotReport.ts';
import { checkRequest, type SnapshotRequest, snapshotIn } from './takeSnapshot.ts';

export type WarmSnapshots = {
  /** Like `takeSnapshot`, one at a time. Aborting a request closes the browser; the next request starts a new one. */
  take(
    request: Omit<SnapshotRequest, 'browserPath' | 'ffmpegPath' | 'features' | 'gpu' | 'network'>,
  ): Promise<SnapshotReport>;
  /** Cancels the snapshot in progress and closes the browser. */
  close(): Promise<void>;
};

export type WarmOptions = Pick<SnapshotRequest, 'browserPath' | 'ffmpegPath' | 'features' | 'gpu' | 'network'> &
  Surroundings & {
    /** How long the browser stays open without requests, in milliseconds. */
    idleMs: number;
  };

type OpenSession = Pick<RenderPlace, 'session' | 'browsers'> & {
  stop: AbortController;
  closed: Deferred<void>;
  ended: Promise<void>;
};

export function createWarmSnapshots({ idleMs, ...options }: WarmOptions): WarmSnapshots {
  const turn = pLimit(1);
  let open: OpenSession | undefined;
  let idle: NodeJS.Timeout | undefined;

  /** `abort`: also cancel the snapshot in progress. */
  async function end(abort: boolean): Promise<void> {
    const ending = open;
    open = undefined;
    clearTimeout(idle);
    if (abort) ending?.stop.abort();
    ending?.closed.resolve();
    await ending?.ended;
  }

  async function snapshot(request: SnapshotRequest): Promise<SnapshotReport> {
    request.signal?.throwIfAborted();
    await checkRequest(request);
    const { root } = await resolveProject(request.projectDir, request.composition);
    open ??= await start(options);
    const { session, browsers } = open;
    // A new origin for each snapshot: files that the browser has cached may have changed since.
    const site = await session.openSite(root);
    try {
      return await snapshotIn({ session, site, browsers }, request);
    } finally {
      // A site that cannot be closed must not hide the result.
      await site.close().catch(() => undefined);
    }
  }

  async function take(request: SnapshotRequest): Promise<SnapshotReport> {
    const signal = request.signal ?? new AbortController().signal;
    clearTimeout(idle);
    try {
      return await untilAborted(snapshot(request), signal);
    } catch (error) {
      // Errors of the project leave the browser usable; other errors may be the browser's.
      if (signal.aborted || isBrowserError(error)) await end(true);
      if (!signal.aborted) throw error;
      throw new UserError('cancelled', 'The snapshot was cancelled; nothing was written.', { cause: error });
    } finally {
      clearTimeout(idle);
      idle = setTimeout(() => void end(false), idleMs);
      idle.unref();
    }
  }

  return {
    take: (request) => turn(() => take({ ...request, ...options })),
    async close() {
      turn.clearQueue();
      await end(true);
    },
  };
}

const isBrowserError = (error: unknown): boolean =>
  !(error instanceof UserError) || ['browser_failed', 'page_crashed', 'cancelled', 'disk_full'].includes(error.code);

async function start(options: Omit<WarmOptions, 'idleMs'>): Promise<OpenSession> {
  const stop = new AbortController();
  const closed = deferred<void>();
  const opened = deferred<RenderPlace['session']>();
  const ended = withSession({ gpu: 'auto', ...options, root: '.', signal: stop.signal }, async (session) => {
    opened.resolve(session);
    await closed.promise;
  }).catch(opened.reject);
  const session = await opened.promise;
  return { session, browsers: session.openBrowsers(true), stop, closed, ended };
}
