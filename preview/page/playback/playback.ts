// Playback in the preview: playing in real time, scrubbing and stepping, and the exact frame when it is paused.
import { frameTime } from '../../../renderer-core/model/frameGrid.ts';
import type { PreviewProblem, PreviewState } from '../../messages.ts';
import { frameAt, type Range } from '../frames.ts';
import { Reloader } from '../reloader.ts';
import {
  bringToFront,
  hasArrived,
  isExact,
  moveTo,
  moveToPoster,
  openExactScreen,
  openScreen,
  type Screen,
  waitForVideos,
} from '../screen.ts';
import { PlayClock } from './playClock.ts';

export type PlaybackEvents = {
  /** A new screen is in front. Everything about its elements must be read again. */
  onShown(screen: Screen): void;
  /** Time, frame or playing have changed. Called for every played frame. */
  onState(state: PreviewState): void;
  onProblem(problem: PreviewProblem): void;
  /** A load has started. Problems of earlier loads are obsolete. */
  onReload(): void;
  /** A load has ended, with or without success. */
  onLoaded(): void;
  /** Whether the user is changing an element, so that its page stays in front until `rest` is called. */
  isInUse(): boolean;
};

/** How long moving through frames may take before it is noticeable, in milliseconds. */
const budgets = { playing: 12, paused: 25, reload: 8 };
/** The exact frame is made after this time without a movement, in milliseconds. */
const restMs = 150;

const problemOf = (error: unknown): PreviewProblem => ({
  severity: 'error',
  message: String((error as Error).message ?? error),
});

