// The browser alone, started as a render starts it, for one screenshot of the page: what a render costs at least.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FoundBrowser } from '../../renderer-core/capture/findBrowser.ts';
import { launchBrowser } from '../../renderer-core/capture/launch.ts';
import { type Measured, startCpuSampling } from './processTree.ts';

export type BrowserLimit = { project: string; width: number; height: number; folder: string };

/** The processor time of this process, which controls the browser, is not counted. */
export async function measureBrowser(
  found: FoundBrowser,
  { project, width, height, folder }: BrowserLimit,
): Promise<Measured> {
  const sampler = startCpuSampling();
  const started = performance.now();
  const { browser, close } = await launchBrowser(found, folder, { graphics: 'plain', env: process.env });
  try {
    const [page] = await browser.pages();
    if (!page) throw new Error('The browser has no page.');
    await page.setViewport({ width, height });
    await page.goto(pathToFileURL(join(project, 'index.html')).href);
    await page.screenshot({ path: join(folder, 'browser.png') });
    const seconds = (performance.now() - started) / 1000;
    return { seconds, cpuSeconds: sampler.seconds(), peakMiB: null, outputs: [] };
  } finally {
    sampler.stop();
    await close();
  }
}
