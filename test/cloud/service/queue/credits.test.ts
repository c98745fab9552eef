// Renders are charged once: held when their length is known, charged when they complete, released when they fail.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { creditsFor } from '../../../../cloud/client/prices.ts';
import { balanceOf } from '../../../../cloud/service/auth/accounts.ts';
import { completeRender, failRender } from '../../../../cloud/service/queue/completeRender.ts';
import { creditsForTime, holdCredits } from '../../../../cloud/service/queue/credits.ts';
import { type Lease, leaseNextRender, leaseTerms, requeue } from '../../../../cloud/service/queue/leases.ts';
import type { Database } from '../../../../cloud/service/storage/tables.ts';
import { addAccount, addRenders, renderRow, serviceDatabase } from '../../../support/service/serviceDatabase.ts';

test.each([
  [10, '1080p', 10],
  [10, '4k', 15],
  [0.1, '1080p', 0.1],
  [1 / 3, '1080p', 0.34],
  [0.001, '1080p', 0.01],
  [0.07, '4k', 0.11],
  [1.1, '1080p', 1.1],
  [100.1, '1080p', 100.1],
])('charges for %d s of %s: %d', (seconds, resolution, credits) =>
  expect(creditsFor(seconds, resolution)).toBe(credits));

test('rounds credits up to hundredths', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 36_000, noNaN: true }), (seconds) => {
      const credits = creditsFor(seconds, '1080p');
      expect(credits).toBeGreaterThanOrEqual(seconds - 1e-7);
      expect(credits).toBeLessThan(seconds + 0.01);
      expect(Math.abs(credits * 100 - Math.round(credits * 100))).toBeLessThan(1e-6);
    }),
  );
});

const outcome = {
  video_key: 'videos/r.mp4',
  video_bytes: 5,
  thumbnail_key: null,
  fps: 30,
  aspect_ratio: '16:9',
  resolution: '1080p',
  engine: '{}',
  warnings: '[]',
  duration: 4,
  credits: 4,
};

async function leaseAll(credits: number, ...ids: string[]): Promise<{ database: Database; leases: Lease[] }> {
  const database = await serviceDatabase();
  await addAccount(database, 'a', credits);
  await addRenders(database, ...ids.map((id) => renderRow(id)));
  const leases: Lease[] = [];
  for (const id of ids) leases.push((await leaseNextRender(database, `lease-${id}`, 1000, leaseTerms)) as Lease);
  return { database, leases };
}

const ledger = async (database: Database) =>
  (await database.selectFrom('ledger').selectAll().orderBy('created_at').execute()).map(({ kind, amount, render_id }) =>
    `${kind} ${amount} ${render_id ?? ''}`.trim(),
  );

describe('a render', () => {
  test('is charged once when it completes', async () => {
    const { database, leases } = await leaseAll(10, 'r');
    const [lease] = leases as [Lease];
    expect(await holdCredits(database, lease, 4, 2000)).toEqual({ kind: 'held' });
    expect(await ledger(database)).toEqual(['grant 10', 'hold -4 r']);
    expect(await balanceOf(database, 'a')).toBe(6);
    expect(await completeRender(database, lease, outcome, 3000)).toBe(true);
    expect(await completeRender(database, lease, outcome, 4000)).toBe(false);
    expect(await failRender(database, lease, { code: 'internal_error', message: '' }, 4000)).toBe(undefined);
    expect(await ledger(database)).toEqual(['grant 10', 'charge -4 r']);
    const row = await database.selectFrom('renders').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ ...outcome, status: 'completed', progress: 1, completed_at: 3000, lease_owner: null });
  });

  test('is not charged when the service fails', async () => {
    const { database, leases } = await leaseAll(10, 'r');
    const [lease] = leases as [Lease];
    await holdCredits(database, lease, 4, 2000);
    expect(await failRender(database, lease, { code: 'internal_error', message: 'no' }, 3000)).toEqual({ credits: 0 });
    expect(await completeRender(database, lease, outcome, 4000)).toBe(false);
    expect(await ledger(database)).toEqual(['grant 10']);
    const row = await database.selectFrom('renders').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      status: 'failed',
      failure_code: 'internal_error',
      failure_message: 'no',
      credits: null,
    });
  });

  test('cannot be completed, and is not charged, when it was deleted', async () => {
    const { database, leases } = await leaseAll(10, 'r');
    const [lease] = leases as [Lease];
    await holdCredits(database, lease, 4, 2000);
    await database.updateTable('renders').set({ deleted_at: 2500 }).execute();
    expect(await completeRender(database, lease, outcome, 3000)).toBe(false);
    expect(await failRender(database, lease, { code: 'render_deleted', message: '' }, 3000)).toEqual({ credits: 0 });
    expect(await ledger(database)).toEqual(['grant 10']);
  });

  test('has one hold, however often it is started', async () => {
    const { database, leases } = await leaseAll(10, 'r');
    const [first] = leases as [Lease];
    await holdCredits(database, first, 7, 2000);
    await requeue(database, first, 'worker died', 2050);
    expect(await holdCredits(database, first, 7, 2100)).toEqual({ kind: 'lost' });
    const second = (await leaseNextRender(database, 'again', 3000, leaseTerms)) as Lease;
    expect(await holdCredits(database, second, 7, 4000)).toEqual({ kind: 'held' });
    expect(await completeRender(database, first, outcome, 5000)).toBe(false);
    expect(await ledger(database)).toEqual(['grant 10', 'hold -7 r']);
  });

  test.each([0, -5000, Number.NaN, Number.POSITIVE_INFINITY])('cannot cost %d credits', async (credits) => {
    const { database, leases } = await leaseAll(10, 'r');
    await expect(holdCredits(database, leases[0] as Lease, credits, 2000)).rejects.toThrow(RangeError);
    expect(await ledger(database)).toEqual(['grant 10']);
  });

  test('needs credits: of two in parallel, one gets the last', async () => {
    const { database, leases } = await leaseAll(6, 'r', 's');
    const kinds = await Promise.all(leases.map((lease) => holdCredits(database, lease, 4, 2000)));
    expect(kinds).toEqual([{ kind: 'held' }, { kind: 'short', balance: 2 }]);
  });
});

