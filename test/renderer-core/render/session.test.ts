// Closing a session closes everything that was started in it, including browsers that are still starting.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import type { LaunchedBrowser } from '../../../renderer-core/capture/launch.ts';
import { viewportImage } from '../../../renderer-core/capture/screenshotSource.ts';
import { prepare } from '../../../renderer-core/render/prepare.ts';
import { probe } from '../../../renderer-core/render/probe/probe.ts';
import { type Session, withSession } from '../../../renderer-core/render/session.ts';
import { snapshotIn } from '../../../renderer-core/render/snapshot/takeSnapshot.ts';
import { createWarmSnapshots } from '../../../renderer-core/render/snapshot/warmSnapshots.ts';
import type { RenderRequest } from '../../../renderer-core/render/types.ts';
import { browsersOf } from '../../support/agent.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { pageOf } from '../../support/renders/openPage.ts';
import { processesBelow, processesOf } from '../../support/renders/processes.ts';
import { surroundings } from '../../support/renders/surroundings.ts';

const folder = () => project(composition(''));

test('closes a browser that is still starting', async () => {
  let starting: Promise<unknown> = Promise.resolve();
  await withSession({ ...surroundings, root: folder() }, async (session) => {
    starting = session.openBrowsers(false).lease({ graphics3d: false, displayRate: false });
  });
  await starting;
  expect(processesBelow(process.pid)).toEqual([]);
});

test('starts no browser after the session was closed', async () => {
  const open = { ...surroundings, root: folder() };
  const browsers = await withSession(open, async (session) => session.openBrowsers(false));
  await expect(browsers.lease({ graphics3d: false, displayRate: false })).rejects.toThrow('the session has ended');
});

test('starts no browser for work that continues after it was cancelled', async () => {
  const controller = new AbortController();
  let late: Promise<unknown> = Promise.resolve();
  const session = withSession(
    { ...surroundings, root: folder(), signal: controller.signal },
    async ({ openBrowsers }) => {
      const browsers = openBrowsers(false);
      const { launched, release } = await browsers.lease({ graphics3d: false, displayRate: false });
      await release();
      controller.abort();
      late = new Promise((resolve) => launched.browser.once('disconnected', resolve)).then(() =>
        browsers.lease({ graphics3d: false, displayRate: false }),
      );
      // The test expects the rejection at its end.
      late.catch(() => undefined);
      await new Promise((resolve) => launched.browser.once('disconnected', resolve));
    },
  );
  await expect(session).rejects.toMatchObject({ code: 'cancelled' });
  await expect(late).rejects.toThrow();
  expect(processesBelow(process.pid)).toEqual([]);
});

test('uses a browser again for a composition with the same needs', async () => {
  await withSession({ ...surroundings, root: folder() }, async ({ openBrowsers }) => {
    const browsers = openBrowsers(true);
    const used: unknown[] = [];
    for (const needs of [
      { graphics3d: true, displayRate: false },
      { graphics3d: false, displayRate: false },
      { graphics3d: false, displayRate: true },
      { graphics3d: false, displayRate: true },
    ]) {
      const { launched, release } = await browsers.lease(needs);
      used.push(launched);
      await release();
    }
    const [first, second, third, fourth] = used;
    expect(second).toBe(first);
    expect(third).not.toBe(second);
    expect(fourth).toBe(third);
  });
});

test('pages that share a process of a browser have its time zone and language', async () => {
  await withSession({ ...surroundings, root: folder() }, async ({ openBrowsers }) => {
    const { launched, release } = await openBrowsers(true).lease({
      graphics3d: false,
      timezone: 'Asia/Tokyo',
      locale: 'de-DE',
    });
    const first = await launched.browser.newPage();
    await first.goto('about:blank');
    // A window that a page opens is in its process.
    const opened = new Promise<Page | null>((resolve) => first.once('popup', resolve));
    await first.evaluate(() => void window.open('about:blank'));
    for (const page of [first, await opened])
      expect(await page?.evaluate(() => [new Date(0).getHours(), (1.5).toLocaleString(), navigator.language])).toEqual([
        9,
        '1,5',
        'de-DE',
      ]);
    await release();
  });
});

