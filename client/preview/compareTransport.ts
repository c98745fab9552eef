// One transport for two previews: plays, pauses and seeks both, so that they show the same time. Runs in the webview.
import type { PreviewState, ToPage } from '../../preview/messages.ts';
import { type Side, sides } from './compareMessages.ts';

/** What the controls show. Times in seconds. */
export type TransportState = { playing: boolean; time: number; duration: number; frame: number; frames: number };

export type CompareTransport = {
  togglePlay(): void;
  /** Does nothing if it is paused. */
  pause(): void;
  seek(time: number): void;
  /** Pauses and moves by frames. */
  step(frames: number): void;
  /** A page has loaded, for the first time or after a change of its values. */
  shown(side: Side): void;
  /** The time of a page has changed. */
  update(side: Side, state: PreviewState): void;
};

export function createCompareTransport(
  post: (side: Side, message: ToPage) => void,
  show: (state: TransportState) => void,
): CompareTransport {
  const states = new Map<Side, PreviewState>();
  let playing = false;
  /** The time of both; undefined until a page has chosen its poster frame. */
  let time: number | undefined;
  const both = (message: ToPage) => {
    for (const side of sides) post(side, message);
  };
  /** The values can change the length. The longer video has the time. */
  const leader = (): PreviewState | undefined =>
    [...states.values()].sort((one, other) => other.duration - one.duration)[0];
  const frameOf = ({ fps }: PreviewState): number => 1 / fps;
  const isPastEnd = (state: PreviewState): boolean => (time ?? 0) > state.duration - 1.5 * frameOf(state);
  /** A page at its end would start again from its start: the shorter video stays at its last frame. */
  const playIfBeforeEnd = (side: Side) => {
    const state = states.get(side);
    if (!state || !isPastEnd(state)) post(side, { framework: 'preview', type: 'play' });
  };

  function notify(): void {
    const state = leader();
    if (!state) return;
    const { duration, frames, fps } = state;
    show({ playing, time: time ?? 0, duration, frame: Math.round((time ?? 0) * fps), frames });
  }
  function seek(to: number): void {
    const state = leader();
    if (!state) return;
    time = Math.min(Math.max(0, to), state.duration - frameOf(state));
    both({ framework: 'preview', type: 'seek', time });
    notify();
  }
  function play(): void {
    playing = true;
    for (const side of sides) playIfBeforeEnd(side);
    notify();
  }
  function pause(): void {
    playing = false;
    both({ framework: 'preview', type: 'pause' });
    // They stop a moment after each other.
    seek(time ?? 0);
  }
  return {
    togglePlay() {
      const state = leader();
      if (playing || !state) return pause();
      if (isPastEnd(state)) seek(0);
      play();
    },
    pause: () => playing && pause(),
    seek,
    step(frames) {
      const state = leader();
      if (!state) return;
      if (playing) pause();
      seek((time ?? 0) + frames * frameOf(state));
    },
    shown(side) {
      if (time === undefined) return;
      post(side, { framework: 'preview', type: 'seek', time });
      if (playing) playIfBeforeEnd(side);
    },
    update(side, state) {
      states.set(side, state);
      if (time === undefined) {
        time = state.time;
        for (const other of sides) if (other !== side) post(other, { framework: 'preview', type: 'seek', time });
      }
      const first = leader();
      if (playing && state === first) time = state.time;
      notify();
      // Each page stops at its end; both start again together.
      const isAtEnd = first && !first.playing && first.time > first.duration - 1.5 * frameOf(first);
      if (playing && isAtEnd) {
        // Until the pages report that they play again, messages of the other page must not start both once more.
        for (const [one, last] of states) states.set(one, { ...last, time: 0, playing: true });
        seek(0);
        play();
      }
    },
  };
}
