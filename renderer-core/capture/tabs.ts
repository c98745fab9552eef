// The tabs of a browser: opened, kept with the capture page in them for later compositions of the same kind, closed after many.
import type { FileHandle } from 'node:fs/promises';
import type { CDPSession, Page } from 'puppeteer-core';
import { UserError } from '../errors.ts';
import type { LaunchedBrowser } from './launch.ts';

/** The ring file of a tab's capture page, open in this process as well. */
export type Ring = { name: string; file: FileHandle };

/** A new tab costs a process, and all that this has to learn again. */
export type Tab = {
  page: Page;
  session: CDPSession;
  /** Compositions that it has shown. */
  shown: number;
  /** Which capture page stands in it, ready for a composition; undefined where none does. */
  standing: string | undefined;
  ring: Ring | undefined;
};

/** How long the browser may take to open a tab, and a page to load. */
export const readyTimeoutMs = 60_000;

/** What a tab keeps of its compositions grows: after so many it is closed. */
const compositionsPerTab = 50;

/** Two compositions at a time, each in a page that is painted and in one that is not. */
const maxFreeTabs = 4;

/** A free tab with the capture page `standing` in it, or one that has to load it first. */
export async function takeTab(launched: LaunchedBrowser, standing: string): Promise<Tab> {
  const free = launched.tabs ?? [];
  // First one that has the page, then one that has none; the pages of others are wanted again.
  for (const wanted of [standing, undefined]) {
    const at = free.findIndex((tab) => tab.standing === wanted);
    if (at >= 0) return free.splice(at, 1)[0] as Tab;
  }
  return (free.length < maxFreeTabs ? undefined : free.shift()) ?? openTab(launched);
}

/** Whether the tab may show another composition, once it has got rid of everything of this one. */
export const mayStay = ({ tabs, browser }: LaunchedBrowser, tab: Tab): boolean =>
  tabs !== undefined && browser.connected && tab.shown < compositionsPerTab;

export function keepTab(launched: LaunchedBrowser, tab: Tab): void {
  launched.tabs?.push(tab);
}

export async function closeTab(tab: Tab): Promise<void> {
  await closeRing(tab);
  await tab.page.close().catch(() => undefined);
}

/** The file is the page's; this closes it here. */
export async function closeRing(tab: Tab): Promise<void> {
  const { ring } = tab;
  tab.ring = undefined;
  await ring?.file.close().catch(() => undefined);
}

async function openTab({ browser }: LaunchedBrowser): Promise<Tab> {
  const opened = (async () => {
    const page = await browser.newPage();
    const session = await page.createCDPSession();
    await session.send('Runtime.enable');
    return { page, session, shown: 0, standing: undefined, ring: undefined };
  })();
  let timer: NodeJS.Timeout | undefined;
  // A tab whose process dies at this moment answers nothing.
  const late = new Promise<never>((_, reject) => {
    const message = `The browser has not opened a page in ${readyTimeoutMs / 1000} s.`;
    timer = setTimeout(() => reject(new UserError('page_crashed', message)), readyTimeoutMs);
  });
  try {
    return await Promise.race([opened, late]);
  } finally {
    opened.catch(() => undefined);
    clearTimeout(timer);
  }
}