test('closes the browser that is kept for the next snapshot when it is not used', async () => {
  const projectDir = project(composition('<p>A</p>'));
  const warm = createWarmSnapshots({ ...surroundings, idleMs: 1 });
  const output = join(temporaryFolder(), 'shot.png');
  const { pictures } = await warm.take({ projectDir, output, at: ['0'] });
  expect(pictures).toMatchObject([{ output }]);
  await expect.poll(() => browsersOf(process.pid), { timeout: 60_000 }).toEqual([]);
  await expect(warm.take({ projectDir, output, at: ['9'] })).rejects.toMatchObject({ code: 'usage' });
  await warm.take({ projectDir, output, at: ['100%'] });
  await warm.close();
  expect(browsersOf(process.pid)).toEqual([]);
});

/** Takes a snapshot in each folder, one after another, in one browser that keeps its tabs. Returns it. */
async function snapshotsIn(session: Session, folders: string[], at = '0'): Promise<LaunchedBrowser> {
  const browsers = session.openBrowsers(true);
  for (const projectDir of folders) {
    const site = await session.openSite(projectDir);
    const output = join(projectDir, 'shot.png');
    const work = snapshotIn({ session, site, browsers }, { projectDir, output, at: [at], capture: 'paint' });
    if (existsSync(join(projectDir, 'fails'))) await expect(work).rejects.toMatchObject({ code: 'script_error' });
    else expect((await work).capture.path).toBe('paint');
    await site.close();
  }
  return (await browsers.lease({ graphics3d: false, displayRate: false })).launched;
}

test('shows compositions of several folders in one browser that keeps its tabs, also after transitions', async () => {
  const fade = `<p id="a" style="transition:opacity 0.3s">A</p><script>setTimeout(() => { a.style.opacity = 0 }, 100)</script>`;
  await withSession({ ...surroundings, root: folder() }, async (session) => {
    // It keeps four tabs.
    const folders = Array.from({ length: 8 }, () => project(composition(fade)));
    await snapshotsIn(session, folders, '0.5');
  });
});

test('closes the tabs of compositions with an error in a browser that keeps its tabs', async () => {
  const failing = () => project({ 'index.html': composition('<script>throw new Error("no")</script>'), fails: '' });
  await withSession({ ...surroundings, root: folder() }, async (session) => {
    const { browser } = await snapshotsIn(session, [failing(), failing(), failing(), folder()]);
    const pages = await browser.pages();
    expect(pages.filter((page) => page.url().includes('/__framework/')).length).toBeLessThan(2);
  });
});

test.runIf(process.platform === 'linux')('reports a page that dies during a screenshot, and closes it', async () => {
  const request: RenderRequest = { projectDir: folder(), format: 'png' };
  await withSession({ ...surroundings, root: request.projectDir }, async (session) => {
    const place = { session, site: await session.openSite(), browsers: session.openBrowsers(true) };
    const probed = await probe(request, await prepare(request), place);
    const pages = [await pageOf(probed, 'sample'), await pageOf(probed, 'sample')];
    const renderers = processesOf(probed.page.launched.browser.process()?.pid, '--type=renderer');
    for (const pid of renderers) process.kill(pid, 'SIGSTOP');
    const [shown, left] = pages;
    const taken = shown && viewportImage(shown, { width: 64, height: 48 }, 'png');
    const closed = left?.close();
    for (const pid of renderers) process.kill(pid, 'SIGKILL');
    await expect(taken).rejects.toMatchObject({ code: 'page_crashed' });
    await closed;
  });
});

test('opens a page again in a browser with WebGL if the page has asked for it without success', async () => {
  // The text does not show WebGL, and a canvas with 2D drawings gets no other context.
  const asking = `<canvas></canvas><script>const canvas = document.querySelector('canvas'); canvas.getContext('2d'); canvas.getContext(['web', 'gl'].join(''))</script>`;
  const request: RenderRequest = { projectDir: project(composition(asking)), format: 'png' };
  await withSession({ ...surroundings, root: request.projectDir }, async (session) => {
    const place = { session, site: await session.openSite(), browsers: session.openBrowsers(false) };
    const probed = await probe(request, await prepare(request), place);
    expect(probed.page.launched.graphics).toBe('software');
    expect(probed.ready[0]?.tab.page.browser()).toBe(probed.page.launched.browser);
    await probed.close();
  });
});
