// Accounts take turns, one instance works on a render at a time, and renders of dead instances are recovered.
import { describe, expect, test } from 'vitest';
import { failRender } from '../../../../cloud/service/queue/completeRender.ts';
import {
  expiredLeases,
  type Lease,
  leaseNextRender,
  leaseTerms,
  renewLease,
  requeue,
} from '../../../../cloud/service/queue/leases.ts';
import type { Database } from '../../../../cloud/service/storage/tables.ts';
import { addAccount, addRenders, renderRow, serviceDatabase } from '../../../support/service/serviceDatabase.ts';

async function withAccounts(...accounts: string[]): Promise<Database> {
  const database = await serviceDatabase();
  for (const account of accounts) await addAccount(database, account);
  return database;
}

/** The IDs of the next renders, leased at increasing times and left running. */
async function take(database: Database, count: number, from = 1000, terms = leaseTerms): Promise<string[]> {
  const taken: string[] = [];
  for (let index = 0; index < count; index++) {
    const lease = await leaseNextRender(database, `lease-${from}-${index}`, from + index, terms);
    if (lease) taken.push(lease.render.id);
  }
  return taken;
}

describe('the next render is', () => {
  test('the oldest of an account', async () => {
    const database = await withAccounts('a');
    await addRenders(database, renderRow('young', { created_at: 9 }), renderRow('old', { created_at: 5 }));
    expect(await take(database, 3)).toEqual(['old', 'young']);
  });

  test('one of each account in turn, however many one account has queued', async () => {
    const database = await withAccounts('a', 'b', 'c');
    await addRenders(
      database,
      ...Array.from({ length: 10_000 }, (_, index) => renderRow(`a${index}`, { created_at: 1 })),
    );
    await addRenders(database, renderRow('b1', { account_id: 'b', created_at: 50 }));
    await addRenders(database, renderRow('c1', { account_id: 'c', created_at: 60 }));
    await addRenders(database, renderRow('b2', { account_id: 'b', created_at: 70 }));
    const accounts = (await take(database, 5)).map((id) => id.slice(0, 1));
    // The second render of account a has been running for longer than that of account b.
    expect(accounts).toEqual(['a', 'b', 'c', 'b', 'a']);
  });

  const minute = 60_000;
  const noon = 12 * 60 * minute;

  /** A render of each account that starts at noon. Account a used a worker for two minutes, and b for one. */
  async function afterUse(): Promise<Database> {
    const database = await withAccounts('a', 'b');
    for (const [account, ms] of [
      ['a', 2 * minute],
      ['b', minute],
    ] as const) {
      await addRenders(database, renderRow(`${account}0`, { account_id: account }));
      const lease = (await leaseNextRender(database, account, noon, leaseTerms)) as Lease;
      await failRender(database, lease, { code: 'internal_error', message: '' }, noon + ms);
    }
    await addRenders(database, renderRow('a1'), renderRow('b1', { account_id: 'b', created_at: 99 }));
    return database;
  }

  test('that of the account that used less worker time, if equally many are running', async () => {
    const database = await afterUse();
    expect(await take(database, 2, noon + 3 * minute)).toEqual(['b1', 'a1']);
  });

  test('the oldest, if worker time was used more than an hour ago', async () => {
    const database = await afterUse();
    expect(await take(database, 2, noon + 70 * minute)).toEqual(['a1', 'b1']);
  });

  test('none of an account that runs as many as it may', async () => {
    const database = await withAccounts('a', 'b');
    await addRenders(database, ...['a1', 'a2', 'a3'].map((id) => renderRow(id)));
    await addRenders(database, renderRow('b1', { account_id: 'b', created_at: 99 }));
    expect(await take(database, 4, 1000, { ...leaseTerms, maxRunning: 2 })).toEqual(['a1', 'b1', 'a2']);
  });

  test('none that was deleted, has ended or is running', async () => {
    const database = await withAccounts('a');
    await addRenders(database, renderRow('gone', { deleted_at: 3 }), renderRow('done', { status: 'completed' }));
    await addRenders(database, renderRow('failed', { status: 'failed' }), renderRow('runs', { status: 'rendering' }));
    expect(await take(database, 1)).toEqual([]);
  });

  test('leased to only one of many parallel requests', async () => {
    const database = await withAccounts('a', 'b');
    await addRenders(database, ...['1', '2', '3'].map((id) => renderRow(id)), renderRow('4', { account_id: 'b' }));
    const asked = Array.from({ length: 10 }, (_, index) => leaseNextRender(database, `i${index}`, 1000, leaseTerms));
    const leases = (await Promise.all(asked)).flatMap((lease) => (lease ? [lease.render.id] : []));
    expect(leases.sort()).toEqual(['1', '2', '3', '4']);
  });
});

