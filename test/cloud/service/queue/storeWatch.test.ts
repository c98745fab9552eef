// Renders wait while the object store is not available.
import { expect, test } from 'vitest';
import { watchStore } from '../../../../cloud/service/queue/storeWatch.ts';
import { testService } from '../../../support/service/service.ts';

test('starts renders again when the files on disk are available', async () => {
  const { context, clock } = await testService();
  const watch = watchStore(context, 1000);
  expect(watch.hasEnded(new Error('a script failed'))).toBe(false);
  expect(await watch.isReady()).toBe(true);
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', $metadata: {} });
  expect(watch.hasEnded(refused)).toBe(true);
  expect(await watch.isReady()).toBe(false);
  clock.now += 1000;
  expect(await watch.isReady()).toBe(true);
});
