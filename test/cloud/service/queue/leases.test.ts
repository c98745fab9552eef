// Accounts take turns, a render belongs to one instance at a time, and what a dead instance held comes back.
import { describe, expect, test } from 'vitest';
import { claimRender, expiredClaims, leaseTerms, putBack, renewLease } from '../../renderer-core/service/claims.ts';
import type { Database } from '../../renderer-core/service/tables.ts';
import { addAccount, addRenders, renderRow, serviceDatabase } from '../support/serviceDatabase.ts';

async function withAccounts(...accounts: string[]): Promise<Database> {
  const database = await serviceDatabase();
  for (const account of accounts) await addAccount(database, account);
  return database;
}

/** The ids of the next renders, claimed one after another at growing times and left running. */
async function take(database: Database, count: number, from = 1000): Promise<string[]> {
  const taken: string[] = [];
  for (let index = 0; index < count; index++) {
    const claim = await claimRender(database, `lease-${from}-${index}`, from + index, leaseTerms);
    if (claim) taken.push(claim.render.id);
  }
  return taken;
}

describe('the next render is', () => {
  test('the oldest of an account', async () => {
    const database = await withAccounts('a');
    await addRenders(database, renderRow('young', { created_at: 9 }), renderRow('old', { created_at: 5 }));
    expect(await take(database, 3)).toEqual(['old', 'young']);
  });

  test('one of each account in turn, however many one has queued', async () => {
    const database = await withAccounts('a', 'b', 'c');
    await addRenders(
      database,
      ...Array.from({ length: 10_000 }, (_, index) => renderRow(`a${index}`, { created_at: 1 })),
    );
    await addRenders(database, renderRow('b1', { account_id: 'b', created_at: 50 }));
    await addRenders(database, renderRow('c1', { account_id: 'c', created_at: 60 }));
    await addRenders(database, renderRow('b2', { account_id: 'b', created_at: 70 }));
    const accounts = (await take(database, 5)).map((id) => id.slice(0, 1));
    expect(accounts).toEqual(['a', 'b', 'c', 'a', 'b']);
  });

  test('of the account that was served longest ago, when as many are running', async () => {
    const database = await withAccounts('a', 'b');
    const ended = { status: 'completed' as const };
    await addRenders(database, renderRow('a0', { ...ended, started_at: 500 }));
    await addRenders(database, renderRow('b0', { ...ended, account_id: 'b', started_at: 400 }));
    await addRenders(database, renderRow('a1'), renderRow('b1', { account_id: 'b', created_at: 99 }));
    expect(await take(database, 2)).toEqual(['b1', 'a1']);
  });

  test('none that was deleted, has ended or is running', async () => {
    const database = await withAccounts('a');
    await addRenders(database, renderRow('gone', { deleted_at: 3 }), renderRow('done', { status: 'completed' }));
    await addRenders(database, renderRow('failed', { status: 'failed' }), renderRow('runs', { status: 'rendering' }));
    expect(await take(database, 1)).toEqual([]);
  });

  test('given to one of many that ask at once', async () => {
    const database = await withAccounts('a', 'b');
    await addRenders(database, ...['1', '2', '3'].map((id) => renderRow(id)), renderRow('4', { account_id: 'b' }));
    const asked = Array.from({ length: 10 }, (_, index) => claimRender(database, `i${index}`, 1000, leaseTerms));
    const claims = (await Promise.all(asked)).flatMap((claim) => (claim ? [claim.render.id] : []));
    expect(claims.sort()).toEqual(['1', '2', '3', '4']);
  });
});

describe('a lease', () => {
  async function claimed(changes = {}) {
    const database = await withAccounts('a');
    await addRenders(database, renderRow('r', changes));
    const claim = await claimRender(database, 'mine', 1000, leaseTerms);
    if (!claim) throw new Error('nothing was claimed');
    const row = () => database.selectFrom('renders').selectAll().executeTakeFirstOrThrow();
    return { database, claim, row };
  }
  const { leaseMs } = leaseTerms;

  test('holds while it is renewed, and its progress never runs backwards', async () => {
    const { database, claim, row } = await claimed();
    expect(await renewLease(database, claim, 0.5, 2000, leaseTerms)).toBe('held');
    expect(await renewLease(database, claim, 0.2, 3000, leaseTerms)).toBe('held');
    expect(await row()).toMatchObject({ progress: 0.5, lease_expires_at: 3000 + leaseMs, attempts: 1 });
    expect(await expiredClaims(database, 3000 + leaseMs)).toEqual([]);
  });

  test('that has run out gives the render to somebody else, and is lost then', async () => {
    const { database, claim } = await claimed();
    const [expired] = await expiredClaims(database, 1001 + leaseMs);
    expect(expired).toMatchObject({ lease: 'mine', render: { id: 'r' } });
    expect(await putBack(database, claim, false)).toBe(true);
    const next = await claimRender(database, 'theirs', 90_000, leaseTerms);
    expect(next?.render.attempts).toBe(2);
    expect(await renewLease(database, claim, 0.9, 91_000, leaseTerms)).toBe('lost');
    expect(await putBack(database, claim, true)).toBe(false);
  });

  test('that is given back by a service that ends does not count as an attempt', async () => {
    const { database, claim, row } = await claimed();
    expect(await putBack(database, claim, true)).toBe(true);
    expect(await row()).toMatchObject({ status: 'queued', attempts: 0, lease_owner: null, lease_expires_at: null });
  });

  test('hears that the render has been deleted', async () => {
    const { database, claim } = await claimed();
    await database.updateTable('renders').set({ deleted_at: 1500 }).execute();
    expect(await renewLease(database, claim, 0, 2000, leaseTerms)).toBe('deleted');
  });
});
