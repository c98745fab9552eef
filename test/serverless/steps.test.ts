// The steps of a render where they refuse to go on.
import { expect, test } from 'vitest';
import { chunkStep, type StepPlace } from '../../renderer-core/serverless/steps.ts';
import { memoryBucket } from '../support/memoryBucket.ts';

test('a chunk of a plan that other code has made is refused before it is drawn', async () => {
  const plan = { chunks: [{ index: 0, start: 0, end: 30 }], format: 'mp4', codec: 'h264', quality: 'standard' };
  const bucket = memoryBucket({ 'plan.json': { plan, siteId: 's', codeVersion: 'old', warnings: [] } });
  const place: StepPlace = {
    bucket,
    projectDir: '/',
    codeVersion: 'new',
    signal: new AbortController().signal,
    worker: { memoryMb: 2048, log: { group: 'g', stream: 's', requestId: 'r' } },
    now: () => 0,
  };
  const input = { version: 1, renderId: 'r-1', bucket: 'results', siteId: 's', outputKey: 'a.mp4' } as const;
  await expect(chunkStep(input, 'plan.json', 0, undefined as never, place)).rejects.toMatchObject({
    code: 'deploy_failed',
    message: 'The stack was deployed anew while this render was under way',
  });
});
