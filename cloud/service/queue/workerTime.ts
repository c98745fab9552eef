// The worker time that accounts used in the last hour: of several accounts, the one that used least is next.
import type { Session } from '../storage/tables.ts';

const recentMs = 60 * 60_000;

/** Times are added up in periods, so that an account has a few rows, however many renders it has. */
const periodMs = 10 * 60_000;

/** Adds the time of an attempt that ended at `now`, whatever its end. */
export async function addWorkerTime(session: Session, account: string, ms: number, now: number): Promise<void> {
  const period = Math.floor(now / periodMs) * periodMs;
  await session
    .deleteFrom('worker_time')
    .where('account_id', '=', account)
    .where('period', '<=', now - recentMs)
    .execute();
  await session
    .insertInto('worker_time')
    .values({ account_id: account, period, ms })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'period'])
        .doUpdateSet((row) => ({ ms: row('worker_time.ms', '+', row.ref('excluded.ms')) })),
    )
    .execute();
}

/** Milliseconds by account, without running renders. Accounts that used none are left out. */
export async function recentWorkerTime(
  session: Session,
  accounts: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const rows = await session
    .selectFrom('worker_time')
    .select(['account_id', ({ fn }) => fn.sum<number>('ms').as('total')])
    .where('account_id', 'in', accounts)
    .where('period', '>', now - recentMs)
    .groupBy('account_id')
    .execute();
  return new Map(rows.map(({ account_id, total }) => [account_id, Number(total)]));
}
