// Finds out how a browser can capture frames, by starting it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FoundBrowser } from './findBrowser.ts';
import { launchBrowser } from './launch.ts';
import { paintProblem } from './page/paintProblem.ts';

export type CaptureCapability = {
  /** The capture path that a render tries first by default. */
  path: 'paint' | 'screenshot';
  reason: string;
  /** Such as `153.0.8010.0`. */
  version: string;
};

/** Starts the browser once, with a temporary profile. Throws UserError `browser_failed`. */
export async function probeCapture(found: FoundBrowser, env: NodeJS.ProcessEnv): Promise<CaptureCapability> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-probe-'));
  try {
    const launched = await launchBrowser(found, folder, { graphics: 'plain', env });
    try {
      const page = await launched.browser.newPage();
      // A render makes the same check on the composition's own page.
      const problem = await page.evaluate(paintProblem);
      const { version } = launched;
      return problem === null
        ? { path: 'paint', reason: 'the browser draws with HTML-in-canvas', version }
        : { path: 'screenshot', reason: problem, version };
    } finally {
      await launched.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
