// Time in the preview: playing by the clock on the wall, scrubbing, stepping, and the picture that is exact at rest.
import { frameTime } from '../plan/frameRate.ts';
import type { PreviewProblem, PreviewState } from '../preview/messages.ts';
import { frameAt, playedFrame, type Range } from './frames.ts';
import { arrive, bringToFront, hasArrived, isOnItsWay, moveTo, openScreen, replay, type Screen } from './screen.ts';

export type Playback = {
  /** Loads the composition anew, without losing the time; once more when it is called meanwhile. */
  reload(): void;
  screen(): Screen | undefined;
  state(): PreviewState | undefined;
  play(): void;
  pause(): void;
  seek(frame: number): void;
  setSpeed(speed: number): void;
  speed(): number;
  setLoop(loop: boolean): void;
  loops(): boolean;
  /** Null: everything. */
  setRange(range: Partial<Range> | null): void;
};

export type PlaybackEvents = {
  /** A new load is in front: everything about its elements has to be read again. */
  onShown(screen: Screen): void;
  /** Time, frame or playing have changed; also while playing, once a frame. */
  onState(state: PreviewState): void;
  /** `fresh`: a load has begun, whose problems are the only ones from now on. */
  onFault(problem: PreviewProblem): void;
  onFresh(): void;
  /** It has ended, well or not. */
  onLoaded(): void;
};

/** What going through frames may take while somebody waits: while playing, scrubbing, after an edit. Milliseconds. */
const budgets = { playing: 12, still: 25, reload: 8 };
/** So long has nothing moved before the exact picture is made. */
const restMs = 150;
/** A page that waits for something that never comes must not keep out the one in which that was mended. */
const loadMs = 1500;