describe('a lease', () => {
  async function leased(changes = {}) {
    const database = await withAccounts('a');
    await addRenders(database, renderRow('r', changes));
    const lease = await leaseNextRender(database, 'mine', 1000, leaseTerms);
    if (!lease) throw new Error('no render was leased');
    const row = () => database.selectFrom('renders').selectAll().executeTakeFirstOrThrow();
    return { database, lease, row };
  }
  const { leaseMs } = leaseTerms;

  test('holds while it is renewed, and its progress never decreases', async () => {
    const { database, lease, row } = await leased();
    expect(await renewLease(database, lease, 0.5, 2000, leaseTerms)).toBe('held');
    expect(await renewLease(database, lease, 0.2, 3000, leaseTerms)).toBe('held');
    expect(await row()).toMatchObject({ progress: 0.5, lease_expires_at: 3000 + leaseMs, attempts: 1 });
    expect(await expiredLeases(database, 3000 + leaseMs)).toEqual([]);
  });

  test('is lost when it has expired and the render was requeued', async () => {
    const { database, lease } = await leased();
    const [expired] = await expiredLeases(database, 1001 + leaseMs);
    expect(expired).toMatchObject({ owner: 'mine', render: { id: 'r' } });
    expect(await requeue(database, lease, 'interrupted', 90_000)).toBe(true);
    const next = await leaseNextRender(database, 'theirs', 90_000, leaseTerms);
    expect(next?.render).toMatchObject({ attempts: 2, interruptions: 1, worker_deaths: 0 });
    expect(await renewLease(database, lease, 0.9, 91_000, leaseTerms)).toBe('lost');
    expect(await requeue(database, lease, 'closing', 91_000)).toBe(false);
  });

  test.each([
    ['worker died', { worker_deaths: 1, interruptions: 0 }],
    ['interrupted', { worker_deaths: 0, interruptions: 1 }],
    ['closing', { worker_deaths: 0, interruptions: 0 }],
  ] as const)('counts why the render is requeued: %s', async (cause, counters) => {
    const { database, lease, row } = await leased();
    expect(await requeue(database, lease, cause, 2000)).toBe(true);
    expect(await row()).toMatchObject({ ...counters, status: 'queued', lease_owner: null, lease_expires_at: null });
  });

  test('does not put a render back that was deleted, which would be in the queue forever', async () => {
    const { database, lease, row } = await leased();
    await database.updateTable('renders').set({ deleted_at: 1500 }).execute();
    expect(await requeue(database, lease, 'worker died', 2000)).toBe(false);
    expect(await row()).toMatchObject({ status: 'rendering', worker_deaths: 0 });
  });

  test('uses worker time until it expires, not until that is noticed', async () => {
    const { database } = await leased();
    const [expired] = await expiredLeases(database, 5_000_000);
    await requeue(database, expired as Lease, 'interrupted', 5_000_000);
    const { ms } = await database.selectFrom('worker_time').selectAll().executeTakeFirstOrThrow();
    expect(ms).toBe(leaseMs);
  });

  test('reports that the render was deleted', async () => {
    const { database, lease } = await leased();
    await database.updateTable('renders').set({ deleted_at: 1500 }).execute();
    expect(await renewLease(database, lease, 0, 2000, leaseTerms)).toBe('deleted');
  });
});
