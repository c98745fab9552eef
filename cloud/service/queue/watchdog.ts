// Ends a worker that takes too long: for one frame, for all frames of its plan, or in total.
import type { RenderFailure } from './renderFailure.ts';
import type { FromWorker, WorkerJob } from './workerMessages.ts';

export type TimeLimits = {
  /** For the whole render, whatever its plan. */
  wallMs: number;
  /** Until the length of the video is known. */
  prepareMs: number;
  /** The longest time in which no frame is finished. */
  frameMs: number;
  /**
   * Before the first frame, this is added to `frameMs` for each frame of the video: a page may have to pass through all of
   * them before it paints one.
   */
  passMs: number;
  /** For everything after the length is known: `baseMs`, and `msPerFrame` for each frame of 1080p. */
  baseMs: number;
  msPerFrame: number;
  /** The longest time in which no message comes from a render on the serverless stack, which has limits of its own for frames. */
  idleMs: number;
};

/** A frame usually takes 10 to 200 ms, and a slow one a second (docs/internals/benchmarks.md). */
export const timeLimits: TimeLimits = {
  wallMs: 60 * 60_000,
  prepareMs: 10 * 60_000,
  frameMs: 60_000,
  passMs: 10,
  baseMs: 2 * 60_000,
  msPerFrame: 1_000,
  idleMs: 10 * 60_000,
};

/** A frame of 4k has four times as many pixels. */
const frameFactor = { '1080p': 1, '4k': 4 };

export type Watchdog = { observe(message: FromWorker): void; stop(): void };

/** Calls `onExpired` with a `render_timeout` when a limit is exceeded. */
export function startWatchdog(
  limits: TimeLimits,
  job: Pick<WorkerJob, 'pages' | 'stack'>,
  onExpired: (failure: RenderFailure) => void,
): Watchdog {
  const running = new Map<TimerName, NodeJS.Timeout>();
  const stop = (): void => {
    for (const timer of running.values()) clearTimeout(timer);
  };
  const expire = (message: string): void => {
    stop();
    onExpired({ code: 'render_timeout', message });
  };
  const timers: Timers = {
    clear: (name) => clearTimeout(running.get(name)),
    start(name, ms, message) {
      timers.clear(name);
      // Timers of more than 24 days would end at once.
      running.set(name, setTimeout(expire, Math.min(ms, limits.wallMs), message));
    },
  };
  const total = `The render took longer than ${durationText(limits.wallMs)}, the limit for every render.`;
  timers.start('render', limits.wallMs, total);
  return {
    // With one page, frames are finished in order, so the number of finished frames tells which one is late.
    observe: job.stack === null ? watchFrames(timers, limits, job.pages === 1) : watchMessages(timers, limits),
    stop,
  };
}

/** `render` and `plan` run until the end, `step` until the next frame or message. */
type TimerName = 'render' | 'plan' | 'step';
type Timers = { start(name: TimerName, ms: number, message: string): void; clear(name: TimerName): void };

function watchMessages(timers: Timers, { idleMs }: TimeLimits): () => void {
  const onMessage = () => timers.start('step', idleMs, `The render made no progress for ${durationText(idleMs)}.`);
  onMessage();
  return onMessage;
}

/** Only a frame that has left its page counts as progress. */
function watchFrames(timers: Timers, limits: TimeLimits, isInOrder: boolean): Watchdog['observe'] {
  const { prepareMs, frameMs, passMs, baseMs, msPerFrame } = limits;
  let plan: Planned | undefined;
  let finished = 0;
  const waitForFrame = (of: Planned): void => {
    const ms = frameMs + (finished === 0 ? passMs * of.frames : 0);
    if (finished >= of.frames) timers.clear('step');
    else timers.start('step', ms, lateFrame(of, finished, ms, isInOrder));
  };
  timers.start('step', prepareMs, `The project was not ready for its first frame after ${durationText(prepareMs)}.`);
  return (message) => {
    if (message.type === 'planned') {
      plan = message;
      const ms = baseMs + msPerFrame * frameFactor[message.resolution] * message.frames;
      const frames = `${message.frames} ${message.frames === 1 ? 'frame' : 'frames'}`;
      timers.start('plan', ms, `The render took longer than ${durationText(ms)}, the limit for ${frames}.`);
      waitForFrame(plan);
    } else if (message.type === 'progress' && plan && message.frames !== null && message.frames !== finished) {
      finished = message.frames;
      waitForFrame(plan);
    }
  };
}

type Planned = FromWorker & { type: 'planned' };

function lateFrame({ frames, seconds }: Planned, finished: number, ms: number, isInOrder: boolean): string {
  const limit = `${durationText(ms)}, the limit for one frame`;
  if (!isInOrder) return `No frame was finished for ${limit}. ${finished} of ${frames} frames were finished before.`;
  const at = Math.round((finished * seconds * 100) / frames) / 100;
  return `Frame ${finished + 1} of ${frames}, at ${at} s, took longer than ${limit}.`;
}

const durationText = (ms: number): string =>
  ms >= 120_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1_000))} s`;
