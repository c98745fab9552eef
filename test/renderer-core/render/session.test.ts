// Closing a session closes everything that was started in it, including browsers that are still starting.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withSession } from '../../../renderer-core/render/session.ts';
import { snapshotIn } from '../../../renderer-core/render/snapshot/takeSnapshot.ts';
import { createWarmSnapshots } from '../../../renderer-core/render/snapshot/warmSnapshots.ts';
import { browsersOf } from '../../support/agent.ts';
import { processesBelow } from '../../support/processes.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';

const folder = () => project(composition(''));

test('closes a browser that is still starting', async () => {
  let starting: Promise<unknown> = Promise.resolve();
  await withSession({ root: folder() }, async (session) => {
    starting = session.openBrowsers(false).lease({ webGl: false, paced: false });
  });
  await starting;
  expect(processesBelow(process.pid)).toEqual([]);
});

test('starts no browser after the session was closed', async () => {
  const browsers = await withSession({ root: folder() }, async (session) => session.openBrowsers(false));
  await expect(browsers.lease({ webGl: false, paced: false })).rejects.toThrow('the session has ended');
});

test('starts no browser for work that continues after it was cancelled', async () => {
  const controller = new AbortController();
  let late: Promise<unknown> = Promise.resolve();
  const session = withSession({ root: folder(), signal: controller.signal }, async ({ openBrowsers }) => {
    const browsers = openBrowsers(false);
    const { launched, release } = await browsers.lease({ webGl: false, paced: false });
    await release();
    controller.abort();
    late = new Promise((resolve) => launched.browser.once('disconnected', resolve)).then(() =>
      browsers.lease({ webGl: false, paced: false }),
    );
    late.catch(() => undefined);
    await new Promise((resolve) => launched.browser.once('disconnected', resolve));
  });
  await expect(session).rejects.toMatchObject({ code: 'cancelled' });
  await expect(late).rejects.toThrow();
  expect(processesBelow(process.pid)).toEqual([]);
});

test('uses a browser again for a composition with the same needs', async () => {
  await withSession({ root: folder() }, async ({ openBrowsers }) => {
    const browsers = openBrowsers(true);
    const used: unknown[] = [];
    for (const needs of [
      { webGl: true, paced: false },
      { webGl: false, paced: false },
      { webGl: false, paced: true },
      { webGl: false, paced: true },
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

test('closes the browser that is kept for the next snapshot when it is not used', async () => {
  const projectDir = project(composition('<p>A</p>'));
  const warm = createWarmSnapshots({ idleMs: 1 });
  const output = join(temporaryFolder(), 'shot.png');
  const { pictures } = await warm.take({ projectDir, output, at: ['0'] });
  expect(pictures).toMatchObject([{ output }]);
  await expect.poll(() => browsersOf(process.pid), { timeout: 60_000 }).toEqual([]);
  await expect(warm.take({ projectDir, output, at: ['9'] })).rejects.toMatchObject({ code: 'usage' });
  await warm.take({ projectDir, output, at: ['100%'] });
  await warm.close();
  expect(browsersOf(process.pid)).toEqual([]);
});

test('shows compositions of several folders in one browser that keeps its tabs, also after transitions', async () => {
  const fade = `<p id="a" style="transition:opacity 0.3s">A</p><script>setTimeout(() => { a.style.opacity = 0 }, 100)</script>`;
  await withSession({ root: folder() }, async (session) => {
    const browsers = session.openBrowsers(true);
    // It keeps four tabs.
    for (let count = 0; count < 8; count++) {
      const projectDir = project(composition(fade));
      const site = await session.openSite(projectDir);
      const output = join(projectDir, 'shot.png');
      const taken = await snapshotIn(
        { session, site, browsers },
        { projectDir, output, at: ['0.5'], capture: 'paint' },
      );
      expect(taken.capture.path).toBe('paint');
      await site.close();
    }
  });
});
