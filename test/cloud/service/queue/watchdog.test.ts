// Limits of a render's time: for each frame, for all frames of its plan, and in total.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWatchdog, type TimeLimits, timeLimits } from '../../../../cloud/service/queue/watchdog.ts';
import type { FromWorker, WorkerJob } from '../../../../cloud/service/queue/workerMessages.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const local = { pages: 1, stack: null };

/** The messages of failures so far. */
function watch(limits: Partial<TimeLimits> = {}, job: Pick<WorkerJob, 'pages' | 'stack'> = local) {
  const failures: string[] = [];
  const watchdog = startWatchdog({ ...timeLimits, ...limits }, job, ({ code, message }) =>
    failures.push(`${code}: ${message}`),
  );
  return { failures, ...watchdog };
}

const planned: FromWorker = { type: 'planned', seconds: 10, frames: 300, resolution: '1080p' };
const finished = (frames: number): FromWorker => ({ type: 'progress', value: frames / 300, frames });
const otherStage: FromWorker = { type: 'progress', value: 0.5, frames: null };
const seconds = (count: number) => vi.advanceTimersByTime(count * 1000);

describe('a frame', () => {
  test('may take a minute, and only a finished one counts', () => {
    const { observe, failures } = watch();
    observe(planned);
    observe(finished(150));
    seconds(30);
    observe(finished(150));
    observe(otherStage);
    seconds(29);
    expect(failures).toEqual([]);
    seconds(1);
    expect(failures).toEqual([
      'render_timeout: Frame 151 of 300, at 5 s, took longer than 60 s, the limit for one frame.',
    ]);
  });

  test('that takes long is not known if several pages capture', () => {
    const { observe, failures } = watch({}, { pages: null, stack: null });
    observe(planned);
    observe(finished(150));
    seconds(60);
    expect(failures).toEqual([
      'render_timeout: No frame was finished for 60 s, the limit for one frame. 150 of 300 frames were finished before.',
    ]);
  });

  test('may take longer if it is the first of a long video, also when the capture starts again', () => {
    const { observe, failures } = watch({ msPerFrame: 60_000 });
    observe({ ...planned, frames: 3000, seconds: 100 });
    seconds(89);
    observe(finished(7));
    seconds(59);
    observe(finished(0));
    seconds(89);
    expect(failures).toEqual([]);
    seconds(1);
    expect(failures).toEqual([
      'render_timeout: Frame 1 of 3000, at 0 s, took longer than 90 s, the limit for one frame.',
    ]);
  });

  test('is not expected after the last one', () => {
    const { observe, failures } = watch();
    observe(planned);
    observe(finished(300));
    seconds(7 * 60 - 1);
    expect(failures).toEqual([]);
  });
});

describe('a render', () => {
  /** Finishes a frame every 20 seconds. */
  function drip(observe: (message: FromWorker) => void, count: number): void {
    for (let frame = 1; frame <= count; frame++) {
      seconds(20);
      observe(finished(frame));
    }
  }

  test.each([
    ['1080p', 20, '7 min', 300],
    ['4k', 65, '22 min', 300],
  ] as const)('of %s may take as long as its frames allow', (resolution, frames, limit, count) => {
    const { observe, failures } = watch();
    observe({ ...planned, resolution });
    drip(observe, frames);
    expect(failures).toEqual([]);
    seconds(20);
    expect(failures).toEqual([`render_timeout: The render took longer than ${limit}, the limit for ${count} frames.`]);
  });

  test('takes at most an hour', () => {
    const { observe, failures } = watch();
    observe({ ...planned, frames: 100_000 });
    drip(observe, 179);
    expect(failures).toEqual([]);
    seconds(20);
    expect(failures).toEqual(['render_timeout: The render took longer than 60 min, the limit for every render.']);
  });

  test('must be ready for its first frame after ten minutes', () => {
    const { observe, failures } = watch();
    for (let minute = 1; minute < 10; minute++) {
      seconds(60);
      observe(otherStage);
    }
    expect(failures).toEqual([]);
    seconds(60);
    expect(failures).toEqual(['render_timeout: The project was not ready for its first frame after 10 min.']);
  });

  test('on the serverless stack is alive as long as it sends messages', () => {
    const stack = { bucketName: 'b', stateMachineArn: 'arn', renderId: 'r' };
    const { observe, failures } = watch({}, { pages: null, stack });
    observe(planned);
    for (let minute = 1; minute < 50; minute++) {
      seconds(60);
      observe(otherStage);
    }
    expect(failures).toEqual([]);
    seconds(600);
    expect(failures).toEqual(['render_timeout: The render made no progress for 10 min.']);
  });

  test('that has ended does not run out of time', () => {
    const { observe, failures, stop } = watch();
    observe(planned);
    stop();
    seconds(7200);
    expect(failures).toEqual([]);
  });
});
