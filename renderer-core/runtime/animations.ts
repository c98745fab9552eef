// CSS animations, CSS transitions, Web Animations and SVG's own animations follow the composition's clock.

export type AnimationSeeker = {
  /** Takes over what has begun since the last look: its time starts at the page's present moment. */
  adopt(startOf: StartOf): void;
  /**
   * Puts every animation at `ms` of the top-level time. `toggled` are the clips that have just been shown or hidden.
   * Returns whether the browser has events to send for it (an end, an iteration): they belong to this moment too.
   */
  seek(ms: number, startOf: StartOf, toggled: readonly Element[]): boolean;
};

/** Milliseconds of the top-level time at which an element's clip starts. */
type StartOf = (element: Element) => number;

/** At `origin` ms the animation is at 0. `written` and `rate` tell when the author has moved it. */
type Entry = { origin: number; written: CSSNumberish | null; rate: number; phase: number | null; waits: boolean };

export function installAnimations(window: Window & typeof globalThis, now: () => number): AnimationSeeker {
  const { document } = window;
  const known = new Map<Animation, Entry>();
  /** What the author has paused. Everything else is paused too, but moved by us. */
  const held = new WeakSet<Animation>();
  const { pause, play, reverse } = window.Animation.prototype;
  const { animate } = window.Element.prototype;
  let last = 0;
  let isFirst = true;

  /** Those that follow a scroll position or a view take care of themselves. */
  const isTimed = ({ timeline }: Animation): boolean =>
    timeline === null || timeline instanceof window.DocumentTimeline;

  /** A pause takes effect with the next rendering, some real time later, unless the time is set. */
  const stop = (animation: Animation): void => {
    pause.call(animation);
    animation.currentTime = animation.currentTime ?? 0;
  };
  const add = (animation: Animation, origin: number): Entry => {
    const entry = {
      origin,
      written: null,
      rate: animation.playbackRate,
      phase: null,
      waits: isPausedByStyle(window, animation),
    };
    known.set(animation, entry);
    return entry;
  };
  window.Element.prototype.animate = function (this: Element, ...args: Parameters<Element['animate']>) {
    const animation = animate.apply(this, args);
    if (!isTimed(animation)) return animation;
    add(animation, now());
    stop(animation);
    return animation;
  };
  window.Animation.prototype.pause = function (this: Animation) {
    held.add(this);
    if (isTimed(this)) stop(this);
    else pause.call(this);
  };
  for (const [name, start] of [['play', play] as const, ['reverse', reverse] as const]) {
    window.Animation.prototype[name] = function (this: Animation) {
      held.delete(this);
      start.call(this);
      if (!isTimed(this)) return;
      stop(this);
      rebase(this, known.get(this) ?? add(this, now()), now());
    };
  }

  // Until the first frame the machine's time passes: what begins meanwhile is stopped where it begins.
  const stopEarly = ({ target }: Event) => {
    if (!isFirst || !(target instanceof window.Element)) return;
    for (const animation of target.getAnimations({ subtree: true })) if (isTimed(animation)) stop(animation);
  };
  for (const type of ['animationstart', 'transitionrun']) window.addEventListener(type, stopEarly, true);

  const adopt = (ms: number, startOf: StartOf, toggled: readonly Element[] = []): void => {
    // getAnimations flushes style, so transitions that a script has just caused are found here.
    for (const animation of document.getAnimations()) {
      if (known.has(animation) || !isTimed(animation)) continue;
      const target = (animation.effect as KeyframeEffect | null)?.target;
      if (animation instanceof window.CSSTransition && animation.transitionProperty === 'visibility') {
        // `transition: all` must not blend a clip in or out: only the author's own changes of visibility are blended.
        if (target && toggled.some((clip) => clip.contains(target))) {
          animation.cancel();
          continue;
        }
      }
      // A CSS animation that was there from the beginning starts with its clip; one that a class brings in starts then.
      const clipStart = animation instanceof window.CSSAnimation && target ? startOf(target) : null;
      add(animation, clipStart === null ? ms : isFirst ? clipStart : Math.max(clipStart, ms));
    }
    isFirst = false;
  };

  const place = (animation: Animation, entry: Entry, ms: number): boolean => {
    if (held.has(animation)) return false;
    // What the style says now holds from now on; the time up to now passed as it said before.
    if (entry.waits) entry.origin += ms - last;
    entry.waits = isPausedByStyle(window, animation);
    const isMoved =
      entry.written !== null && (animation.currentTime !== entry.written || animation.playbackRate !== entry.rate);
    if (isMoved) rebase(animation, entry, last);
    const timing = animation.effect?.getComputedTiming() ?? {};
    const end = Number(timing.endTime ?? 0);
    // Before its clip starts an animation rests at 0 (its delay and backwards fill still apply there).
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
  };

  return {
    adopt: (startOf) => adopt(now(), startOf),
    seek(ms, startOf, toggled) {
      adopt(ms, startOf, toggled);
      let hasEvents = false;
      for (const [animation, entry] of known) {
        if (animation.playState === 'idle') known.delete(animation);
        else if (place(animation, entry, ms)) hasEvents = true;
      }
      seekSvg(document, ms, startOf);
      last = ms;
      return hasEvents;
    },
  };
}

/** Takes the animation's present time, which its author has set, for the time at `ms`. */
function rebase(animation: Animation, entry: Entry, ms: number): void {
  entry.rate = animation.playbackRate;
  if (entry.rate !== 0) entry.origin = ms - Number(animation.currentTime ?? 0) / entry.rate;
  entry.written = animation.currentTime;
}

/** `animation-play-state: paused`, which the browser no longer heeds once a script has paused the animation. */
function isPausedByStyle(window: Window & typeof globalThis, animation: Animation): boolean {
  const target = animation instanceof window.CSSAnimation ? (animation.effect as KeyframeEffect).target : null;
  if (!target) return false;
  const style = window.getComputedStyle(target, (animation.effect as KeyframeEffect).pseudoElement);
  if (!style.animationPlayState.includes('paused')) return false;
  const states = style.animationPlayState.split(', ');
  const index = style.animationName.split(', ').indexOf((animation as CSSAnimation).animationName);
  return states[Math.max(0, index) % states.length] === 'paused';
}

/** Number that changes whenever the browser would send an event: -1 before the start, then the iteration. */
function phaseAt({ delay = 0, activeDuration, duration }: ComputedEffectTiming, time: number): number {
  const active = time - delay;
  if (active < 0) return -1;
  if (active >= Number(activeDuration)) return Number.POSITIVE_INFINITY;
  return Math.floor(active / Math.max(1e-3, Number(duration)));
}

const svgAnimations = 'animate,animateTransform,animateMotion,set';

/** SVG's own animation elements run on a clock of their own in each outermost `<svg>`. */
function seekSvg(document: Document, ms: number, startOf: StartOf): void {
  for (const svg of document.getElementsByTagNameNS(
    'http://www.w3.org/2000/svg',
    'svg',
  ) as HTMLCollectionOf<SVGSVGElement>) {
    if (svg.ownerSVGElement || !svg.querySelector(svgAnimations)) continue;
    if (!svg.animationsPaused()) svg.pauseAnimations();
    svg.setCurrentTime(Math.max(0, ms - startOf(svg)) / 1000);
  }
}
