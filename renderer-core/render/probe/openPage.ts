// Opens pages of a composition that are ready for their first frame. Probe, step 2: the first page.
import { type CapturePage, openCapturePage, pageKinds } from '../../capture/capturePage.ts';
import type { ReadyReply } from '../../capture/protocol.ts';
import { UserError } from '../../errors.ts';
import type { PageJob, RenderRequest } from '../types.ts';

type PageKind = keyof typeof pageKinds;

/** A page, and what it says about its composition. */
export type OpenPage = { page: CapturePage; kind: PageKind; info: ReadyReply };

/** Opens a capture page with the composition and waits until it is ready for its first frame. */
export async function openPage(job: PageJob, kind: PageKind): Promise<OpenPage> {
  const page = await openCapturePage(job.launched, job.target, pageKinds[kind], job.services);
  try {
    return { page, kind, info: await withPageErrors(page.call('ready'), () => job.check(page)) };
  } catch (error) {
    // In a batch, the browser stays open.
    await page.close();
    throw error;
  }
}

/** `obstacle`: why the page cannot be painted; null if it can. */
export type FirstPage = OpenPage & { obstacle: string | null };

/** Opens the page that captures first: one that paints, unless screenshots are requested or it crashes. */
export async function openFirstPage(
  job: PageJob,
  { capture, onEvent }: Pick<RenderRequest, 'capture' | 'onEvent'>,
): Promise<FirstPage> {
  if (capture === 'screenshot') return withObstacle(await openPage(job, 'plain'));
  // A page that was killed, because memory was short for a moment, is painted all the same. One that crashes the browser
  // when it is drawn into a canvas may still be shown.
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      return withObstacle(await openPage(job, 'paint'));
    } catch (error) {
      if (capture === 'paint' || !isCrash(error)) throw error;
    }
  }
  onEvent?.({ type: 'warning', message: fallbackWarning(crashObstacle) });
  return { ...(await openPage(job, 'plain')), obstacle: crashObstacle };
}

const withObstacle = (open: OpenPage): FirstPage => ({
  ...open,
  obstacle: open.info.paintObstacle ?? remoteImageObstacle(open.page),
});

/** The first reason why one of the first `frames` frames cannot be painted, or null. */
export async function findObstacle(job: PageJob, frames: number): Promise<string | null> {
  const { page } = await openPage(job, 'paint');
  try {
    return await withPageErrors(page.call('findObstacle', frames), () => job.check(page));
  } catch (error) {
    // The browser may still take screenshots of it.
    if (isCrash(error)) return crashObstacle;
    throw error;
  } finally {
    await page.close();
  }
}

const isCrash = (error: unknown): boolean => error instanceof UserError && error.code === 'page_crashed';

export const fallbackWarning = (reason: string): string => `Falling back to screenshots, which are slower: ${reason}`;

const crashObstacle = 'the page crashes when it is painted';

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
