// Steps of a render that refuse to continue.
import { expect, test } from 'vitest';
import { chunkStep } from '../../../serverless/steps/chunkStep.ts';
import { startStopwatch } from '../../../serverless/steps/stageTimes.ts';
import type { StepContext } from '../../../serverless/steps/stepContext.ts';
import { surroundings } from '../../support/renders/surroundings.ts';
import { memoryBucket } from '../../support/servers/memoryBucket.ts';

test('rejects a chunk of a plan from another version of the code', async () => {
  const plan = { chunks: [{ index: 0, start: 0, end: 30 }], format: 'mp4', codec: 'h264', quality: 'standard' };
  const bucket = memoryBucket({ 'plan.json': { plan, siteId: 's', codeVersion: 'old', warnings: [] } });
  const place: StepContext = {
    surroundings,
    store: bucket,
    projectDir: '/',
    codeVersion: 'new',
    signal: new AbortController().signal,
    worker: { memoryMb: 2048, log: { group: 'g', stream: 's', requestId: 'r' } },
    stopwatch: startStopwatch(() => 0, true),
    now: () => 0,
  };
  const input = { version: 1, renderId: 'r-1', bucket: 'results', siteId: 's', outputKey: 'a.mp4' } as const;
  await expect(chunkStep(input, 'plan.json', 0, undefined as never, place)).rejects.toMatchObject({
    code: 'deploy_failed',
    message: 'Another version of the stack was deployed during this render',
  });
});