test.each([
  ['render_timeout', 1_000, 1],
  ['render_timeout', 10_000, 1],
  ['render_timeout', 10_001, 2],
  ['render_timeout', 3_600_000, 360],
  ['framework_project_invalid', 60_000, 0],
  ['framework_project_invalid', 60_001, 1],
  ['page_crashed', 90_000, 3],
  ['insufficient_credits', 90_000, 3],
  ['render_deleted', 90_000, 3],
  ['internal_error', 3_600_000, 0],
  ['render_interrupted', 3_600_000, 0],
])('charges for %s after %d ms: %d', (code, ms, credits) => expect(creditsForTime(code, ms)).toBe(credits));

describe('a render that runs out of time', () => {
  const timeout = { code: 'render_timeout', message: 'late' };
  const row = (database: Database, id: string) =>
    database.selectFrom('renders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('is charged once for its worker time', async () => {
    const { database, leases } = await leaseAll(10, 'r');
    const [lease] = leases as [Lease];
    await holdCredits(database, lease, 4, 2000);
    expect(await failRender(database, lease, timeout, 1000 + 25_000)).toEqual({ credits: 3 });
    expect(await failRender(database, lease, timeout, 1000 + 35_000)).toBe(undefined);
    expect(await ledger(database)).toEqual(['grant 10', 'charge -3 r']);
    expect(await row(database, 'r')).toMatchObject({ status: 'failed', failure_code: 'render_timeout', credits: 3 });
  });

  test('costs at most as much as its video', async () => {
    const { database, leases } = await leaseAll(10, 'r');
    const [lease] = leases as [Lease];
    await holdCredits(database, lease, 4, 2000);
    await failRender(database, lease, timeout, 1000 + 600_000);
    expect(await ledger(database)).toEqual(['grant 10', 'charge -4 r']);
  });

  test('costs at most what the account has, if its length is not known', async () => {
    const { database, leases } = await leaseAll(6, 'r', 's', 't');
    const [r, s, t] = leases as [Lease, Lease, Lease];
    await holdCredits(database, r, 4, 2000);
    await failRender(database, s, timeout, 1000 + 600_000);
    await failRender(database, t, timeout, 1000 + 600_000);
    expect(await ledger(database)).toEqual(['grant 6', 'hold -4 r', 'charge -2 s']);
    expect(await balanceOf(database, 'a')).toBe(0);
    expect((await row(database, 't')).credits).toBe(null);
  });

  test('has not ended if its charge cannot be written', async () => {
    const { database, leases } = await leaseAll(10, 'r');
    const [lease] = leases as [Lease];
    await holdCredits(database, lease, 4, 2000);
    await database.schema.dropTable('worker_time').execute();
    await expect(failRender(database, lease, timeout, 1000 + 25_000)).rejects.toThrow('worker_time');
    expect(await ledger(database)).toEqual(['grant 10', 'hold -4 r']);
    expect((await row(database, 'r')).status).toBe('rendering');
  });
});
