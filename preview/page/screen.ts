// One load of the composition in a frame of its own: opened unseen, moved from frame to frame, shown when it is right.
import { mediaOpener } from '../capture/openMedia.ts';
import { type ReadableMedia, readableMediaPath, videoFileScript } from '../capture/protocol.ts';
import { frameCount, frameTime } from '../plan/frameRate.ts';
import { type PageFacts, type Watcher, watcherSymbol } from '../preview/facts.ts';
import type { PreviewProblem } from '../preview/messages.ts';
import type { OpenMedia, Player } from '../runtime/control.ts';
import { problemOf, watchFaults } from './faults.ts';
import { compositionUrl, knownUrl, pathOf, under } from './link.ts';

export type Screen = {
  frame: HTMLIFrameElement;
  player: Player;
  facts: PageFacts;
  /** Seconds, and frames. */
  duration: number;
  frames: number;
  /** The frame that it shows; -1 before the first. */
  position: number;
  /** Some frames before this one were left out. */
  jumped: boolean;
  /** The position at which the browser is known to show the videos' pictures. */
  arrivedAt: number;
};

type Opening = { frame: HTMLIFrameElement; facts?: PageFacts; onFault: (problem: PreviewProblem) => void };

const openings = new Set<Opening>();

/** Called by every composition's page before its scripts. */
const watcher: Watcher = (page, facts) => {
  const opening = [...openings].find(({ frame }) => frame.contentWindow === page);
  if (!opening) return;
  opening.facts = facts;
  Object.assign(opening.frame.style, { width: `${facts.width}px`, height: `${facts.height}px` });
  watchFaults(page, facts, opening.onFault);
};
Object.assign(window, { [Symbol.for(watcherSymbol)]: watcher });

const openMedia = mediaOpener({
  script: under(videoFileScript.slice(1)),
  async ask(url) {
    const query = new URLSearchParams({ url: knownUrl(url) });
    const answer: ReadableMedia = await (await fetch(`${under(readableMediaPath.slice(1))}?${query}`)).json();
    return 'problem' in answer || answer.video === null ? answer : { ...answer, video: under(answer.video.slice(1)) };
  },
});

/**
 * Loads the composition into a new frame in `host`, behind those that are there. Rejects when it cannot be shown; what is
 * wrong has been told to `onFault` then. Whoever no longer wants it removes the frame, or aborts while it loads.
 */
export async function openScreen(
  host: HTMLElement,
  onFault: (problem: PreviewProblem) => void,
  signal?: AbortSignal,
): Promise<Screen> {
  const frame = document.createElement('iframe');
  // Without the right to leave: a composition stays on its page, and asks nobody anything.
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  const opening: Opening = { frame, onFault };
  openings.add(opening);
  const unwanted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('no longer wanted')), { once: true });
  });
  unwanted.catch(() => undefined);
  try {
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.src = compositionUrl();
    host.prepend(frame);
    await Promise.race([loaded, unwanted]);
    const page = frame.contentWindow as unknown as Record<symbol, Player | undefined> | null;
    const player = page?.[Symbol.for('framework.player')];
    const { facts } = opening;
    if (!player || !facts) throw new Error('The composition has left its page.');
    // What the render refuses is shown as far as it can be, beside what is wrong with it.
    const forgive = (error: unknown) => onFault(problemOf(error));
    const openOrForgive: OpenMedia = (url, pictures) =>
      openMedia(url, pictures).catch((error: Error) => {
        onFault(problemOf(new Error(`${decodeURI(pathOf(url) ?? url)}: ${error.message}`)));
        return { duration: 0, hasAudio: false, isOpaque: false, pictureAt: async () => null };
      });
    await Promise.race([player.ready(openOrForgive, forgive), unwanted]);
    const duration = facts.duration ?? player.naturalDuration();
    if (duration === null) throw new Error('The length is not known: put data-duration on the root.');
    return {
      frame,
      player,
      facts,
      duration,
      frames: frameCount(duration, facts.rate),
      position: -1,
      jumped: false,
      arrivedAt: -1,
    };
  } catch (error) {
    frame.remove();
    if (!signal?.aborted) onFault(problemOf(error));
    throw error;
  } finally {
    openings.delete(opening);
  }
}

/** Whether the page is as it is after every frame up to this one. */
export const isOnItsWay = ({ jumped, player }: Screen): boolean => !jumped || !player.dependsOnWay();

/** Whether the browser shows what the page says: its compositor gets the pictures of videos apart from the page. */
export const hasArrived = ({ frame, arrivedAt, position }: Screen): boolean =>
  arrivedAt === position || !frame.contentDocument?.querySelector('video');

/** Makes sure of that, unless `isStale` says that nobody wants it any more. */
export async function arrive(screen: Screen, isStale: () => boolean): Promise<void> {
  // A script may have taken the video away meanwhile.
  await screen.player.arrived(isStale).catch(() => undefined);
  if (!isStale()) screen.arrivedAt = screen.position;
}

async function step(screen: Screen, index: number, passing: boolean): Promise<void> {
  screen.player.seek(frameTime(index, screen.facts.rate), passing);
  await screen.player.settle();
  screen.position = index;
}

/** More are never passed through in a millisecond: what is further away than the budget allows is not begun. */
const framesPerMs = 3;

/**
 * Goes to a frame, through those before it as long as `budgetMs` lasts, and while that still makes the picture exact.
 * Rejects with what the page says is wrong.
 */
export async function moveTo(screen: Screen, index: number, budgetMs: number): Promise<void> {
  if (index === screen.position) return;
  if (index < screen.position) screen.jumped = true;
  else {
    const until = performance.now() + budgetMs;
    while (screen.position < index - 1 && !screen.jumped) {
      const left = until - performance.now();
      if (index - screen.position > left * framesPerMs) screen.jumped = true;
      else await step(screen, screen.position + 1, true);
    }
  }
  await step(screen, index, false);
}

/** Goes through every frame up to `index`, unless `isStale` says that nobody wants it any more. */
export async function replay(screen: Screen, index: number, isStale: () => boolean): Promise<void> {
  while (screen.position < index - 1) {
    if (isStale()) return;
    await step(screen, screen.position + 1, true);
  }
  await step(screen, index, false);
}

/** Shows it in front of the others, which go once it has been drawn. */
export function bringToFront({ frame }: Screen): void {
  const others = [...(frame.parentElement?.querySelectorAll('iframe') ?? [])].filter((one) => one !== frame);
  frame.classList.add('shown');
  // Still there until the browser has drawn what is in front of them: no moment shows nothing.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      for (const other of others) if (other.classList.contains('shown')) other.remove();
    }),
  );
}
