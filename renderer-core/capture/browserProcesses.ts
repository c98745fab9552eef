// The processes of a browser that serve all its pages: one for graphics and one for requests. When one of them dies, the
// browser starts another one, but pages wait forever for a frame, or seem to have mistakes because a request was lost.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Protocol } from 'puppeteer-core';

export type BrowserProcesses = {
  /** Ends the browser when one of the processes dies. Called when a page works: until then, graphics may start twice. */
  watch(): Promise<void>;
  /** Whether one has died. */
  hasLost(): Promise<boolean>;
};

const pollMs = 1_000;

/** A browser that hangs does not answer. */
const answerMs = 2_000;

export async function readBrowserProcesses(browser: Browser): Promise<BrowserProcesses> {
  const session = await browser.target().createCDPSession();
  const running = async (type: RegExp): Promise<number[]> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.filter((each: Protocol.SystemInfo.ProcessInfo) => type.test(each.type)).map(({ id }) => id);
  };
  const known = new Set(await running(/NetworkService$/));
  const hasLost = async (): Promise<boolean> => {
    const late = sleep(answerMs, undefined, { ref: false });
    const ids = await Promise.race([running(/^GPU$|NetworkService$/), late]).catch(() => undefined);
    return ids !== undefined && [...known].some((id) => !ids.includes(id));
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    hasLost,
    async watch() {
      if (timer) return;
      timer = setInterval(async () => {
        if (await hasLost()) browser.process()?.kill('SIGKILL');
      }, pollMs);
      timer.unref();
      browser.once('disconnected', () => clearInterval(timer));
      for (const id of await running(/^GPU$/).catch(() => [])) known.add(id);
    },
  };
}
