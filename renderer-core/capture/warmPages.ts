// Tabs that stay open with their capture page, so that the next composition loads only itself.
//
// Measured on a batch of one-second 720p rows: loading two whole pages a row, with scripts, worker and ring file, took
// 0.45 s; loading only the composition into the pages that are open takes 0.17 s (docs/internals/benchmarks.md, "Batches").
import type { FileHandle } from 'node:fs/promises';
import type { Browser, CDPSession, Page } from 'puppeteer-core';
import { UserError } from '../errors.ts';
import type { BrowserProcesses } from './browserProcesses.ts';

/** The ring file of a tab's capture page, opened by this process as well. */
export type Ring = { name: string; file: FileHandle };

export type Tab = {
  page: Page;
  session: CDPSession;
  /** Number of compositions that the tab has shown. */
  shown: number;
  /** Identifies the capture page that is loaded and ready for a composition; undefined if there is none. */
  loaded: string | undefined;
  ring: Ring | undefined;
};

/** A browser and its free tabs; `tabs` is undefined if tabs are closed with their pages. */
export type TabPool = {
  browser: Browser;
  processes: Pick<BrowserProcesses, 'onPageDeath'>;
  tabs: Tab[] | undefined;
  /** Whether the page with which the browser has started is there and was not used. Another one would need another process. */
  hasFirstPage?: boolean;
  /** Tabs that were opened ahead and have shown nothing yet. */
  spare?: Tab[];
};

/** Maximum time to load a page. */
export const readyTimeoutMs = 60_000;

/** Tabs keep some memory of each composition, so they are closed after this many. */
const compositionsPerTab = 50;

/** Two compositions at a time, each with a painted page and a page for screenshots. */
const maxFreeTabs = 4;

/**
 * Returns a free tab that has `capturePage` loaded, or a new one. No tab goes to another capture page: Chromium 153 may crash
 * when it has removed animations before, or lets animations run in real time afterwards.
 */
export async function takeTab(pool: TabPool, capturePage: string): Promise<Tab> {
  const free = pool.tabs ?? [];
  const index = free.findIndex(({ loaded }) => loaded === capturePage);
  const [tab] = index < 0 ? [] : free.splice(index, 1);
  if (tab) return tab;
  if (free.length >= maxFreeTabs) await closeTab(free.shift() as Tab);
  return pool.spare?.pop() ?? openTab(pool);
}

/** Whether the tab may show another composition after it has removed everything that this one stored. */
export const isReusable = ({ tabs, browser }: TabPool, tab: Tab): boolean =>
  tabs !== undefined && browser.connected && tab.shown < compositionsPerTab;

export function keepTab(pool: TabPool, tab: Tab): void {
  pool.tabs?.push(tab);
}

export async function closeTab(tab: Tab): Promise<void> {
  await closeRing(tab);
  // The page or the browser may have ended.
  await tab.page.close().catch(() => undefined);
}

/** Closes this process's handle, which only reads; the file belongs to the page. */
export async function closeRing(tab: Tab): Promise<void> {
  const { ring } = tab;
  tab.ring = undefined;
  await ring?.file.close().catch(() => undefined);
}

/** Opening a tab takes a tenth of a second, or a few seconds on a busy machine. */
const openTimeoutMs = 30_000;

/** How long a tab may still take to open after the process of a page has died, which may have been that of another tab. */
const openAfterDeathMs = 3_000;

/** Throws UserError `page_crashed` if its process dies while it opens, because it never answers then. */
export async function openTab(pool: Pick<TabPool, 'browser' | 'processes' | 'hasFirstPage'>): Promise<Tab> {
  const opened = (async () => {
    const page = await unusedPage(pool);
    const session = await page.createCDPSession();
    await session.send('Runtime.enable');
    return { page, session, shown: 0, loaded: undefined, ring: undefined };
  })();
  const timers: NodeJS.Timeout[] = [];
  let fail: () => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = () => reject(new UserError('page_crashed', 'The browser did not open a page.'));
  });
  timers.push(setTimeout(fail, openTimeoutMs));
  const stop = pool.processes.onPageDeath(() => timers.push(setTimeout(fail, openAfterDeathMs)));
  try {
    return await Promise.race([opened, failed]);
  } finally {
    stop();
    for (const timer of timers) clearTimeout(timer);
  }
}

async function unusedPage(pool: Pick<TabPool, 'browser' | 'hasFirstPage'>): Promise<Page> {
  const takesFirst = pool.hasFirstPage;
  // Before anything is awaited: two pages may be opened at the same time.
  pool.hasFirstPage = false;
  const [first] = takesFirst ? await pool.browser.pages() : [];
  return first ?? pool.browser.newPage();
}
