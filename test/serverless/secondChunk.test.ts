// A worker that has finished its chunk renders a slow one, too, and the worker of the slow one stops.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChunkRenderer } from '../../renderer-core/render/chunkRender.ts';
import type { Bucket } from '../../serverless/bucket.ts';
import type { ChunkProgress } from '../../serverless/chunkProgress.ts';
import { chunkStep } from '../../serverless/chunkStep.ts';
import type { ChunkResult } from '../../serverless/execution.ts';
import { keys } from '../../serverless/keys.ts';
import { startStopwatch } from '../../serverless/stageTimes.ts';
import { factsKey, type StepContext, segmentKey } from '../../serverless/stepContext.ts';
import type { StoredPlan } from '../../serverless/storedRender.ts';
import { memoryBucket } from '../support/memoryBucket.ts';

const input = { version: 1, renderId: 'r-1', bucket: 'results', siteId: 's', outputKey: 'a.mp4' } as const;
const chunks = [0, 1, 2].map((index) => ({ index, start: index * 101, end: (index + 1) * 101 }));
const stored = {
  plan: { chunks, frames: 303, format: 'mp4', codec: 'h264', quality: 'standard' },
  capture: { path: 'paint' },
  siteId: 's',
  codeVersion: 'code',
} as unknown as StoredPlan;
const segment = (index: number) => segmentKey('r-1', stored, index);
const log = { group: 'g', stream: 's', requestId: 'r' };

/** What the worker of a chunk has written that began at 0 and has captured frames since 2 s. */
const progressOf = (index: number, framesDone: number, updatedAt: number): ChunkProgress => ({
  ...{ index, frames: 101, framesDone, startedAt: 0, firstFrameAt: 2000, updatedAt, endedAt: null, isReused: false },
  ...{ attempts: 1, billedMs: updatedAt, memoryMb: 2048, log, error: null, times: null },
});

/** The render after 20 s: chunk 0 has begun now, chunk 1 captures a frame each second, chunk 2 has finished. */
const slowSecond = (): Record<string, unknown> => ({
  'plan.json': stored,
  [keys.progress('r-1', 1)]: progressOf(1, 18, 20_000),
  [keys.progress('r-1', 2)]: { ...progressOf(2, 101, 15_000), endedAt: 15_000 },
  [segment(2)]: 'segment of chunk 2',
});

type Worker = {
  result: Promise<ChunkResult>;
  rendered: number[];
  isClosed: boolean;
  /** The requests of its bucket, without the plan. */
  requests: string[];
};

type Given = {
  /** Replaces the rendering of chunks, which needs 0.1 s for each frame. */
  render?: (index: number, rest: () => Promise<string>) => Promise<string>;
  bucket?: Partial<Bucket>;
  onPause?: () => void;
};

/** Begins chunk 0 at 20 s. */
function startWorker(objects: Record<string, unknown>, { render, bucket, onPause }: Given = {}): Worker {
  let time = 20_000;
  const worker: Worker = { result: undefined as never, rendered: [], isClosed: false, requests: [] };
  const renderer: ChunkRenderer = {
    async render(_planned, index, folder, onEvent) {
      worker.rendered.push(index);
      const path = join(folder, 'segment');
      const rest = async () => {
        const frames = {
          type: 'frames',
          total: 101,
          fraction: 0.5,
          framesPerSecond: 10,
          remainingSeconds: null,
        } as const;
        onEvent?.({ ...frames, done: 1 });
        time += 10_000;
        onEvent?.({ ...frames, done: 101 });
        return `segment of chunk ${index}`;
      };
      await writeFile(path, await (render ? render(index, rest) : rest()));
      return { index, path, frames: 101, pages: 1, sounds: null, fonts: null, warnings: [] };
    },
    async close() {
      worker.isClosed = true;
    },
  };
  const all = { ...memoryBucket(objects), ...bucket };
  const recorded = new Proxy(all, {
    get(target, name: keyof Bucket) {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (key: string, ...rest: unknown[]) => {
        if (key !== 'plan.json') worker.requests.push(`${name} ${key.replace('intermediate/r-1/', '')}`);
        return (value as (...all: unknown[]) => unknown)(key, ...rest);
      };
    },
  });
  const context: StepContext = {
    bucket: recorded,
    ...{ projectDir: '/', codeVersion: 'code', signal: new AbortController().signal },
    worker: { memoryMb: 2048, log },
    stopwatch: startStopwatch(() => time, true),
    deadlineAt: 900_000,
    now: () => time,
    async pause() {
      await new Promise((resolve) => setImmediate(resolve));
      onPause?.();
    },
  };
  worker.result = chunkStep(input, 'plan.json', 0, async () => renderer, context);
  return worker;
}

const own = { index: 0, frames: 101, bytes: 18, isReused: false };

