// Which queued render is taken next, and by whom: fair among accounts, and held by a lease that has to be renewed.
import type { Database, RenderRow } from './tables.ts';

/** A render that this process works on. `lease` is new for each claim: an earlier one of the same process is not it. */
export type Claim = { render: RenderRow; lease: string };

/** `maxAttempts` when its worker died of it; `maxInterruptions` when the service went: that is not the render's fault. */
export type LeaseTerms = { leaseMs: number; maxAttempts: number; maxInterruptions: number };

export const leaseTerms: LeaseTerms = { leaseMs: 30_000, maxAttempts: 3, maxInterruptions: 20 };

/** Takes the next render; undefined when there is none. `lease` becomes its owner. */
export async function claimRender(
  database: Database,
  lease: string,
  now: number,
  terms: LeaseTerms,
): Promise<Claim | undefined> {
  for (;;) {
    let wasTaken = false;
    for (const account of await accountsInTurn(database)) {
      const oldest = await oldestOf(database, account);
      if (oldest === undefined) continue;
      const render = await take(database, oldest, lease, now, terms);
      if (render) return { render, lease };
      wasTaken = true;
    }
    // Others have taken what was seen: that has changed whose turn it is.
    if (!wasTaken) return undefined;
  }
}

async function oldestOf(database: Database, account: string): Promise<string | undefined> {
  const row = await database
    .selectFrom('renders')
    .select('id')
    .where('account_id', '=', account)
    .where('status', '=', 'queued')
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();
  return row?.id;
}

/** Of several instances that have seen a render, one finds it still queued. */
async function take(
  database: Database,
  id: string,
  lease: string,
  now: number,
  { leaseMs }: LeaseTerms,
): Promise<RenderRow | undefined> {
  return database
    .updateTable('renders')
    .set((column) => ({
      status: 'rendering',
      lease_owner: lease,
      lease_expires_at: now + leaseMs,
      attempts: column('attempts', '+', 1),
      started_at: now,
    }))
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

const mostAccounts = 500;

/** Accounts with queued renders: those with the fewest running first, then those not served for longest. */
async function accountsInTurn(database: Database): Promise<string[]> {
  const waiting = await database
    .selectFrom('renders')
    .select(['account_id', (column) => column.fn.min<number>('created_at').as('oldest')])
    .where('status', '=', 'queued')
    .where('deleted_at', 'is', null)
    .groupBy('account_id')
    .orderBy('oldest')
    .limit(mostAccounts)
    .execute();
  if (waiting.length < 2) return waiting.map(({ account_id }) => account_id);
  const ids = waiting.map(({ account_id }) => account_id);
  const running = await database
    .selectFrom('renders')
    .select(['account_id', (column) => column.fn.countAll<number>().as('count')])
    .where('status', '=', 'rendering')
    .groupBy('account_id')
    .execute();
  const served = await database
    .selectFrom('renders')
    .select(['account_id', (column) => column.fn.max<number>('started_at').as('last')])
    .where('account_id', 'in', ids)
    .groupBy('account_id')
    .execute();
  const runningOf = new Map(running.map(({ account_id, count }) => [account_id, Number(count)]));
  const servedAt = new Map(served.map(({ account_id, last }) => [account_id, last ?? 0]));
  const turn = (id: string) => [runningOf.get(id) ?? 0, servedAt.get(id) ?? 0] as const;
  // Equal ones stay in the order of their oldest renders.
  return ids.sort((a, b) => turn(a)[0] - turn(b)[0] || turn(a)[1] - turn(b)[1]);
}

/** Says that the render is still worked on, and how far it is. 'lost': another process has it, or it has ended. */
export async function renewLease(
  database: Database,
  { render, lease }: Claim,
  progress: number,
  now: number,
  { leaseMs }: LeaseTerms,
): Promise<'held' | 'lost' | 'deleted'> {
  const row = await database
    .updateTable('renders')
    .set((column) => ({
      lease_expires_at: now + leaseMs,
      // It never runs backwards, also not when the render is begun again.
      progress: column.case().when('progress', '<', progress).then(progress).else(column.ref('progress')).end(),
    }))
    .where('id', '=', render.id)
    .where('lease_owner', '=', lease)
    .where('status', '=', 'rendering')
    .returning('deleted_at')
    .executeTakeFirst();
  if (!row) return 'lost';
  return row.deleted_at === null ? 'held' : 'deleted';
}

/** Puts it back into the queue; with `isOurFault` the attempt does not count. False: it was no longer ours. */
export async function putBack(database: Database, { render, lease }: Claim, isOurFault: boolean): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('renders')
    .set((column) => ({
      status: 'queued',
      lease_owner: null,
      lease_expires_at: null,
      ...(isOurFault ? { attempts: column('attempts', '-', 1) } : {}),
    }))
    .where('id', '=', render.id)
    .where('lease_owner', '=', lease)
    .where('status', '=', 'rendering')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Renders whose instance has not been heard of for a lease: each can be put back or ended like one's own. */
export async function expiredClaims(database: Database, now: number): Promise<Claim[]> {
  const rows = await database
    .selectFrom('renders')
    .selectAll()
    .where('status', '=', 'rendering')
    .where('lease_expires_at', '<', now)
    .execute();
  return rows.map((render) => ({ render, lease: render.lease_owner ?? '' }));
}
