// The processes of a browser that serve all its pages: one for graphics, one for requests, and on Linux those that start the
// processes of pages. When one of the first two dies, the browser starts another one, but pages wait forever for a frame, or seem
// to have mistakes because a request was lost. Without the others, new pages wait forever for their process.
import { readdir, readFile } from 'node:fs/promises';
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
  const starters = startersOf(browser.process()?.pid);
  const session = await browser.target().createCDPSession();
  const running = async (): Promise<number[]> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const isShared = ({ type }: Protocol.SystemInfo.ProcessInfo): boolean => /^GPU$|NetworkService$/.test(type);
    return processInfo.filter(isShared).map(({ id }) => id);
  };
  // If the browser has ended, its pages report that.
  session.send('Target.setDiscoverTargets', { discover: true }).catch(() => undefined);
  // Nothing waits for this before it opens pages: it takes as long as graphics need to start.
  const known = startedProcesses(session, running);
  const hasLost = async (): Promise<boolean> => {
    const areRunning = await Promise.all((await starters).map(isStarter));
    if (areRunning.includes(false)) return true;
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

/**
 * The children of a browser that start the processes of pages. Empty on other systems than Linux. Below them are processes that
 * have just been started and look the same.
 */
async function startersOf(pid: number | undefined): Promise<number[]> {
  const threads = pid === undefined ? [] : await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(threads.map((thread) => textOf(`/proc/${pid}/task/${thread}/children`)));
  const children = lists.flatMap((list) => list.match(/\d+/g) ?? []).map(Number);
  const areStarters = await Promise.all(children.map(isStarter));
  return children.filter((_, index) => areStarters[index]);
}

/** A process that was killed has no command line. */
const isStarter = async (pid: number): Promise<boolean> =>
  (await textOf(`/proc/${pid}/cmdline`)).includes('--type=zygote');

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** The browser knows its graphics when their process works. Before that, it may have tried others. */
async function startedProcesses(session: CDPSession, running: () => Promise<number[]>): Promise<number[]> {
  // If the browser has ended, its pages report that.
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
