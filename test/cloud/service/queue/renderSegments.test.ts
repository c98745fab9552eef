// Segments of a requeued render are stored for its next attempt, until it ends.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { ServiceContext } from '../../../../cloud/service/context.ts';
import { type Lease, leaseNextRender, leaseTerms, requeue } from '../../../../cloud/service/queue/leases.ts';
import {
  deleteSegments,
  fetchSegments,
  segmentsFolder,
  storeSegments,
} from '../../../../cloud/service/queue/renderSegments.ts';
import { cleanUp } from '../../../../cloud/service/storage/retention.ts';
import { temporaryFolder, writeFiles } from '../../../support/project.ts';
import { queueContext } from '../../../support/service/queueContext.ts';
import { addAccount, addRenders, renderRow } from '../../../support/service/serviceDatabase.ts';

async function withRender() {
  const dataDir = temporaryFolder();
  const context = await queueContext(dataDir);
  onTestFinished(() => context.database.destroy());
  await addAccount(context.database, 'a');
  await addRenders(context.database, renderRow('r'));
  const stored = (): string[] => {
    const folder = join(dataDir, 'objects/segments');
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  };
  return { context, stored };
}

const lease = async ({ database }: ServiceContext): Promise<Lease> =>
  (await leaseNextRender(database, 'mine', 1000, leaseTerms)) as Lease;

/** The folder of a worker with these segments. */
function workerFolder(segments: Record<string, string>): string {
  const folder = temporaryFolder();
  writeFiles(segmentsFolder(folder), segments);
  return folder;
}

test('the next attempt gets them, and adds its own', async () => {
  const { context, stored } = await withRender();
  const first = await lease(context);
  await storeSegments(context, first, workerFolder({ 'k-paint-00000.ivf': 'one', '.k-paint-00001.ivf': 'partial' }));
  await requeue(context.database, first, 'closing', 2000);
  const second = await lease(context);
  const folder = temporaryFolder();
  await fetchSegments(context, second.render, folder);
  expect(readFileSync(join(segmentsFolder(folder), 'k-paint-00000.ivf'), 'utf8')).toBe('one');
  writeFiles(segmentsFolder(folder), { 'k-paint-00002.ivf': 'three' });
  await storeSegments(context, second, folder);
  expect(stored()).toEqual(['r-k-paint-00000.ivf', 'r-k-paint-00002.ivf']);
  await requeue(context.database, second, 'closing', 3000);
  await deleteSegments(context, (await lease(context)).render);
  expect(stored()).toEqual([]);
});

test('an attempt that has lost its lease stores none', async () => {
  const { context, stored } = await withRender();
  const lost = await lease(context);
  await requeue(context.database, lost, 'interrupted', 2000);
  await storeSegments(context, lost, workerFolder({ 'k-paint-00000.ivf': 'one' }));
  expect(stored()).toEqual([]);
});

test('an attempt continues without those that are missing', async () => {
  const { context } = await withRender();
  const folder = temporaryFolder();
  await fetchSegments(context, { id: 'r', segments: '["k-paint-00000.ivf"]' }, folder);
  expect(readdirSync(segmentsFolder(folder))).toEqual([]);
});

test('retention deletes those of renders that ended without deleting them', async () => {
  const { context, stored } = await withRender();
  const segments = '["k-paint-00000.ivf"]';
  await addRenders(context.database, renderRow('s', { status: 'failed', segments }), renderRow('t', { segments }));
  for (const id of ['s', 't'])
    await context.objects.put(`segments/${id}-k-paint-00000.ivf`, Readable.from(['one']), { contentType: 'x' });
  await cleanUp(context);
  expect(stored()).toEqual(['t-k-paint-00000.ivf']);
});