export function createPlayback(host: HTMLElement, events: PlaybackEvents): Playback {
  let screen: Screen | undefined;
  let wanted = 0;
  let playing = false;
  let speed = 1;
  let loop = true;
  let range: Partial<Range> = {};
  /** Where and when playing began. */
  let began = { frame: 0, at: 0 };
  let isMoving = false;
  let loading: 'no' | 'yes' | 'again' = 'no';
  let load = { since: 0, abort: new AbortController() };
  /** Grows with everything that makes an exact picture under way useless. */
  let turn = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;

  const frames = () => screen?.frames ?? 1;
  const played = (): Range => {
    const outFrame = Math.min(range.outFrame ?? frames(), frames());
    return { inFrame: Math.min(range.inFrame ?? 0, outFrame - 1), outFrame };
  };
  const state = (): PreviewState | undefined => {
    if (!screen) return undefined;
    const { rate, width, height } = screen.facts;
    const frame = playing ? Math.max(0, screen.position) : wanted;
    return {
      time: frameTime(frame, rate),
      frame,
      playing,
      exact: screen.position === wanted && isOnItsWay(screen) && hasArrived(screen),
      duration: screen.duration,
      frames: screen.frames,
      fps: rate.num / rate.den,
      width,
      height,
      ...played(),
    };
  };
  const tell = () => {
    const now = state();
    if (now) events.onState(now);
  };

  /** Moves to what is wanted until it is there: what was wanted in between is left out. */
  const move = async (): Promise<void> => {
    if (isMoving) return;
    isMoving = true;
    try {
      for (let on = screen; on && on === screen && on.position !== wanted; on = screen) {
        await moveTo(on, wanted, playing ? budgets.playing : budgets.still);
        tell();
      }
    } catch (error) {
      events.onFault({ severity: 'error', message: String((error as Error).message ?? error) });
      playing = false;
    } finally {
      isMoving = false;
    }
    if (screen && screen.position === wanted) whenAtRest();
  };

  const whenAtRest = () => {
    clearTimeout(rest);
    if (playing || !screen) return;
    if (!isOnItsWay(screen)) rest = setTimeout(() => void makeExact(), restMs);
    else if (!hasArrived(screen)) rest = setTimeout(() => void makeArrive(), restMs);
  };

  /** The same frame once more, reached through all frames before it. */
  const makeExact = async (): Promise<void> => {
    if (playing || loading !== 'no' || !screen || isOnItsWay(screen)) return;
    const mine = ++turn;
    const frame = wanted;
    const isStale = () => mine !== turn || frame !== wanted || playing || loading !== 'no';
    const other = await openScreen(host, () => undefined).catch(() => undefined);
    if (!other) return;
    try {
      if (!isStale()) await replay(other, Math.min(frame, other.frames - 1), isStale);
      if (isStale()) return other.frame.remove();
      show(other);
      whenAtRest();
    } catch {
      other.frame.remove();
    }
  };

  /** The videos' pictures, until the browser has them on the screen. Nothing moves meanwhile. */
  const makeArrive = async (): Promise<void> => {
    if (playing || isMoving || !screen) return;
    isMoving = true;
    const [mine, on] = [++turn, screen];
    await arrive(on, () => mine !== turn || playing || on !== screen);
    isMoving = false;
    tell();
    void move();
  };

  const show = (next: Screen): void => {
    screen = next;
    bringToFront(next);
    events.onShown(next);
    tell();
  };

  const loadOnce = async (): Promise<void> => {
    turn++;
    events.onFresh();
    load = { since: performance.now(), abort: new AbortController() };
    try {
      const next = await openScreen(host, events.onFault, load.abort.signal);
      if (loading === 'again') return next.frame.remove();
      const frame = Math.min(playing ? Math.max(0, screen?.position ?? 0) : wanted, next.frames - 1);
      try {
        await moveTo(next, frame, budgets.reload);
      } catch (error) {
        next.frame.remove();
        events.onFault({ severity: 'error', message: String((error as Error).message ?? error) });
        return;
      }
      if ((loading as string) === 'again') return next.frame.remove();
      wanted = playing ? wanted : frame;
      show(next);
      whenAtRest();
      void move();
    } catch {
      // Told already; the last good picture stays.
    } finally {
      events.onLoaded();
    }
  };

  const tick = (): void => {
    if (!playing) return;
    if (screen) {
      const { num, den } = screen.facts.rate;
      const elapsed = Math.floor(((performance.now() - began.at) / 1000) * speed * (num / den) + 1e-6);
      const { frame, ended } = playedFrame(began.frame, elapsed, played(), loop);
      wanted = frame;
      if (ended) playing = false;
      void move();
      if (ended) tell();
    }
    requestAnimationFrame(tick);
  };
  const start = (frame: number) => {
    began = { frame, at: performance.now() };
  };

  const playback: Playback = {
    reload() {
      if (loading !== 'no') {
        loading = 'again';
        const { abort, since } = load;
        setTimeout(() => abort.abort(), since + loadMs - performance.now());
        return;
      }
      loading = 'yes';
      void loadOnce().finally(() => {
        const isWanted = loading === 'again';
        loading = 'no';
        if (isWanted) playback.reload();
      });
    },
    screen: () => screen,
    state,
    play() {
      if (playing || !screen) return;
      const { inFrame, outFrame } = played();
      const isAtEnd = wanted >= outFrame - 1 || wanted < inFrame;
      playing = true;
      turn++;
      clearTimeout(rest);
      start(isAtEnd ? inFrame : wanted);
      tell();
      requestAnimationFrame(tick);
    },
    pause() {
      if (!playing) return;
      playing = false;
      wanted = Math.max(0, screen?.position ?? wanted);
      tell();
      whenAtRest();
    },
    seek(frame) {
      wanted = Math.min(Math.max(0, Math.round(frame)), frames() - 1);
      turn++;
      clearTimeout(rest);
      if (playing) start(wanted);
      tell();
      void move();
    },
    setSpeed(next) {
      if (playing) start(wanted);
      speed = next;
      tell();
    },
    speed: () => speed,
    setLoop(next) {
      if (playing) start(wanted);
      loop = next;
      tell();
    },
    loops: () => loop,
    setRange(next) {
      range = next === null ? {} : { ...range, ...next };
      const { inFrame = 0, outFrame = frames() } = range;
      // The mark that was set last holds.
      if (outFrame <= inFrame) range = next?.inFrame === undefined ? { outFrame } : { inFrame };
      if (playing) start(Math.min(Math.max(wanted, played().inFrame), played().outFrame - 1));
      tell();
    },
  };
  return playback;
}

/** The frame at a time of a screen. */
export const frameOf = (screen: Screen, seconds: number): number => frameAt(seconds, screen.facts.rate, screen.frames);
