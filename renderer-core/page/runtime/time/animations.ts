// Makes CSS animations, CSS transitions, Web Animations and SVG animations follow the composition's clock.
import { outermost, watchShadowRoots } from '../shadowRoots.ts';
import { allRules } from '../styleSheets.ts';

export type AnimationSeeker = {
  /** Takes control of animations that have started since the last call. They start at the page's current time. */
  adopt(startOf: StartOf): void;
  /**
   * Seeks every animation to `ms` of the top-level time. `toggled` are the clips that have just been shown or hidden.
   * Returns whether the browser will send events (an end, an iteration), whose handlers may change this frame.
   */
  seek(ms: number, startOf: StartOf, toggled: readonly Element[]): boolean;
};

/** The top-level time in milliseconds at which an element's clip starts. */
type StartOf = (element: Element) => number;

/** The animation is at 0 at `origin` (in milliseconds). `written` and `rate` show whether a script has changed it. */
type Entry = { origin: number; written: CSSNumberish | null; rate: number; phase: number | null; waits: boolean };

type Realm = Window & typeof globalThis;

/** Call before scripts run. `now` returns the composition's time in milliseconds. */
export function installAnimations(window: Realm, now: () => number): AnimationSeeker {
  const { document } = window;
  const registry = createRegistry(window);
  interceptScripts(window, registry, now);
  let last = 0;
  let isFirst = true;

  // Real time passes before the first frame, so animations that start then are stopped at once.
  const stopEarly = ({ target }: Event) => {
    if (!isFirst || !(target instanceof window.Element)) return;
    for (const animation of target.getAnimations({ subtree: true }))
      if (isTimed(window, animation)) registry.stop(animation);
  };
  const stopEarlyIn = (target: EventTarget): void => {
    for (const type of ['animationstart', 'transitionrun'])
      target.addEventListener(type, stopEarly as EventListener, true);
  };
  stopEarlyIn(window);
  /** The document does not list the animations in its shadow roots, and does not get their events. */
  const trees: (Document | ShadowRoot)[] = [document];
  watchShadowRoots(window, (root) => {
    trees.push(root);
    stopEarlyIn(root);
  });

  const adopt = (ms: number, startOf: StartOf, toggled: readonly Element[] = []): void => {
    const startsStyles = isFirst && hasStartingStyles(document);
    // getAnimations updates styles first, so it includes transitions that a script has just caused.
    for (const animation of trees.flatMap((tree) => tree.getAnimations())) {
      if (registry.known.has(animation) || !isTimed(window, animation)) continue;
      const target = (animation.effect as KeyframeEffect | null)?.target;
      if (animation instanceof window.CSSTransition && animation.transitionProperty === 'visibility') {
        // `transition: all` must not animate the visibility that we change; only changes by the author are animated.
        if (target && toggled.some((clip) => clip.contains(outermost(target)))) {
          animation.cancel();
          continue;
        }
      }
      // A CSS animation that exists when its clip is shown starts with it; one that a class adds later starts then. So does a
      // transition from `@starting-style`, which the browser starts when it first renders the element.
      const follows =
        animation instanceof window.CSSAnimation || (startsStyles && animation instanceof window.CSSTransition);
      const clipStart = follows && target ? startOf(target) : null;
      // Captions are not rendered before they are shown.
      const isOfClip = isFirst || (target != null && toggled.some((clip) => clip.contains(outermost(target))));
      registry.add(animation, clipStart === null ? ms : isOfClip ? clipStart : Math.max(clipStart, ms));
    }
    isFirst = false;
  };

  return {
    adopt: (startOf) => adopt(now(), startOf),
    seek(ms, startOf, toggled) {
      adopt(ms, startOf, toggled);
      let hasEvents = false;
      for (const [animation, entry] of registry.known) {
        if (animation.playState === 'idle') registry.known.delete(animation);
        else if (seekOne(window, registry, animation, entry, ms, last)) hasEvents = true;
      }
      for (const tree of trees) seekSvg(tree, ms, startOf);
      last = ms;
      return hasEvents;
    },
  };
}

type Registry = {
  known: Map<Animation, Entry>;
  /** Animations that a script has paused. All others are paused too, but we move them. */
  pausedByScript: WeakSet<Animation>;
  add(animation: Animation, origin: number): Entry;
  stop(animation: Animation): void;
};

/** Call before `interceptScripts`, because it needs the browser's own `pause`. */
function createRegistry(window: Realm): Registry {
  const { pause } = window.Animation.prototype;
  const known = new Map<Animation, Entry>();
  return {
    known,
    pausedByScript: new WeakSet(),
    add(animation, origin) {
      const waits = isPausedByStyle(window, animation);
      const entry = { origin, written: null, rate: animation.playbackRate, phase: null, waits };
      known.set(animation, entry);
      return entry;
    },
    stop(animation) {
      pause.call(animation);
      // A pause takes effect at the next rendering, some real time later, unless the current time is set.
      animation.currentTime = animation.currentTime ?? 0;
    },
  };
}

