// Opens pages that are ready for their first frame, and asks them why they cannot be painted.
import { type CapturePage, openCapturePage, pageKinds } from '../capture/capturePage.ts';
import { UserError } from '../errors.ts';
import type { CaptureJob } from './types.ts';

type PageJob = Pick<CaptureJob, 'launched' | 'server' | 'remote' | 'isOpen' | 'target' | 'features' | 'check'>;

/** Opens a capture page with the composition and waits until it is ready for its first frame. */
export async function openReadyPage(job: PageJob, kind: keyof typeof pageKinds) {
  const page = await openCapturePage(job.launched, job.target, pageKinds[kind], job);
  const info = await orClose(page, () => withPageErrors(page.call('ready'), () => job.check(page)));
  return { page, info };
}

/** If `use` fails, closes the page: in a batch, the browser stays open. */
export async function orClose<T>(page: CapturePage, use: () => T | Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    await page.close();
    throw error;
  }
}

/** The first reason why a frame of the video cannot be painted, or null. */
export async function findObstacle(job: PageJob & Pick<CaptureJob, 'plan'>): Promise<string | null> {
  const { page } = await openReadyPage(job, 'paint');
  try {
    return await withPageErrors(page.call('findObstacle', job.plan.frames), () => job.check(page));
  } catch (error) {
    // The browser may still take screenshots of it.
    if (error instanceof UserError && error.code === 'page_crashed') return crashObstacle;
    throw error;
  } finally {
    await page.close();
  }
}

export const crashObstacle = 'the page crashes when it is painted';

/** If `work` fails, `check` may throw a more precise error of the page in its place. */
export async function withPageErrors<T>(work: Promise<T>, check: () => void): Promise<T> {
  try {
    return await work;
  } catch (error) {
    check();
    throw error;
  }
}

/** Why a page cannot be painted because of an image or video from another host; null if it has none. */
export function remoteImageObstacle(page: CapturePage): string | null {
  const url = page.remoteImage();
  return url === undefined ? null : `the browser does not paint images and videos from other hosts (${url})`;
}
