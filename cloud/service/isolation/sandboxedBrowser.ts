// Checks that the browser works in the sandbox of a worker, with Chrome's own sandbox inside.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import type { FoundBrowser } from '../../../renderer-core/capture/findBrowser.ts';
import { programEnv } from '../../../renderer-core/project/programEnv.ts';
import { type Sandbox, sandboxed } from './sandbox.ts';

const timeout = 30_000;

/** Returns why the browser shows no page in the sandbox, or undefined if it does. */
export async function browserProblem(
  sandbox: Sandbox,
  { path, env: ownEnv }: Pick<FoundBrowser, 'path' | 'env'>,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-'));
  const switches = [
    '--headless',
    '--disable-gpu',
    '--remote-debugging-pipe',
    `--user-data-dir=${join(folder, 'profile')}`,
  ];
  const [executablePath, args] = sandboxed(sandbox, folder, [path, ...switches, 'about:blank']);
  let browser: Browser | undefined;
  try {
    browser = await puppeteer.launch({
      executablePath,
      args,
      ignoreDefaultArgs: true,
      pipe: true,
      env: { ...programEnv(env), ...ownEnv, TMPDIR: folder },
      timeout,
      protocolTimeout: timeout,
    });
    const page = await browser.newPage();
    await page.setContent('<p>works</p>');
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    if (/Target closed/.test(message)) return 'it ended at once';
    return message.trim().split('\n')[0];
  } finally {
    // It may have ended already.
    await browser?.close().catch(() => undefined);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
