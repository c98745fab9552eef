// What workers write about themselves while they run.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openProgress } from '../../renderer-core/serverless/chunkProgress.ts';
import { memoryBucket } from '../support/memoryBucket.ts';

test('a request that is long on its way does not undo what a later one says', async () => {
  const objects: Record<string, unknown> = {};
  let arrive: () => void = () => undefined;
  const onItsWay = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const bucket = memoryBucket(objects, [Promise.resolve(), onItsWay]);
  const worker = { memoryMb: 2048, log: { group: 'g', stream: 's', requestId: 'r' } };
  let time = 0;
  const progress = await openProgress('p.json', { index: 0, frames: 90 }, { bucket, worker, now: () => time });
  time = 10_000;
  progress.tell(40);
  time = 20_000;
  const ended = progress.end();
  await setImmediate();
  arrive();
  await ended;
  await setImmediate();
  expect(objects['p.json']).toMatchObject({ framesDone: 90, endedAt: 20_000, billedMs: 20_000 });
});
