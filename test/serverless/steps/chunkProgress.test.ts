// The progress that workers write to the bucket.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openChunkProgress } from '../../../serverless/steps/chunkProgress.ts';
import { memoryBucket } from '../../support/servers/memoryBucket.ts';

test('does not let a slow write overwrite a later one', async () => {
  const objects: Record<string, unknown> = {};
  let arrive: () => void = () => undefined;
  const onItsWay = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const bucket = memoryBucket(objects, [Promise.resolve(), onItsWay]);
  const worker = { memoryMb: 2048, log: { group: 'g', stream: 's', requestId: 'r' } };
  let time = 0;
  const progress = await openChunkProgress(
    'p.json',
    { index: 0, frames: 90 },
    { store: bucket, worker, now: () => time },
  );
  time = 10_000;
  progress.report(40);
  time = 20_000;
  const ended = progress.end({ startedAt: 0, endedAt: 20_000, isCold: true, stages: { frames: 20_000 } });
  await setImmediate();
  arrive();
  await ended;
  await setImmediate();
  expect(objects['p.json']).toMatchObject({
    framesDone: 90,
    endedAt: 20_000,
    billedMs: 20_000,
    times: { isCold: true },
  });
});
