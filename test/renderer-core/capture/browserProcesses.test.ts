// A browser that has lost one of the processes that all pages share is ended, because its pages would wait forever.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Browser } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { canOpenPages, watchBrowserProcesses } from '../../../renderer-core/capture/browserProcesses.ts';
import { openCapturePage, pageKinds } from '../../../renderer-core/capture/capturePage.ts';
import { findBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { type LaunchedBrowser, launchBrowser } from '../../../renderer-core/capture/launch.ts';
import { openTab } from '../../../renderer-core/capture/warmPages.ts';
import { mergeTraits } from '../../../renderer-core/page/features/pageTraits.ts';
import { openRemoteAssets } from '../../../renderer-core/project/remote/remoteAssets.ts';
import { startProjectServer } from '../../../renderer-core/project/serve/projectServer.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';
import { processesOf } from '../../support/renders/processes.ts';

async function launched(): Promise<LaunchedBrowser> {
  const { env } = process;
  const browser = await launchBrowser(await findBrowser({ env }), temporaryFolder(), { graphics: 'plain', env });
  onTestFinished(() => browser.close());
  return browser;
}

/** Kills the browser's processes whose command line contains `type`. They are all in its process group. */
function killProcesses({ browser }: LaunchedBrowser, type: string, mustExist = true): void {
  const victims = processesOf(browser.process()?.pid, type);
  if (mustExist) expect(victims).not.toEqual([]);
  for (const pid of victims) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // It has ended by itself.
      expect(error).toMatchObject({ code: 'ESRCH' });
    }
  }
}

/** They are not connected to a debugger, so only `/proc` has them. */
const hasProc = process.platform === 'linux';

test.skipIf(!hasProc)('a browser that hangs is closed with all of its processes', async () => {
  const { browser, close } = await launched();
  const group = browser.process()?.pid ?? 0;
  process.kill(-group, 'SIGSTOP');
  await close();
  // A process that was killed has no command line.
  await expect.poll(() => processesOf(group, 'type='), { timeout: 10_000 }).toEqual([]);
});

test.skipIf(!hasProc)('a browser that is killed leaves no files outside its profile', async () => {
  const { browser, profile } = await launched();
  await browser.newPage();
  // Memory that its processes share is a file for a moment.
  const shared = processesOf(browser.process()?.pid, '').flatMap(
    (pid) => readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/\S*\.org\.chromium\.\S+/g) ?? [],
  );
  expect(shared).not.toEqual([]);
  expect(shared.filter((path) => !path.startsWith(profile))).toEqual([]);
});

test('a process that starts during the check is not lost', async () => {
  const processInfo = [{ type: 'GPU', id: 1, cpuTime: 0 }];
  let start: () => void = () => undefined;
  const graphics = new Promise<void>((resolve) => {
    start = resolve;
  });
  const session = {
    async send(method: string): Promise<object> {
      if (method === 'SystemInfo.getInfo') await graphics;
      return method === 'SystemInfo.getProcessInfo' ? { processInfo: [...processInfo] } : {};
    },
  };
  const target = { createCDPSession: async () => session };
  const browser = Object.assign(new EventEmitter(), { target: () => target, process: () => null });
  onTestFinished(() => void browser.emit('disconnected'));
  const processes = await watchBrowserProcesses(browser as unknown as Browser);
  const lost = processes.hasLost();
  processInfo.push({ type: 'network.mojom.NetworkService', id: 2, cpuTime: 0 });
  start();
  expect(await lost).toBe(false);
  processInfo.pop();
  expect(await processes.hasLost()).toBe(true);
});

test.runIf(hasProc).each([['--type=gpu-process'], ['network.mojom.NetworkService'], ['--type=zygote']])(
  'ends a browser that has lost its process %s before it has opened a page',
  async (type) => {
    const one = await launched();
    expect(await one.processes.hasLost()).toBe(false);
    const ended = new Promise((resolve) => one.browser.once('disconnected', resolve));
    killProcesses(one, type);
    await ended;
  },
);

test.runIf(hasProc)('reports that a browser cannot open pages without the process that starts them', async () => {
  const one = await launched();
  expect(await canOpenPages(one.browser)).toBe(true);
  killProcesses(one, '--type=zygote');
  expect(await canOpenPages(one.browser)).toBe(false);
});

test.runIf(hasProc)(
  'does not wait for a page whose process dies while it opens',
  async () => {
    const one = await launched();
    const timer = setInterval(() => killProcesses(one, '--type=renderer', false), 5);
    const opened = openTab(one).finally(() => clearInterval(timer));
    await expect(opened).rejects.toMatchObject({ code: 'page_crashed' });
  },
  20_000,
);

test.runIf(hasProc)('reports a crash if the process of a page dies before it opens its document', async () => {
  const one = await launched();
  const server = await startProjectServer(project({ 'index.html': composition('<p>Hello</p>') }));
  onTestFinished(() => server.close());
  const signal = new AbortController().signal;
  const remote = openRemoteAssets({ cache: temporaryFolder(), origin: server.origin, signal });
  // Called right before the tab opens the document.
  const setVirtual: typeof server.setVirtual = (...given) => {
    server.setVirtual(...given);
    killProcesses(one, '--type=renderer');
  };
  const opened = openCapturePage(
    one,
    {
      ...{
        origin: server.origin,
        path: '/index.html',
        width: 64,
        height: 48,
        transparent: false,
        deep: false,
        hdr: false,
        padded: true,
      },
      ...{ page: { width: 64, height: 48, zoom: 1 }, rate: { num: 30, den: 1 }, firstFrame: 0 },
    },
    pageKinds.plain,
    { server: { ...server, setVirtual }, remote, isOpen: true, features: { featuresOff: [], traits: mergeTraits() } },
  );
  await expect(opened).rejects.toMatchObject({ code: 'page_crashed' });
});

test('gives the page with which the browser has started to one of two that open pages together', async () => {
  const { browser, processes, hasFirstPage } = await launched();
  const [first] = await browser.pages();
  const pool = { browser, processes, hasFirstPage: hasFirstPage === true };
  const tabs = await Promise.all([openTab(pool), openTab(pool)]);
  expect(tabs.map(({ page }) => page === first)).toEqual([true, false]);
  expect(await browser.pages()).toHaveLength(2);
});
