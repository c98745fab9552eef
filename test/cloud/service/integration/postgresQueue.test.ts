// Several instances on one PostgreSQL database: each render has one owner, each credit is spent once.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { balanceOf } from '../../../../cloud/service/auth/accounts.ts';
import { completeRender, failRender } from '../../../../cloud/service/queue/completeRender.ts';
import { holdCredits } from '../../../../cloud/service/queue/credits.ts';
import {
  expiredLeases,
  type Lease,
  leaseNextRender,
  leaseTerms,
  renewLease,
  requeue,
} from '../../../../cloud/service/queue/leases.ts';
import { openDatabase } from '../../../../cloud/service/storage/database.ts';
import { deleteHold } from '../../../../cloud/service/storage/ledger.ts';
import type { Database } from '../../../../cloud/service/storage/tables.ts';
import { temporaryFolder } from '../../../support/project.ts';
import { hasPostgres, newDatabase } from '../../../support/servers/sharedPostgres.ts';
import { addAccount, addRenders, renderRow } from '../../../support/service/serviceDatabase.ts';

/**
 * Starts `act` in the middle of a transaction that ends and deletes the render `r`, and completes the transaction when `act` waits
 * for a lock or has ended.
 */
async function whileDeleting<T>(database: Database, act: () => Promise<T>): Promise<T> {
  let acted: Promise<T> | undefined;
  await database.transaction().execute(async (session) => {
    await session.updateTable('renders').set({ status: 'failed', deleted_at: 1900 }).where('id', '=', 'r').execute();
    acted = act();
    await Promise.race([acted, waitForLock(database)]);
    await deleteHold(session, 'r');
  });
  return acted as Promise<T>;
}

