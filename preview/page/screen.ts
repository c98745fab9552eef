// One load of the composition in its own frame: loaded in the background, moved from frame to frame, shown when ready.
import { isBlankPage } from '../../renderer-core/capture/page/blankPage.ts';
import { mediaOpener, noMedia } from '../../renderer-core/capture/page/openMedia.ts';
import { type ReadableMedia, readableMediaPath, videoFileScript } from '../../renderer-core/capture/protocol.ts';
import { frameTime } from '../../renderer-core/model/frameGrid.ts';
import type { OpenMedia, Player } from '../../renderer-core/page/runtime/control.ts';
import { frameCount } from '../../renderer-core/plan/frameRate.ts';
import { choosePosterTime } from '../../renderer-core/plan/posterTime.ts';
import { type PageFacts, type Watcher, watcherSymbol } from '../facts.ts';
import type { PreviewProblem } from '../messages.ts';
import { frameAt } from './frames.ts';
import { compositionUrl, pathOf, serverUrl, under } from './link.ts';
import { problemOf, watchPage } from './pageProblems.ts';

export type Screen = {
  frame: HTMLIFrameElement;
  player: Player;
  facts: PageFacts;
  /** In seconds. */
  duration: number;
  /** The number of frames. */
  frames: number;
  /** The current frame; -1 before the first one. */
  position: number;
  /** Whether frames before this one were skipped. */
  jumped: boolean;
  /** The position for which the browser has presented the frames of all videos. */
  arrivedAt: number;
  /** Whether it has footage with high dynamic range. */
  readonly hdr: boolean;
};

type Opening = { frame: HTMLIFrameElement; facts?: PageFacts; onProblem: (problem: PreviewProblem) => void };

const openings = new Set<Opening>();

/** Called by every composition page before its scripts run. */
const watcher: Watcher = (page, facts) => {
  const opening = [...openings].find(({ frame }) => frame.contentWindow === page);
  if (!opening) return;
  opening.facts = facts;
  Object.assign(opening.frame.style, { width: `${facts.width}px`, height: `${facts.height}px` });
  watchPage(page, facts, opening.onProblem);
};
Object.assign(window, { [Symbol.for(watcherSymbol)]: watcher });

const openMedia = mediaOpener({
  script: under(videoFileScript.slice(1)),
  async convert(url) {
    const query = new URLSearchParams({ url: serverUrl(url) });
    const media: ReadableMedia = await (await fetch(`${under(readableMediaPath.slice(1))}?${query}`)).json();
    return 'problem' in media || media.video === null ? media : { ...media, video: under(media.video.slice(1)) };
  },
});

/**
 * Loads the composition into a new frame in `host`, behind the existing ones. Rejects when it cannot be shown, after
 * `onProblem` was called with the reason. To discard the screen, remove its frame, or abort `signal` while it loads.
 */
export async function openScreen(
  host: HTMLElement,
  onProblem: (problem: PreviewProblem) => void,
  signal?: AbortSignal,
): Promise<Screen> {
  const frame = document.createElement('iframe');
  // The sandbox prevents popups, dialogs and navigation of the preview page.
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
  frame.referrerPolicy = 'no-referrer';
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  const opening: Opening = { frame, onProblem };
  openings.add(opening);
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('the load was aborted')), { once: true });
  });
  try {
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.src = compositionUrl();
    host.prepend(frame);
    await Promise.race([loaded, aborted]);
    const page = frame.contentWindow as unknown as Record<symbol, Player | undefined> | null;
    const player = page?.[Symbol.for('framework.player')];
    const { facts } = opening;
    if (!player || !facts)
      throw new Error('The composition has navigated away from its page. Remove the script that changes the location.');
    // Errors that stop a render are reported, and the composition is shown without the broken parts.
    const forgive = (error: unknown) => onProblem(problemOf(error));
    let hdr = false;
    const open: OpenMedia = async (urls, wantsFrames) => {
      const file = await openMedia(urls, wantsFrames);
      hdr ||= file.isHdr;
      return file;
    };
    const openOrForgive: OpenMedia = (urls, wantsFrames) =>
      open(urls, wantsFrames).catch((error: Error) => {
        const [url = ''] = urls;
        onProblem(problemOf(new Error(`${decodeURI(pathOf(url) ?? url.slice(0, 80))}: ${error.message}`)));
        return { ...noMedia, url };
      });
    await Promise.race([player.ready(openOrForgive, forgive), aborted]);
    for (const { message, place, isMalformed } of player.valueProblems())
      onProblem({ severity: isMalformed ? 'error' : 'warning', message, place });
    const duration = facts.duration ?? player.naturalDuration();
    if (duration === null) {
      const endless = player.endless();
      const reason = endless === null ? '' : `: ${endless} repeats without end`;
      throw new Error(`The composition has no length${reason}. Set data-duration on its root element.`);
    }
    return {
      frame,
      player,
      facts,
      duration,
      frames: frameCount(duration, facts.rate),
      position: -1,
      jumped: false,
      arrivedAt: -1,
      get hdr() {
        return hdr;
      },
    };
  } catch (error) {
    frame.remove();
    if (!signal?.aborted) onProblem(problemOf(error));
    throw error;
  } finally {
    openings.delete(opening);
  }
}

