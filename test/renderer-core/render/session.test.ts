// A session ends with all that was started in it, also with what was only about to start.
import { expect, test } from 'vitest';
import { withSession } from '../../renderer-core/render/session.ts';
import { processesBelow } from '../support/processes.ts';
import { composition, project } from '../support/project.ts';

const folder = () => project(composition(''));

test('a browser that is only starting is closed with it', async () => {
  let starting: Promise<unknown> = Promise.resolve();
  await withSession({ root: folder() }, async (session) => {
    starting = session.openBrowsers(false).lease(false);
  });
  await starting;
  expect(processesBelow(process.pid)).toEqual([]);
});

test('none is started after it', async () => {
  const browsers = await withSession({ root: folder() }, async (session) => session.openBrowsers(false));
  await expect(browsers.lease(false)).rejects.toThrow('the session has ended');
});

test('none is started for work that goes on after it was cancelled', async () => {
  const controller = new AbortController();
  let late: Promise<unknown> = Promise.resolve();
  const session = withSession({ root: folder(), signal: controller.signal }, async ({ openBrowsers }) => {
    const browsers = openBrowsers(false);
    const { launched, release } = await browsers.lease(false);
    await release();
    controller.abort();
    late = new Promise((resolve) => launched.browser.once('disconnected', resolve)).then(() => browsers.lease(false));
    late.catch(() => undefined);
    await new Promise((resolve) => launched.browser.once('disconnected', resolve));
  });
  await expect(session).rejects.toMatchObject({ code: 'cancelled' });
  await expect(late).rejects.toThrow();
  expect(processesBelow(process.pid)).toEqual([]);
});