/** Returns when a transaction of the server waits for another one. */
async function waitForLock(database: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_locks where not granted`.execute(database);
    if (rows.length > 0) return;
    await sleep(10);
  }
}

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

describe.skipIf(!hasPostgres())('with PostgreSQL', () => {
  /** The given number of instances on one new database with accounts `a` and `b`. */
  async function instances(count: number): Promise<Database[]> {
    const databaseUrl = newDatabase();
    const all: Database[] = [];
    for (let index = 0; index < count; index++) {
      const database = await openDatabase({ dataDir: temporaryFolder(), databaseUrl });
      onTestFinished(() => database.destroy());
      all.push(database);
    }
    for (const account of ['a', 'b']) await addAccount(all[0] as Database, account, 10);
    return all;
  }

  test('leases each render to one of several instances', async () => {
    const all = await instances(3);
    const renders = Array.from({ length: 40 }, (_, index) => renderRow(`r${index}`, { created_at: index }));
    await addRenders(all[0] as Database, ...renders, renderRow('b', { account_id: 'b', created_at: 99 }));
    const asked = all.flatMap((database, instance) =>
      Array.from({ length: 20 }, (_, index) => leaseNextRender(database, `${instance}-${index}`, 1000, leaseTerms)),
    );
    const ids = (await Promise.all(asked)).flatMap((lease) => (lease ? [lease.render.id] : []));
    expect(ids).toHaveLength(41);
    expect(new Set(ids).size).toBe(41);
  });

  test('runs at most the allowed number of renders of an account, on all instances together', async () => {
    const all = await instances(3);
    await addRenders(all[0] as Database, ...Array.from({ length: 20 }, (_, index) => renderRow(`r${index}`)));
    const terms = { ...leaseTerms, maxRunning: 2 };
    const asked = all.flatMap((database, instance) =>
      Array.from({ length: 6 }, (_, index) => leaseNextRender(database, `${instance}-${index}`, 1000, terms)),
    );
    const leases = (await Promise.all(asked)).filter((lease) => lease !== undefined);
    expect(leases).toHaveLength(2);
  });

  test('leases no render that is being deleted, and does not disturb the deletion', async () => {
    const [one, other] = (await instances(2)) as [Database, Database];
    await addRenders(one, renderRow('r'));
    const first = (await leaseNextRender(one, 'first', 1000, leaseTerms)) as Lease;
    await holdCredits(one, first, 4, 1500);
    await requeue(one, first, 'closing', 1600);
    const leased = await whileDeleting(one, () => leaseNextRender(other, 'second', 2000, leaseTerms));
    expect(leased).toBeUndefined();
    expect(await balanceOf(one, 'a')).toBe(10);
  });

  test('holds no credits for a render that is being deleted', async () => {
    const [one, other] = (await instances(2)) as [Database, Database];
    await addRenders(one, renderRow('r'));
    const lease = (await leaseNextRender(one, 'mine', 1000, leaseTerms)) as Lease;
    expect(await whileDeleting(one, () => holdCredits(other, lease, 4, 2000))).toEqual({ kind: 'lost' });
    expect(await balanceOf(one, 'a')).toBe(10);
  });

  test('adds up the worker time of an account that ends several renders at once', async () => {
    const [one, other] = (await instances(2)) as [Database, Database];
    await addRenders(one, ...['r', 's', 't', 'u'].map((id) => renderRow(id)));
    const leases: Lease[] = [];
    for (const id of ['1', '2', '3', '4']) leases.push((await leaseNextRender(one, id, 1000, leaseTerms)) as Lease);
    const ended = leases.map((lease, index) =>
      failRender(index < 2 ? one : other, lease, { code: 'render_timeout', message: '' }, 1000 + 10_000),
    );
    expect(await Promise.all(ended)).toEqual(Array.from({ length: 4 }, () => ({ credits: 1 })));
    const { ms } = await one.selectFrom('worker_time').selectAll().executeTakeFirstOrThrow();
    expect(ms).toBe(40_000);
    expect(await balanceOf(one, 'a')).toBe(6);
  });

  test('does not give the last credits to two renders', async () => {
    const [one, other] = (await instances(2)) as [Database, Database];
    await addRenders(one, renderRow('r'), renderRow('s'));
    const r = (await leaseNextRender(one, 'r', 1000, leaseTerms)) as Lease;
    const s = (await leaseNextRender(other, 's', 1000, leaseTerms)) as Lease;
    const held = await Promise.all([holdCredits(one, r, 8, 2000), holdCredits(other, s, 8, 2000)]);
    expect(held.map(({ kind }) => kind).sort()).toEqual(['held', 'short']);
    expect(await balanceOf(one, 'a')).toBe(2);
  });

  test('ends a render once despite parallel attempts', async () => {
    const [one, other] = (await instances(2)) as [Database, Database];
    await addRenders(one, renderRow('r'));
    const lease = (await leaseNextRender(one, 'r', 1000, leaseTerms)) as Lease;
    await holdCredits(one, lease, 4, 2000);
    const ends = await Promise.all([
      completeRender(one, lease, outcome, 3000),
      completeRender(other, lease, outcome, 3000),
      failRender(other, lease, { code: 'internal_error', message: '' }, 3000),
    ]);
    expect(ends.filter(Boolean)).toHaveLength(1);
    const ledger = await one.selectFrom('ledger').select('kind').where('render_id', '=', 'r').execute();
    const { status } = await one.selectFrom('renders').select('status').executeTakeFirstOrThrow();
    expect(ledger).toEqual(status === 'completed' ? [{ kind: 'charge' }] : []);
  });

  test('recovers the render of a dead instance once', async () => {
    const [one, other] = (await instances(2)) as [Database, Database];
    await addRenders(one, renderRow('r'));
    const lease = (await leaseNextRender(one, 'mine', 1000, leaseTerms)) as Lease;
    expect(await renewLease(one, lease, 0.5, 2000, leaseTerms)).toBe('held');
    const late = 2001 + leaseTerms.leaseMs;
    const [seen, seenToo] = [await expiredLeases(one, late), await expiredLeases(other, late)];
    expect([seen, seenToo].map(([expired]) => expired?.owner)).toEqual(['mine', 'mine']);
    const back = await Promise.all([
      requeue(one, lease, 'interrupted', late),
      requeue(other, lease, 'interrupted', late),
    ]);
    expect(back.sort()).toEqual([false, true]);
    expect((await leaseNextRender(other, 'theirs', late, leaseTerms))?.render).toMatchObject({
      attempts: 2,
      interruptions: 1,
      progress: 0.5,
    });
    expect(await renewLease(one, lease, 0.9, late, leaseTerms)).toBe('lost');
  });
});
