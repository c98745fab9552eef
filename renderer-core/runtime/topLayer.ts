// Entry point of the script that runs after the runtime in pages that seem to use the browser's top layer: modal dialogs,
// popovers and view transitions.
//
// The browser crashes when it paints a view transition, or a backdrop filter in the top layer, into a canvas. So a page that
// is painted does without them, and `paintObstacle` says that its frames are wrong.
//
// In other pages, a view transition must begin in the frame that starts it, also if that frame is only passed. The browser
// needs several renderings for its beginning and its end.
import './leaveNoElement.ts';
import type { Player } from './control.ts';
import { frameOf, windowAround } from './ownPage.ts';
import { addStyle } from './styles.ts';

type Update = () => unknown;
type Options = Update | { update?: Update | null } | null | undefined;
type Transition = { ready: Promise<void>; updateCallbackDone: Promise<void>; finished: Promise<void> };
type Start = (this: unknown, options?: Options) => Transition;

/** An update of the page that waits for the composition's clock gets this many renderings. */
const patience = 10;

const opened = ':modal,:popover-open';
const noFilters = `${opened},::backdrop{backdrop-filter:none!important}`;
/** Otherwise the change of a filter could start a transition, which is stronger than `!important`. */
const noTransitions = `${opened},::backdrop{transition-duration:0s!important;transition-delay:0s!important}`;

const updateOf = (options: Options): Update | null | undefined =>
  typeof options === 'function' ? options : options?.update;

const settled = (promise: Promise<unknown>): Promise<void> =>
  promise.then(
    () => undefined,
    () => undefined,
  );

/** The page around this one renders even while a view transition holds this one back. */
async function renderings(count: number): Promise<void> {
  for (let at = 0; at < count; at++)
    await new Promise((resolve) => windowAround(window).requestAnimationFrame(resolve));
}

/** Replaces `startViewTransition` of the document and of elements. */
function replaceStart(replace: (start: Start) => Start): void {
  for (const { prototype } of [Document, Element] as unknown as { prototype: { startViewTransition?: Start } }[])
    if (prototype.startViewTransition) prototype.startViewTransition = replace(prototype.startViewTransition);
}

/** Updates the page at once, without a transition. Returns what the player needs. */
function withoutCrashes(): Pick<Player, 'paintObstacle'> {
  let obstacle: string | null = null;
  replaceStart(() => (options) => {
    obstacle ??= 'the page starts a view transition';
    const done = Promise.resolve().then(async () => {
      await updateOf(options)?.();
    });
    const transition = { ready: done, updateCallbackDone: done, finished: done, types: new Set() };
    return Object.assign(transition, { skipTransition: () => undefined });
  });
  const sheet = addStyle(document, noFilters);
  /** Sets other rules, after the browser has started the transitions of what scripts have changed before. */
  const setRules = (rules: string): void => {
    document.getAnimations();
    sheet.replaceSync(`@layer framework{${rules}}`);
  };
  const hasFilter = (element: Element, pseudo?: string): boolean =>
    !['none', ''].includes(getComputedStyle(element, pseudo).backdropFilter);
  return {
    paintObstacle() {
      const elements = obstacle === null ? [...document.querySelectorAll(opened)] : [];
      if (elements.length === 0) return obstacle;
      setRules(noTransitions);
      const isFiltered = elements.some((element) => hasFilter(element) || hasFilter(element, '::backdrop'));
      if (isFiltered) obstacle = 'a modal dialog or a popover has a backdrop-filter';
      setRules(isFiltered ? noTransitions + noFilters : noFilters);
      return obstacle;
    },
  };
}

/** Makes `settle` wait until view transitions have begun or ended. */
function withTransitions({ settle }: Player): Pick<Player, 'settle'> {
  let beginning: Promise<void>[] = [];
  let running = 0;
  replaceStart(
    (start) =>
      function (this: unknown, options) {
        const update = updateOf(options);
        let call = (): void => undefined;
        const called = new Promise<void>((resolve) => {
          call = resolve;
        });
        const watched = () => {
          call();
          return update?.();
        };
        const transition = start.call(this, typeof options === 'object' ? { ...options, update: watched } : watched);
        beginning.push(Promise.race([settled(transition.ready), called.then(() => renderings(patience))]));
        running++;
        void settled(transition.finished).then(() => running--);
        return transition;
      },
  );
  return {
    async settle() {
      await settle();
      do {
        const current = beginning;
        beginning = [];
        await Promise.all(current);
        if (running > 0) await renderings(2);
      } while (beginning.length > 0);
    },
  };
}

const player = (window as unknown as Record<symbol, Player | undefined>)[Symbol.for('framework.player')];
if (player) {
  const isPainted = frameOf(window)?.parentElement?.localName === 'canvas';
  Object.assign(player, isPainted ? withoutCrashes() : withTransitions(player));
}
