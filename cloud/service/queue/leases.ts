// Leases of renders: which queued render a process takes next (fair among accounts), and for how long it keeps it.
import { lockAccount } from '../storage/accountTotals.ts';
import type { Database, RenderRow, Session } from '../storage/tables.ts';
import { addWorkerTime, recentWorkerTime } from './workerTime.ts';

/** A render that a process works on. `owner` is new for each lease, so a process cannot mistake an earlier one for it. */
export type Lease = {
  render: RenderRow;
  owner: string;
  /** When its process stopped renewing it. */
  expiredAt?: number;
};

export type LeaseTerms = {
  leaseMs: number;
  /** Renders of one account that may run at the same time, on all instances together. */
  maxRunning: number;
  /** A render fails when its worker, browser or ffmpeg has died this often. */
  maxWorkerDeaths: number;
  /** A render fails when the service has been interrupted this often while it was running, which it rarely causes. */
  maxInterruptions: number;
};

/** `maxRunning` is a setting of the service. */
export const leaseTerms: LeaseTerms = {
  leaseMs: 30_000,
  maxRunning: Number.POSITIVE_INFINITY,
  maxWorkerDeaths: 3,
  maxInterruptions: 20,
};

/** How long a lease has occupied a worker, in milliseconds. */
export function workerMs({ render, expiredAt = Number.POSITIVE_INFINITY }: Lease, now: number): number {
  return Math.max(0, Math.min(now, expiredAt) - (render.started_at ?? now));
}

/** Leases the next render to `owner`. Returns undefined if no account has a queued render that may run. */
export async function leaseNextRender(
  database: Database,
  owner: string,
  now: number,
  terms: LeaseTerms,
): Promise<Lease | undefined> {
  for (;;) {
    let wasTaken = false;
    for (const account of await accountsInTurn(database, now, terms)) {
      const oldest = await oldestQueued(database, account);
      if (oldest === undefined) continue;
      const render = await take(database, { account, id: oldest }, owner, now, terms);
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

/**
 * The condition on `status` makes sure that only one of several instances gets the render, and the lock of the account that
 * they do not exceed its limit together. The order of the two locks is that of every transaction: see `lockAccount`.
 */
async function take(
  database: Database,
  { account, id }: { account: string; id: string },
  owner: string,
  now: number,
  { leaseMs, maxRunning }: LeaseTerms,
): Promise<RenderRow | undefined> {
  const taken = database.transaction().execute(async (session) => {
    const render = await startLease(session, id, owner, now, leaseMs);
    if (render === undefined) return undefined;
    await lockAccount(session, account);
    const running = (await runningRenders(session)).filter(({ account_id }) => account_id === account);
    if (running.length > maxRunning) throw new AccountFullError();
    return render;
  });
  return taken.catch((error: unknown) => {
    if (error instanceof AccountFullError) return undefined;
    throw error;
  });
}

/** Another instance has started a render of the account meanwhile. Rolls the lease back. */
class AccountFullError extends Error {}

async function startLease(
  session: Session,
  id: string,
  owner: string,
  now: number,
  leaseMs: number,
): Promise<RenderRow | undefined> {
  return session
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

/**
 * Accounts with queued renders that may run, except suspended ones: those with the fewest running renders first, then those
 * that used the least worker time recently.
 */
async function accountsInTurn(database: Database, now: number, { maxRunning }: LeaseTerms): Promise<string[]> {
  const running = new Map<string, { count: number; ms: number }>();
  for (const { account_id, started_at } of await runningRenders(database)) {
    const { count, ms } = running.get(account_id) ?? { count: 0, ms: 0 };
    running.set(account_id, { count: count + 1, ms: ms + now - (started_at ?? now) });
  }
  const full = [...running].flatMap(([account, { count }]) => (count >= maxRunning ? [account] : []));
  const waiting = await database
    .selectFrom('renders')
    .select(['account_id', (column) => column.fn.min<number>('created_at').as('oldest')])
    .where('status', '=', 'queued')
    .where('deleted_at', 'is', null)
    .$if(full.length > 0, (query) => query.where('account_id', 'not in', full))
    .where('account_id', 'not in', (query) =>
      query.selectFrom('accounts').select('id').where('suspended_at', 'is not', null),
    )
    .groupBy('account_id')
    .orderBy('oldest')
    .limit(maxAccounts)
    .execute();
  const ids = waiting.map(({ account_id }) => account_id);
  if (ids.length < 2) return ids;
  const used = await recentWorkerTime(database, ids, now);
  const countOf = (id: string): number => running.get(id)?.count ?? 0;
  const timeOf = (id: string): number => (used.get(id) ?? 0) + (running.get(id)?.ms ?? 0);
  // The sort is stable: equal accounts stay in the order of their oldest renders.
  return ids.sort((a, b) => countOf(a) - countOf(b) || timeOf(a) - timeOf(b));
}

/** There are never more than workers. */
function runningRenders(session: Session): Promise<Pick<RenderRow, 'account_id' | 'started_at'>[]> {
  return session.selectFrom('renders').select(['account_id', 'started_at']).where('status', '=', 'rendering').execute();
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

/** Why a render is put back into the queue. The first two are counted. `closing`: the service shuts down. */
export type RequeueCause = 'worker died' | 'interrupted' | 'closing' | 'store unavailable';

/** Puts a leased render back into the queue. Returns false if the lease was lost, or the render was deleted meanwhile. */
export async function requeue(database: Database, lease: Lease, cause: RequeueCause, now: number): Promise<boolean> {
  return database.transaction().execute(async (session) => {
    const { numUpdatedRows } = await session
      .updateTable('renders')
      .set((column) => ({
        status: 'queued',
        lease_owner: null,
        lease_expires_at: null,
        worker_deaths: column('worker_deaths', '+', cause === 'worker died' ? 1 : 0),
        interruptions: column('interruptions', '+', cause === 'interrupted' ? 1 : 0),
      }))
      .where('id', '=', lease.render.id)
      .where('lease_owner', '=', lease.owner)
      .where('status', '=', 'rendering')
      // It would be in the queue forever: deleted renders are not leased.
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await addWorkerTime(session, lease.render.account_id, workerMs(lease, now), now);
    return true;
  });
}

/** Leases that were not renewed in time. They can be requeued or ended like the caller's own. */
export async function expiredLeases(database: Database, now: number): Promise<Lease[]> {
  const rows = await database
    .selectFrom('renders')
    .selectAll()
    .where('status', '=', 'rendering')
    .where('lease_expires_at', '<', now)
    .execute();
  return rows.map((render) => ({
    render,
    owner: render.lease_owner ?? '',
    ...(render.lease_expires_at === null ? {} : { expiredAt: render.lease_expires_at }),
  }));
}