export class Playback {
  screen: Screen | undefined;
  private readonly host: HTMLElement;
  private readonly events: PlaybackEvents;
  private readonly clock = new PlayClock();
  private readonly reloader = new Reloader((signal) => this.load(signal));
  /** The frame to show. `screen.position` follows it. */
  private wanted = 0;
  private poster = 0;
  private isPlaying = false;
  /** Until the user plays, pauses or seeks. */
  private isPlayingOnce = false;
  private isMoving = false;
  /** Increases with everything that makes work on the exact frame obsolete. */
  private turn = 0;
  private resting: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HTMLElement, events: PlaybackEvents) {
    this.host = host;
    this.events = events;
  }

  /** Plays from the start to the end, and then shows the poster frame. */
  playOnce(): void {
    if (!this.screen || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.seek(0);
    this.play();
    this.isPlayingOnce = true;
  }

  /** Loads the composition again and keeps the time. */
  reload(): void {
    this.reloader.request();
  }

  play(): void {
    if (this.isPlaying || !this.screen) return;
    const { inFrame, outFrame } = this.clock.range(this.frames);
    const isAtEnd = this.wanted >= outFrame - 1 || this.wanted < inFrame;
    this.isPlaying = true;
    this.cancelRest();
    this.clock.startAt(isAtEnd ? inFrame : this.wanted, performance.now());
    this.notify();
    requestAnimationFrame(() => this.tick());
  }

  pause(): void {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.isPlayingOnce = false;
    this.wanted = Math.max(0, this.screen?.position ?? this.wanted);
    this.notify();
    this.rest();
  }

  seek(frame: number): void {
    this.isPlayingOnce = false;
    this.wanted = Math.min(Math.max(0, Math.round(frame)), this.frames - 1);
    this.cancelRest();
    this.restartClock(this.wanted);
    this.notify();
    void this.move();
  }

  get speed(): number {
    return this.clock.speed;
  }

  set speed(speed: number) {
    this.restartClock(this.wanted);
    this.clock.speed = speed;
    this.notify();
  }

  get isLooping(): boolean {
    return this.clock.isLooping;
  }

  set isLooping(isLooping: boolean) {
    this.restartClock(this.wanted);
    this.clock.isLooping = isLooping;
    this.notify();
  }

  /** Sets one or both ends of the played range. Null: all frames. */
  setRange(range: Partial<Range> | null): void {
    this.clock.setRange(range, this.frames);
    const { inFrame, outFrame } = this.clock.range(this.frames);
    this.restartClock(Math.min(Math.max(this.wanted, inFrame), outFrame - 1));
    this.notify();
  }

  private get frames(): number {
    return this.screen?.frames ?? 1;
  }

  private restartClock(frame: number): void {
    if (this.isPlaying) this.clock.startAt(frame, performance.now());
  }

  private tick(): void {
    if (!this.isPlaying) return;
    if (this.screen) {
      const isLooping = this.isLooping && !this.isPlayingOnce;
      const { rate } = this.screen.facts;
      const { frame, ended } = this.clock.frameAt(performance.now(), rate, this.frames, isLooping);
      const isAtPoster = ended && this.isPlayingOnce;
      this.wanted = isAtPoster ? this.poster : frame;
      if (ended) this.isPlaying = this.isPlayingOnce = false;
      void this.move();
      if (ended) this.notify();
    }
    requestAnimationFrame(() => this.tick());
  }

  private notify(): void {
    const { screen } = this;
    if (!screen) return;
    const { rate, width, height } = screen.facts;
    const frame = this.isPlaying ? Math.max(0, screen.position) : this.wanted;
    this.events.onState({
      time: frameTime(frame, rate),
      frame,
      playing: this.isPlaying,
      exact: screen.position === this.wanted && isExact(screen) && hasArrived(screen),
      hdr: screen.hdr,
      duration: screen.duration,
      frames: screen.frames,
      fps: rate.num / rate.den,
      width,
      height,
      ...this.clock.range(screen.frames),
    });
  }

  private show(screen: Screen): void {
    this.screen = screen;
    bringToFront(screen);
    this.events.onShown(screen);
    this.notify();
  }

  /** Moves the screen to the wanted frame. Frames that were wanted in the meantime are skipped. */
  private async move(): Promise<void> {
    if (this.isMoving) return;
    this.isMoving = true;
    try {
      for (let on = this.screen; on && on === this.screen && on.position !== this.wanted; on = this.screen) {
        await moveTo(on, this.wanted, this.isPlaying ? budgets.playing : budgets.paused);
        this.notify();
      }
    } catch (error) {
      this.events.onProblem(problemOf(error));
      this.isPlaying = false;
    } finally {
      this.isMoving = false;
    }
    if (this.screen?.position === this.wanted) this.rest();
  }

  private cancelRest(): void {
    this.turn++;
    clearTimeout(this.resting);
  }

  /** Makes the frame exact if nothing moves for a while. */
  rest(): void {
    clearTimeout(this.resting);
    if (this.isPlaying || !this.screen) return;
    if (!isExact(this.screen)) this.resting = setTimeout(() => void this.makeExact(), restMs);
    else if (!hasArrived(this.screen)) this.resting = setTimeout(() => void this.presentVideos(), restMs);
  }

  /** Loads the composition again and steps through all frames up to the wanted one. */
  private async makeExact(): Promise<void> {
    const isBusy = () => this.isPlaying || this.reloader.isLoading || this.events.isInUse();
    if (isBusy() || !this.screen || isExact(this.screen)) return;
    const turn = ++this.turn;
    const frame = this.wanted;
    const isStale = () => turn !== this.turn || frame !== this.wanted || isBusy();
    const screen = await openExactScreen(this.host, frame, isStale).catch((error) => {
      if (!isStale()) this.events.onProblem(problemOf(error));
      return undefined;
    });
    if (!screen || isStale()) return screen?.frame.remove();
    this.show(screen);
    this.rest();
  }

  /** Waits until the browser shows the frames of videos. Nothing moves during that time. */
  private async presentVideos(): Promise<void> {
    if (this.isPlaying || this.isMoving || !this.screen) return;
    this.isMoving = true;
    const [turn, screen] = [++this.turn, this.screen];
    await waitForVideos(screen, () => turn !== this.turn || this.isPlaying || screen !== this.screen);
    this.isMoving = false;
    this.notify();
    void this.move();
  }

  private async load(signal: AbortSignal): Promise<void> {
    this.turn++;
    this.events.onReload();
    try {
      const screen = await openScreen(this.host, this.events.onProblem, signal);
      if (this.reloader.isOutdated) return screen.frame.remove();
      await this.replaceScreen(screen);
    } catch {
      // `onProblem` was called, and the last screen without errors stays.
    } finally {
      this.events.onLoaded();
    }
  }

  /** Shows a new screen at the time of the current one. */
  private async replaceScreen(screen: Screen): Promise<void> {
    const isFirst = this.screen === undefined;
    const current = this.isPlaying ? Math.max(0, this.screen?.position ?? 0) : this.wanted;
    let frame = Math.min(current, screen.frames - 1);
    try {
      if (isFirst) this.poster = frame = await moveToPoster(screen, budgets.reload);
      else await moveTo(screen, frame, budgets.reload);
    } catch (error) {
      screen.frame.remove();
      this.events.onProblem(problemOf(error));
      return;
    }
    if (this.reloader.isOutdated) return screen.frame.remove();
    // The user may have moved to another frame in the meantime; `move` goes there.
    if (!this.isPlaying) this.wanted = isFirst ? frame : Math.min(this.wanted, screen.frames - 1);
    this.show(screen);
    this.rest();
    void this.move();
  }
}

/** The frame at a time of a screen. */
export const frameOf = (screen: Screen, seconds: number): number => frameAt(seconds, screen.facts.rate, screen.frames);