const hasStartingStyles = (document: Document): boolean =>
  [...allRules(document)].some(({ rule }) => rule.constructor.name === 'CSSStartingStyleRule');

/** Scroll-driven animations do not depend on time. */
function isTimed(window: Realm, { timeline }: Animation): boolean {
  return timeline === null || timeline instanceof window.DocumentTimeline;
}

/** Replaces the methods with which scripts start and pause animations. */
function interceptScripts(window: Realm, { known, pausedByScript, add, stop }: Registry, now: () => number): void {
  const { pause, play, reverse } = window.Animation.prototype;
  const { animate } = window.Element.prototype;
  window.Element.prototype.animate = function (this: Element, ...args: Parameters<Element['animate']>) {
    const animation = animate.apply(this, args);
    if (!isTimed(window, animation)) return animation;
    add(animation, now());
    stop(animation);
    return animation;
  };
  window.Animation.prototype.pause = function (this: Animation) {
    pausedByScript.add(this);
    if (isTimed(window, this)) stop(this);
    else pause.call(this);
  };
  for (const [name, start] of [['play', play] as const, ['reverse', reverse] as const]) {
    window.Animation.prototype[name] = function (this: Animation) {
      pausedByScript.delete(this);
      start.call(this);
      if (!isTimed(window, this)) return;
      stop(this);
      rebase(this, known.get(this) ?? add(this, now()), now());
    };
  }
}

/** Seeks one animation from `last` to `ms`. Returns whether the browser will send events for it. */
function seekOne(
  window: Realm,
  { pausedByScript, stop }: Registry,
  animation: Animation,
  entry: Entry,
  ms: number,
  last: number,
): boolean {
  if (pausedByScript.has(animation)) return false;
  // A change of animation-play-state applies from now on, not to the time since the last seek.
  if (entry.waits) entry.origin += ms - last;
  entry.waits = isPausedByStyle(window, animation);
  const isMoved =
    entry.written !== null && (animation.currentTime !== entry.written || animation.playbackRate !== entry.rate);
  if (isMoved) rebase(animation, entry, last);
  const timing = animation.effect?.getComputedTiming() ?? {};
  const end = Number(timing.endTime ?? 0);
  // Before its clip starts, an animation stays at 0, where its delay and backwards fill still apply.
  const target = Math.max(0, (ms - entry.origin) * animation.playbackRate);
  const isDone = Number.isFinite(end) && (animation.playbackRate < 0 ? target <= 0 : target >= end);
  if (isDone && animation.playState !== 'finished') animation.finish();
  if (!isDone) {
    if (animation.playState !== 'paused') stop(animation);
    if (animation.currentTime !== target) animation.currentTime = target;
  }
  entry.written = animation.currentTime;
  const phase = isDone ? Number.POSITIVE_INFINITY : phaseAt(timing, target);
  const hasEvents =
    phase !== entry.phase &&
    (isDone || animation instanceof window.CSSAnimation || animation instanceof window.CSSTransition);
  entry.phase = phase;
  return hasEvents;
}

/** Makes the current time of the animation, which a script has set, its time at `ms`. */
function rebase(animation: Animation, entry: Entry, ms: number): void {
  entry.rate = animation.playbackRate;
  if (entry.rate !== 0) entry.origin = ms - Number(animation.currentTime ?? 0) / entry.rate;
  entry.written = animation.currentTime;
}

/** Whether the style has `animation-play-state: paused`. Browsers ignore it after a script has paused the animation. */
function isPausedByStyle(window: Window & typeof globalThis, animation: Animation): boolean {
  const target = animation instanceof window.CSSAnimation ? (animation.effect as KeyframeEffect).target : null;
  if (!target) return false;
  const style = window.getComputedStyle(target, (animation.effect as KeyframeEffect).pseudoElement);
  if (!style.animationPlayState.includes('paused')) return false;
  const states = style.animationPlayState.split(', ');
  const index = style.animationName.split(', ').indexOf((animation as CSSAnimation).animationName);
  return states[Math.max(0, index) % states.length] === 'paused';
}

/** A number that changes whenever the browser sends an event: -1 before the start, then the iteration. */
function phaseAt({ delay = 0, activeDuration, duration }: ComputedEffectTiming, time: number): number {
  const active = time - delay;
  if (active < 0) return -1;
  if (active >= Number(activeDuration)) return Number.POSITIVE_INFINITY;
  return Math.floor(active / Math.max(1e-3, Number(duration)));
}

const svgAnimations = 'animate,animateTransform,animateMotion,set';

/** Each outermost `<svg>` has its own clock for SVG animation elements. */
function seekSvg(tree: Document | ShadowRoot, ms: number, startOf: StartOf): void {
  for (const svg of tree.querySelectorAll('svg')) {
    if (svg.ownerSVGElement || !svg.querySelector(svgAnimations)) continue;
    if (!svg.animationsPaused()) svg.pauseAnimations();
    svg.setCurrentTime(Math.max(0, ms - startOf(svg)) / 1000);
  }
}
