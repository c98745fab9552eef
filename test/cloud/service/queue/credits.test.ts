// Renders are paid once: held when their length is known, charged when they are completed, given back when they fail.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balanceOf } from '../../renderer-core/service/accounts.ts';
import { type Claim, claimRender, leaseTerms, putBack } from '../../renderer-core/service/claims.ts';
import { creditsFor, holdCredits } from '../../renderer-core/service/credits.ts';
import { completeRender, failRender } from '../../renderer-core/service/renderEnds.ts';
import type { Database } from '../../renderer-core/service/tables.ts';
import { addAccount, addRenders, renderRow, serviceDatabase } from '../support/serviceDatabase.ts';

test.each([
  [10, '1080p', 10],
  [10, '4k', 15],
  [0.1, '1080p', 0.1],
  [1 / 3, '1080p', 0.34],
  [0.001, '1080p', 0.01],
  [0.07, '4k', 0.11],
  [1.1, '1080p', 1.1],
  [100.1, '1080p', 100.1],
])('%d s of %s cost %d', (seconds, resolution, credits) => expect(creditsFor(seconds, resolution)).toBe(credits));

test('credits are whole hundredths, never less than the seconds', () => {
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
  warnings: '[]',
  duration: 4,
  credits: 4,
};

async function claimAll(credits: number, ...ids: string[]): Promise<{ database: Database; claims: Claim[] }> {
  const database = await serviceDatabase();
  await addAccount(database, 'a', credits);
  await addRenders(database, ...ids.map((id) => renderRow(id)));
  const claims: Claim[] = [];
  for (const id of ids) claims.push((await claimRender(database, `lease-${id}`, 1000, leaseTerms)) as Claim);
  return { database, claims };
}

const ledger = async (database: Database) =>
  (await database.selectFrom('ledger').selectAll().orderBy('created_at').execute()).map(({ kind, amount, render_id }) =>
    `${kind} ${amount} ${render_id ?? ''}`.trim(),
  );

describe('a render', () => {
  test('that is completed is charged, once', async () => {
    const { database, claims } = await claimAll(10, 'r');
    const [claim] = claims as [Claim];
    expect(await holdCredits(database, claim, 4, 2000)).toEqual({ kind: 'held' });
    expect(await ledger(database)).toEqual(['grant 10', 'hold -4 r']);
    expect(await balanceOf(database, 'a')).toBe(6);
    expect(await completeRender(database, claim, outcome, 3000)).toBe(true);
    expect(await completeRender(database, claim, outcome, 4000)).toBe(false);
    expect(await failRender(database, claim, { code: 'internal_error', message: '' }, 4000)).toBe(false);
    expect(await ledger(database)).toEqual(['grant 10', 'charge -4 r']);
    const row = await database.selectFrom('renders').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ ...outcome, status: 'completed', progress: 1, completed_at: 3000, lease_owner: null });
  });

  test('that fails costs nothing', async () => {
    const { database, claims } = await claimAll(10, 'r');
    const [claim] = claims as [Claim];
    await holdCredits(database, claim, 4, 2000);
    expect(await failRender(database, claim, { code: 'internal_error', message: 'no' }, 3000)).toBe(true);
    expect(await completeRender(database, claim, outcome, 4000)).toBe(false);
    expect(await ledger(database)).toEqual(['grant 10']);
    const row = await database.selectFrom('renders').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      status: 'failed',
      failure_code: 'internal_error',
      failure_message: 'no',
      credits: null,
    });
  });

  test('that was deleted cannot be completed, and costs nothing', async () => {
    const { database, claims } = await claimAll(10, 'r');
    const [claim] = claims as [Claim];
    await holdCredits(database, claim, 4, 2000);
    await database.updateTable('renders').set({ deleted_at: 2500 }).execute();
    expect(await completeRender(database, claim, outcome, 3000)).toBe(false);
    expect(await failRender(database, claim, { code: 'render_deleted', message: '' }, 3000)).toBe(true);
    expect(await ledger(database)).toEqual(['grant 10']);
  });

  test('is held for once, however often it is begun', async () => {
    const { database, claims } = await claimAll(10, 'r');
    const [first] = claims as [Claim];
    await holdCredits(database, first, 7, 2000);
    await putBack(database, first, false);
    expect(await holdCredits(database, first, 7, 2100)).toEqual({ kind: 'lost' });
    const second = (await claimRender(database, 'again', 3000, leaseTerms)) as Claim;
    expect(await holdCredits(database, second, 7, 4000)).toEqual({ kind: 'held' });
    expect(await completeRender(database, first, outcome, 5000)).toBe(false);
    expect(await ledger(database)).toEqual(['grant 10', 'hold -7 r']);
  });

  test('needs credits: of two at once, one gets the last', async () => {
    const { database, claims } = await claimAll(6, 'r', 's');
    const kinds = await Promise.all(claims.map((claim) => holdCredits(database, claim, 4, 2000)));
    expect(kinds).toEqual([{ kind: 'held' }, { kind: 'short', balance: 2 }]);
  });
});