test('a worker renders a slow chunk after its own', async () => {
  const objects = slowSecond();
  const worker = startWorker(objects);
  expect(await worker.result).toEqual({ ...own, elapsedMs: 10_000 });
  expect(worker.rendered).toEqual([0, 1]);
  expect(objects).toMatchObject({
    [keys.progress('r-1', 0)]: { endedAt: 30_000, billedMs: 10_000, isReused: false },
    [segment(1)]: Buffer.from('segment of chunk 1'),
    [factsKey(segment(1))]: { sounds: null, fonts: null, warnings: [] },
    [keys.secondStart('r-1', 1)]: { index: 1, workerOf: 0, startedAt: 30_000, endedAt: 40_000, hasUploaded: true, log },
  });
});

test('a worker stops when its segment has been uploaded by another one', async () => {
  const objects: Record<string, unknown> = { 'plan.json': stored };
  let pauses = 0;
  const worker = startWorker(objects, {
    render: () => new Promise(() => undefined),
    onPause: () => {
      if (++pauses === 3) objects[segment(0)] = 'segment of chunk 0';
    },
  });
  expect(await worker.result).toEqual({ ...own, elapsedMs: 0, isReused: true });
  expect(worker).toMatchObject({ isClosed: true, rendered: [0] });
  expect(objects[keys.progress('r-1', 0)]).toMatchObject({ endedAt: 20_000, isReused: true, framesDone: 101 });
});

test('a failed request does not stop a worker', async () => {
  let pauses = 0;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const size = async () => {
    if (pauses > 0 && pauses < 3) throw new Error('slow down');
    return undefined;
  };
  const worker = startWorker(
    { 'plan.json': stored },
    { bucket: { size }, render: (_index, rest) => finished.then(rest), onPause: () => ++pauses === 3 && finish() },
  );
  expect(await worker.result).toMatchObject({ isReused: false });
});

test('the second worker stops when the first one has finished', async () => {
  const objects = slowSecond();
  const worker = startWorker(objects, {
    render: (index, rest) => (index === 0 ? rest() : new Promise(() => undefined)),
    onPause: () => {
      if (worker.rendered.includes(1)) objects[keys.progress('r-1', 1)] = { ...progressOf(1, 101, 0), endedAt: 35_000 };
    },
  });
  expect(await worker.result).toMatchObject(own);
  expect(worker.isClosed).toBe(true);
  expect(objects).not.toHaveProperty([segment(1)]);
  expect(objects[keys.secondStart('r-1', 1)]).toMatchObject({ endedAt: 30_000, hasUploaded: false });
});

test('only one of two workers renders a slow chunk', async () => {
  const objects = slowSecond();
  const claim = async () => {
    objects[keys.secondStart('r-1', 1)] = { workerOf: 2 };
    return memoryBucket(objects).createJson(keys.secondStart('r-1', 1), {});
  };
  const worker = startWorker(objects, { bucket: { createJson: claim } });
  expect(await worker.result).toMatchObject(own);
  expect(worker.rendered).toEqual([0]);
  expect(objects[keys.secondStart('r-1', 1)]).toEqual({ workerOf: 2 });
});

test.each<[string, Given]>([
  [
    'the second chunk fails',
    { render: (index, rest) => (index === 0 ? rest() : Promise.reject(new Error('no font'))) },
  ],
  ['the bucket cannot be listed', { bucket: { list: () => Promise.reject(new Error('slow down')) } }],
])('a chunk is finished although %s', async (_what, given) => {
  const objects = slowSecond();
  const worker = startWorker(objects, given);
  expect(await worker.result).toMatchObject(own);
  expect(objects[keys.progress('r-1', 0)]).toMatchObject({ endedAt: 30_000, error: null });
  expect(objects).not.toHaveProperty([segment(1)]);
});

/** The requests after the own chunk has been uploaded. */
async function laterRequests(objects: Record<string, unknown>): Promise<string[]> {
  const worker = startWorker(objects);
  await worker.result;
  return worker.requests.slice(worker.requests.lastIndexOf(`size ${segment(0).replace('intermediate/r-1/', '')}`) + 1);
}

test('looking for a slow chunk is one request while others wait or most still run', async () => {
  const waiting = slowSecond();
  delete waiting[keys.progress('r-1', 1)];
  expect(await laterRequests(waiting)).toEqual(['list ']);
  const early = slowSecond();
  delete early[segment(2)];
  expect(await laterRequests(early)).toEqual(['list ']);
});

test('the progress of finished and claimed chunks is not read', async () => {
  const fast = { ...slowSecond(), [keys.progress('r-1', 1)]: progressOf(1, 90, 30_000) };
  expect(await laterRequests(fast)).toEqual(['list ', 'getJson progress/00001.json']);
  const claimed = { ...slowSecond(), [keys.secondStart('r-1', 1)]: {} };
  expect(await laterRequests(claimed)).toEqual(['list ']);
});

test('a chunk that has failed gets a free worker, and no second one', async () => {
  const error = { code: 'page_crashed', message: 'The page crashed' };
  const objects = { ...slowSecond(), [keys.progress('r-1', 1)]: { ...progressOf(1, 18, 20_000), error } };
  const worker = startWorker(objects);
  await worker.result;
  expect(worker.rendered).toEqual([0]);
});
