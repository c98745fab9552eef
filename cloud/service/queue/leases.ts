// Leases of renders: which queued render a process takes next (fair among accounts), and for how long it keeps it.
import type { Database, RenderRow } from '../storage/tables.ts';

/** A render that a process works on. `owner` is new for each lease, so a process cannot mistake an earlier one for it. */
export type Lease = { render: RenderRow; owner: string };

export type LeaseTerms = {
  leaseMs: number;
  /** Attempts until a render fails because its worker process died. */
  maxAttempts: number;
  /** Attempts until a render fails because the service was interrupted, which is rarely caused by the render. */
  maxInterruptions: number;
};

export const leaseTerms: LeaseTerms = { leaseMs: 30_000, maxAttempts: 3, maxInterruptions: 20 };

/** Leases the next render to `owner`. Returns undefined if no render is queued. */
export async function leaseNextRender(
  database: Database,
  owner: string,
  now: number,
  terms: LeaseTerms,
): Promise<Lease | undefined> {
  for (;;) {
    let wasTaken = false;
    for (const account of await accountsInTurn(database)) {
      const oldest = await oldestQueued(database, account);
      if (oldest === undefined) continue;
      const render = await take(database, oldest, owner, now, terms);
      if (render) return { render, owner };
      wasTaken = true;
    }
    // If another instance took one of them, the order of the accounts may have changed: read it again.
    if (!wasTaken) return undefined;
  }
}

async function oldestQueued(database: Database, account: string): Promise<string | undefined> {
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

/** The condition on `status` makes sure that only one of several instances gets the render. */
async function take(
  database: Database,
  id: string,
  owner: string,
  now: number,
  { leaseMs }: LeaseTerms,
): Promise<RenderRow | undefined> {
  return database
    .updateTable('renders')
    .set((column) => ({
      status: 'rendering',
      lease_owner: owner,
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

const maxAccounts = 500;

/** Accounts with queued renders: those with the fewest running renders first, then those served longest ago. */
async function accountsInTurn(database: Database): Promise<string[]> {
  const waiting = await database
    .selectFrom('renders')
    .select(['account_id', (column) => column.fn.min<number>('created_at').as('oldest')])
    .where('status', '=', 'queued')
    .where('deleted_at', 'is', null)
    .groupBy('account_id')
    .orderBy('oldest')
    .limit(maxAccounts)
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
  const rank = (id: string) => [runningOf.get(id) ?? 0, servedAt.get(id) ?? 0] as const;
  // The sort is stable: equal accounts stay in the order of their oldest renders.
  return ids.sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1]);
}

/** Extends the lease and stores the progress. 'lost': the render has ended or another process has it. */
export async function renewLease(
  database: Database,
  { render, owner }: Lease,
  progress: number,
  now: number,
  { leaseMs }: LeaseTerms,
): Promise<'held' | 'lost' | 'deleted'> {
  const row = await database
    .updateTable('renders')
    .set((column) => ({
      lease_expires_at: now + leaseMs,
      // Progress never decreases, even when the render starts again.
      progress: column.case().when('progress', '<', progress).then(progress).else(column.ref('progress')).end(),
    }))
    .where('id', '=', render.id)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'rendering')
    .returning('deleted_at')
    .executeTakeFirst();
  if (!row) return 'lost';
  return row.deleted_at === null ? 'held' : 'deleted';
}

/** Puts a leased render back into the queue. Returns false if the lease was lost. */
export async function requeue(
  database: Database,
  { render, owner }: Lease,
  { countsAsAttempt }: { countsAsAttempt: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('renders')
    .set((column) => ({
      status: 'queued',
      lease_owner: null,
      lease_expires_at: null,
      ...(countsAsAttempt ? {} : { attempts: column('attempts', '-', 1) }),
    }))
    .where('id', '=', render.id)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'rendering')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Leases that were not renewed in time. They can be requeued or ended like the caller's own. */
export async function expiredLeases(database: Database, now: number): Promise<Lease[]> {
  const rows = await database
    .selectFrom('renders')
    .selectAll()
    .where('status', '=', 'rendering')
    .where('lease_expires_at', '<', now)
    .execute();
  return rows.map((render) => ({ render, owner: render.lease_owner ?? '' }));
}
