// The processes of a browser that serve all its pages: one for graphics and one for requests. When one of them dies, the
// browser starts another one, but pages wait forever for a frame, or seem to have mistakes because a request was lost.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Protocol } from 'puppeteer-core';

export type BrowserProcesses = {
  /** Whether one of the processes has died. */
  hasLost(): Promise<boolean>;
  /** Calls `listener` when the process of any page dies, until the returned function is called. */
  onPageDeath(listener: () => void): () => void;
};

const pollMs = 1_000;

/** A browser that hangs does not answer. */
const answerMs = 2_000;

/** Ends the browser when one of the processes dies. */
export async function watchBrowserProcesses(browser: Browser): Promise<BrowserProcesses> {
  const session = await browser.target().createCDPSession();
  const running = async (): Promise<number[]> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const isShared = ({ type }: Protocol.SystemInfo.ProcessInfo): boolean => /^GPU$|NetworkService$/.test(type);
    return processInfo.filter(isShared).map(({ id }) => id);
  };
  session.send('Target.setDiscoverTargets', { discover: true }).catch(() => undefined);
  // Nothing waits for this before it opens pages: it takes as long as graphics need to start.
  const known = startedProcesses(session, running);
  const hasLost = async (): Promise<boolean> => {
    const late = sleep(answerMs, undefined, { ref: false });
    // One after the other: an earlier list would lack processes that have only just started.
    const lost = known.then(async (started) => {
      const ids = await running();
      return started.some((id) => !ids.includes(id));
    });
    return (await Promise.race([lost.catch(() => false), late])) ?? false;
  };
  const timer = setInterval(async () => {
    if (await hasLost()) browser.process()?.kill('SIGKILL');
  }, pollMs);
  timer.unref();
  browser.once('disconnected', () => clearInterval(timer));
  return {
    hasLost,
    onPageDeath(listener) {
      session.on('Target.targetCrashed', listener);
      return () => session.off('Target.targetCrashed', listener);
    },
  };
}

/** The browser knows its graphics when their process works. Before that, it may have tried others. */
async function startedProcesses(session: CDPSession, running: () => Promise<number[]>): Promise<number[]> {
  await session.send('SystemInfo.getInfo').catch(() => undefined);
  return running().catch(() => []);
}

/** Opening a page takes a tenth of a second, or a few seconds on a busy machine. */
const openMs = 15_000;

/** Whether the browser can start the process of another page. It cannot if the one that starts them has died. */
export async function canOpenPages(browser: Browser): Promise<boolean> {
  const opened = browser.newPage().then((page) => page.close());
  const late = sleep(openMs, false, { ref: false });
  return Promise.race([opened.then(() => true), late]).catch(() => false);
}
