// Finds out how frames can be taken with a browser, by starting it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FoundBrowser } from './findBrowser.ts';
import { launchBrowser } from './launch.ts';

export type CaptureCapability = {
  /** What a render that is not told otherwise will try first. */
  path: 'paint' | 'screenshot';
  reason: string;
  /** As the browser gives it: `Chrome/153.0.8027.0`. */
  version: string;
};

/** Starts the browser once, in a temporary folder that is gone afterwards. Throws UserError `browser_failed`. */
export async function probeCapture(found: FoundBrowser): Promise<CaptureCapability> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-probe-'));
  try {
    const launched = await launchBrowser(found, folder, { webGl: false });
    try {
      const page = await launched.browser.newPage();
      // The same test as at the start of a render; there it is made on the composition's own page.
      const canPaint = await page.evaluate(() => 'drawElementImage' in CanvasRenderingContext2D.prototype);
      const { version } = launched;
      return canPaint
        ? { path: 'paint', reason: 'the browser has HTML-in-canvas', version }
        : { path: 'screenshot', reason: 'the browser has no HTML-in-canvas', version };
    } finally {
      await launched.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