/** Whether the page looks as if every frame up to this one had been shown. */
export const isExact = ({ jumped, player }: Screen): boolean => !jumped || !player.dependsOnWay();

/** Whether the browser shows the current frames of videos. Its compositor gets them independently of the page. */
export const hasArrived = ({ frame, arrivedAt, position }: Screen): boolean =>
  arrivedAt === position || !frame.contentDocument?.querySelector('video');

/** Waits until the browser shows the current frames of videos. Stops when `isStale` returns true. */
export async function waitForVideos(screen: Screen, isStale: () => boolean): Promise<void> {
  // A script may have removed the video.
  await screen.player.arrived(isStale).catch(() => undefined);
  if (!isStale()) screen.arrivedAt = screen.position;
}

async function step(screen: Screen, index: number, passing: boolean): Promise<void> {
  screen.player.seek(frameTime(index, screen.facts.rate), passing);
  await screen.player.settle();
  screen.position = index;
}

/** The maximum speed of stepping. Frames that are too far away for the budget are jumped to. */
const maxFramesPerMs = 3;

/**
 * Moves to a frame. Steps through the frames before it if that fits into `budgetMs` and makes the result exact; otherwise
 * jumps. Rejects with errors of the page.
 */
export async function moveTo(screen: Screen, index: number, budgetMs: number): Promise<void> {
  if (index === screen.position) return;
  if (index < screen.position) screen.jumped = true;
  else {
    const until = performance.now() + budgetMs;
    while (screen.position < index - 1 && !screen.jumped) {
      const left = until - performance.now();
      if (index - screen.position > left * maxFramesPerMs) screen.jumped = true;
      else await step(screen, screen.position + 1, true);
    }
  }
  await step(screen, index, false);
}

/** Moves to the poster frame. Returns its number. */
export async function moveToPoster(screen: Screen, budgetMs: number): Promise<number> {
  const { facts, duration, frames } = screen;
  const frameOf = (seconds: number) => frameAt(seconds, facts.rate, frames);
  const { posterTime } = facts;
  const time = await choosePosterTime({ posterTime, duration }, async (seconds) => {
    await moveTo(screen, frameOf(seconds), budgetMs);
    return isBlankPage(screen.frame.contentWindow as Window & typeof globalThis);
  });
  await moveTo(screen, frameOf(time), budgetMs);
  return frameOf(time);
}

/**
 * Opens a screen and steps through every frame up to `index`. Stops when `isStale` returns true. Drawing of passed frames is
 * skipped on WebGL canvases; if it is needed after all, a second screen steps through them again.
 */
export async function openExactScreen(host: HTMLElement, index: number, isStale: () => boolean): Promise<Screen> {
  let skippedBefore: number | null = Number.POSITIVE_INFINITY;
  for (;;) {
    // Problems were reported when the current screen was loaded.
    const screen = await openScreen(host, () => undefined);
    try {
      screen.player.skipDrawing?.(skippedBefore);
      await replay(screen, Math.min(index, screen.frames - 1), isStale);
    } catch (error) {
      screen.frame.remove();
      throw error;
    }
    skippedBefore = screen.player.missingFrom?.() ?? null;
    if (skippedBefore === null || isStale()) return screen;
    screen.frame.remove();
  }
}

async function replay(screen: Screen, index: number, isStale: () => boolean): Promise<void> {
  while (screen.position < index - 1) {
    if (isStale()) return;
    await step(screen, screen.position + 1, true);
  }
  await step(screen, index, false);
}

/** Shows the screen in front of the others, and removes those after it has been painted. */
export function bringToFront({ frame }: Screen): void {
  const others = [...(frame.parentElement?.querySelectorAll('iframe') ?? [])].filter((one) => one !== frame);
  frame.classList.add('shown');
  // Removing them earlier could show an empty frame.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      for (const other of others) if (other.classList.contains('shown')) other.remove();
    }),
  );
}
