// What stays ready between renders, one after another: the programs that were found, and one browser.
import { realpath } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import type { FoundBrowser } from '../capture/findBrowser.ts';
import type { Graphics } from '../capture/graphics.ts';
import { type BrowserSettings, haveSameSettings, type LaunchedBrowser } from '../capture/launch.ts';
import { openTab } from '../capture/warmPages.ts';
import type { Encoder } from '../media/codecs.ts';
import type { FoundFfmpeg } from '../media/findFfmpeg.ts';
import { fileVersion } from '../project/fileReads.ts';
import { createWorkspace, type Workspace } from '../project/output/workspace.ts';
import { statIfExists } from '../project/statIfExists.ts';

export type FoundPrograms = [ffmpeg: FoundFfmpeg, browser: FoundBrowser];

/** It serves one session at a time. */
export type WarmPrograms = {
  /** The folder for the profile of the browser. */
  folder(): Promise<string>;
  /** The result of the first `find` that succeeded, as long as the programs stay as they were. */
  programs(find: () => Promise<FoundPrograms>): Promise<FoundPrograms>;
  /** By the fields of the plan that decide. */
  encoders: Map<string, Promise<Encoder>>;
  /** The browser that was kept, if it draws with one of `graphics` and has the same settings; otherwise it is closed. */
  take(graphics: readonly Graphics[], settings: BrowserSettings): Promise<LaunchedBrowser | undefined>;
  /** Removes everything from the browser that renders left in it, and keeps it. */
  keep(launched: LaunchedBrowser): void;
  close(): Promise<void>;
};

/** Browsers keep some memory of every page, so a browser is replaced after this many renders. */
const rendersPerBrowser = 200;

/** In milliseconds. A page that does not close may be in a script that never ends. */
const preparingTime = 10_000;

export function createWarmPrograms(): WarmPrograms {
  let workspace: Promise<Workspace> | undefined;
  let found: FoundPrograms | undefined;
  let foundVersion = '';
  const encoders = new Map<string, Promise<Encoder>>();
  /** Undefined for a browser that could not be cleaned. */
  let kept: Promise<LaunchedBrowser | undefined> = Promise.resolve(undefined);
  const renders = new WeakMap<LaunchedBrowser, number>();

  async function cleaned(launched: LaunchedBrowser): Promise<LaunchedBrowser | undefined> {
    const count = (renders.get(launched) ?? 0) + 1;
    renders.set(launched, count);
    const isReady = count < rendersPerBrowser && (await withinTime(prepare(launched), preparingTime));
    if (isReady) return launched;
    // What it leaves is in the temporary folder, which is removed at the end.
    await launched.close().catch(() => undefined);
    return undefined;
  }

  return {
    encoders,
    async folder() {
      workspace ??= createWorkspace();
      return (await workspace).folder;
    },
    async programs(find) {
      if (found && (await versionOf(found)) !== foundVersion) {
        found = undefined;
        encoders.clear();
        await (await kept)?.close();
        kept = Promise.resolve(undefined);
      }
      found ??= await find();
      foundVersion = await versionOf(found);
      return found;
    },
    async take(graphics, settings) {
      const launched = await kept;
      kept = Promise.resolve(undefined);
      const isFit = launched && graphics.includes(launched.graphics) && haveSameSettings(launched, settings);
      if (isFit && launched.browser.connected) return launched;
      await launched?.close();
      return undefined;
    },
    keep(launched) {
      const before = kept;
      // At most one browser is kept.
      kept = cleaned(launched).then(async (ready) => {
        await (await before)?.close();
        return ready;
      });
    },
    async close() {
      await (await kept)?.close();
      kept = Promise.resolve(undefined);
      await (await workspace)?.remove();
      workspace = undefined;
    },
  };
}

/** Changes when a program is removed, replaced, or its link leads to another one. */
async function versionOf(programs: FoundPrograms): Promise<string> {
  const versions = programs.map(async ({ path }) => {
    const stats = await statIfExists(path);
    return stats ? `${await realpath(path)} ${fileVersion(stats)}` : path;
  });
  return (await Promise.all(versions)).join('\n');
}

/** Makes the browser ready for a render that knows nothing of the one before. */
async function prepare(launched: LaunchedBrowser): Promise<void> {
  await empty(launched);
  // For the first page of the render.
  launched.spare = [await openTab(launched)];
}

/** Closes all pages but an empty one, and deletes what pages have stored. */
async function empty({ browser }: LaunchedBrowser): Promise<void> {
  const blank = findBlank(await browser.pages()) ?? (await browser.newPage());
  // The last pages of the render may still be closing, and then cannot be closed again.
  for (;;) {
    const others = (await browser.pages()).filter((page) => page !== blank);
    if (others.length === 0) break;
    await Promise.allSettled(others.map((page) => page.close()));
  }
  const session = await blank.createCDPSession();
  await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
  await session.send('Network.clearBrowserCookies');
  await session.send('Network.clearBrowserCache');
  await session.detach();
}

/** The page that the browser has opened itself: scripts can change a page that they have opened. */
const findBlank = (pages: readonly Page[]): Page | undefined =>
  pages.find((page) => page.url() === 'about:blank' && page.target().opener() === undefined);

async function withinTime(work: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  const isDone = await Promise.race([done, late]);
  clearTimeout(timer);
  return isDone;
}
