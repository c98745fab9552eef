// A model of renders that compete for the workers of an account: which of them end, when, and with how many events. It follows the
// retry policy of the state machine as AWS documents it: a throttled task tries again after a random time up to a growing delay.
import { eventsOf, isDistributed } from '../../../serverless/deploy/stateMachine.ts';
import { seeded } from '../../torture/random.ts';

export type RetryPolicy = {
  IntervalSeconds: number;
  BackoffRate: number;
  MaxDelaySeconds: number;
  MaxAttempts: number;
};

export type Load = {
  renders: number;
  /** Chunks of each render. */
  chunks: number;
  /** Run time of the tasks. */
  seconds: { plan: number; chunk: number; assemble: number };
  /** Workers that the account or the reservation allows. */
  workers: number;
  /** Chunks of one render that run at the same time. */
  mapConcurrency: number;
  /** Renders that run at the same time; the others are started when one has ended. */
  maxRunning: number;
  policy: RetryPolicy;
  /** Limit of an execution. */
  limitSeconds: number;
  seed: number;
};

export type Outcome = {
  succeeded: number;
  /** Renders with a task that was throttled more often than the policy allows. */
  failed: number;
  timedOut: number;
  /** Until the last render has ended. */
  hours: number;
  /** The largest number of events of an execution. */
  events: number;
  /** Share of the workers that were busy, on average until the last render has ended. */
  utilization: number;
};

/** An execution: of a render, or of a chunk of a distributed Map. */
type Execution = { events: number };
type Render = Execution & { startedAt: number; chunksStarted: number; chunksDone: number; isOver: boolean };

export function simulate(load: Load): Outcome {
  const { renders, chunks, seconds, workers, mapConcurrency, maxRunning, policy, limitSeconds } = load;
  const random = seeded(load.seed, 'throttling');
  const queue = new EventQueue();
  const counts = { succeeded: 0, failed: 0, timedOut: 0 };
  let busy = 0;
  let busySeconds = 0;
  let started = 0;
  let end = 0;

  const startNext = (now: number): void => {
    if (started >= renders) return;
    started++;
    const render: Render = {
      startedAt: now,
      chunksStarted: 0,
      chunksDone: 0,
      events: eventsOf.otherStates,
      isOver: false,
    };
    all.push(render);
    attempt(render, render, seconds.plan, 0, now, (at) => {
      for (let index = 0; index < Math.min(chunks, mapConcurrency); index++) startChunk(render, at);
    });
  };
  const startChunk = (render: Render, now: number): void => {
    render.chunksStarted++;
    const execution = isDistributed(chunks) ? { events: eventsOf.otherStates } : render;
    if (execution !== render) ofChunks.push(execution);
    execution.events += eventsOf.chunk;
    attempt(render, execution, seconds.chunk, 0, now, (at) => {
      render.chunksDone++;
      if (render.chunksStarted < chunks) startChunk(render, at);
      else if (render.chunksDone === chunks)
        attempt(render, render, seconds.assemble, 0, at, (last) => finish(render, 'succeeded', last));
    });
  };
  const attempt = (
    render: Render,
    execution: Execution,
    task: number,
    throttles: number,
    now: number,
    done: (at: number) => void,
  ): void => {
    if (render.isOver) return;
    if (now - render.startedAt > limitSeconds) finish(render, 'timedOut', render.startedAt + limitSeconds);
    else if (busy < workers) {
      busy++;
      queue.add(now + task, (at) => {
        busy--;
        busySeconds += task;
        end = at;
        if (!render.isOver) done(at);
      });
    } else {
      execution.events += eventsOf.throttled;
      if (throttles >= policy.MaxAttempts) finish(render, 'failed', now);
      else {
        const delay = Math.min(policy.MaxDelaySeconds, policy.IntervalSeconds * policy.BackoffRate ** throttles);
        queue.add(now + random.next() * delay, (at) => attempt(render, execution, task, throttles + 1, at, done));
      }
    }
  };
  const finish = (render: Render, how: keyof typeof counts, now: number): void => {
    render.isOver = true;
    counts[how]++;
    end = Math.max(end, now);
    startNext(now);
  };

  const all: Render[] = [];
  const ofChunks: Execution[] = [];
  for (let index = 0; index < Math.min(renders, maxRunning); index++) startNext(0);
  queue.run();
  const events = [...all, ...ofChunks].reduce((most, one) => Math.max(most, one.events), 0);
  return { ...counts, hours: end / 3600, events, utilization: busySeconds / (end * workers) };
}

/** A binary heap of what happens next. */
class EventQueue {
  private readonly heap: { at: number; act: (at: number) => void }[] = [];

  add(at: number, act: (at: number) => void): void {
    const { heap } = this;
    let index = heap.push({ at, act }) - 1;
    for (let parent = (index - 1) >> 1; index > 0 && at < this.at(parent); parent = (index - 1) >> 1) {
      this.swap(index, parent);
      index = parent;
    }
  }

  run(): void {
    for (let next = this.take(); next; next = this.take()) next.act(next.at);
  }

  private take(): { at: number; act: (at: number) => void } | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      const child = this.at(right) < this.at(left) ? right : left;
      if (this.at(child) >= last.at) return first;
      this.swap(index, child);
      index = child;
    }
  }

  private at(index: number): number {
    return this.heap[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  private swap(a: number, b: number): void {
    const { heap } = this;
    [heap[a], heap[b]] = [heap[b], heap[a]] as [(typeof heap)[number], (typeof heap)[number]];
  }
}
