// The browser's top layer: modal dialogs, popovers and view transitions.
//
// The browser crashes when it paints a view transition, or some effects of the top layer, into a canvas. So `obstacle` says
// that a page with them must be shown on the screen.
//
// In other pages, a view transition must begin in the frame that starts it, also if that frame is only passed. The browser
// needs several renderings for its beginning and its end.
import type { Player } from '../../runtime/control.ts';
import { frameOf, windowAround } from '../../runtime/ownPage.ts';
import type { PagePart } from '../../runtime/pagePart.ts';

type Update = () => unknown;
type Options = Update | { update?: Update | null } | null | undefined;
type Transition = { ready: Promise<void>; updateCallbackDone: Promise<void>; finished: Promise<void> };
type Start = (this: unknown, options?: Options) => Transition;

/** An update of the page that waits for the composition's clock gets this many renderings. */
const maxRenderings = 10;

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

/** `obstacle`: why the page cannot be painted as it is now; null if it can. */
export type TopLayer = { obstacle(): string | null };

/** Updates the page at once, without a transition. */
function withoutTransitions(): TopLayer {
  let obstacle: string | null = null;
  replaceStart(() => (options) => {
    obstacle ??= 'the page starts a view transition';
    const done = Promise.resolve().then(async () => {
      await updateOf(options)?.();
    });
    const transition = { ready: done, updateCallbackDone: done, finished: done, types: new Set() };
    return Object.assign(transition, { skipTransition: () => undefined });
  });
  let hasOpened = false;
  document.addEventListener('beforetoggle', () => (hasOpened = true), { capture: true });
  return {
    obstacle() {
      if (hasOpened && document.querySelector(':modal,:popover-open'))
        obstacle ??= 'a modal dialog or a popover is open';
      return obstacle;
    },
  };
}

/** Makes `settle` wait until view transitions have begun or ended. */
function withTransitions(): (player: Player) => Pick<Player, 'settle'> {
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
        beginning.push(Promise.race([settled(transition.ready), called.then(() => renderings(maxRenderings))]));
        running++;
        void settled(transition.finished).then(() => running--);
        return transition;
      },
  );
  return ({ settle }) => ({
    async settle() {
      await settle();
      do {
        const current = beginning;
        beginning = [];
        await Promise.all(current);
        if (running > 0) await renderings(2);
      } while (beginning.length > 0);
    },
  });
}

export const topLayerInPage: PagePart = {
  install({ window }) {
    const isPainted = frameOf(window)?.parentElement?.localName === 'canvas';
    return isPainted ? { handle: withoutTransitions() } : { override: withTransitions() };
  },
};
