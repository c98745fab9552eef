// The counts behind rate limits and the waits after failed attempts. One instance keeps them in memory. Instances that
// share a PostgreSQL database keep them there, so that a client does not get the limits once for each instance.
import { sql } from 'kysely';
import type { ServiceSettings } from '../settings.ts';
import { secretHash } from './ids.ts';
import type { Database } from './tables.ts';

/** Times are Unix milliseconds. */
export type LimitCount = { failures: number; freeAt: number; last: number };

export type LimitCounts = {
  /** Replaces the count of a key, if any, and returns the result of `step`. Other changes of the same key wait. */
  change<Result>(
    key: string,
    step: (count: LimitCount | undefined) => readonly [next: LimitCount, result: Result],
  ): Promise<Result>;
  /**
   * Moves the `freeAt` of a key by `interval`, but at most to `latest`. Returns the milliseconds until this is possible:
   * 0 if it was done. The same as a `change`, but with a single query, because every request needs it.
   */
  advance(key: string, step: { time: number; interval: number; latest: number }): Promise<number>;
};

/** Opens the counts of one limit. */
export type OpenLimitCounts = (limit: string) => LimitCounts;

export function limitCounts(
  { databaseUrl }: Pick<ServiceSettings, 'databaseUrl'>,
  database: Database,
): OpenLimitCounts {
  return databaseUrl === undefined ? memoryCounts : (limit) => sharedCounts(database, limit);
}

/** Keys of one limit. Then the key that was not used for the longest time is forgotten. */
const maxKeys = 10_000;

export function memoryCounts(): LimitCounts {
  const counts = new Map<string, LimitCount>();
  const set = (key: string, count: LimitCount): void => {
    // Deleted first, so that the map is ordered by time.
    counts.delete(key);
    counts.set(key, count);
    const [oldest] = counts.keys();
    if (counts.size > maxKeys && oldest !== undefined) counts.delete(oldest);
  };
  return {
    async change(key, step) {
      const [next, result] = step(counts.get(key));
      set(key, next);
      return result;
    },
    async advance(key, { time, interval, latest }) {
      const freeAt = Math.max(counts.get(key)?.freeAt ?? 0, time) + interval;
      if (freeAt > latest) return freeAt - latest;
      set(key, { failures: 0, freeAt, last: time });
      return 0;
    },
  };
}

function sharedCounts(database: Database, limit: string): LimitCounts {
  // Keys contain addresses, and what was typed into the sign-in page: by mistake, this can be a password.
  const keyOf = (key: string): string => secretHash(`${limit} ${key}`);
  return {
    change: (name, step) =>
      database.transaction().execute(async (session) => {
        const key = keyOf(name);
        const none = { key, failures: 0, free_at: 0, last_at: 0 };
        // A row that exists can be locked.
        const { numInsertedOrUpdatedRows } = await session
          .insertInto('limit_counts')
          .values(none)
          .onConflict((conflict) => conflict.column('key').doNothing())
          .executeTakeFirstOrThrow();
        const row = await session
          .selectFrom('limit_counts')
          .selectAll()
          .where('key', '=', key)
          .forUpdate()
          .executeTakeFirst();
        const isNew = numInsertedOrUpdatedRows === 1n || row === undefined;
        const known = isNew ? undefined : { failures: row.failures, freeAt: row.free_at, last: row.last_at };
        const [{ failures, freeAt, last }, result] = step(known);
        await session
          .updateTable('limit_counts')
          .set({ failures, free_at: freeAt, last_at: last })
          .where('key', '=', key)
          .execute();
        return result;
      }),
    async advance(name, { time, interval, latest }) {
      const key = keyOf(name);
      const { rows } = await sql`
        insert into limit_counts (key, failures, free_at, last_at) values (${key}, 0, ${time + interval}, ${time})
        on conflict (key) do update set
          free_at = greatest(limit_counts.free_at, ${time}) + ${interval}, last_at = ${time}
        where greatest(limit_counts.free_at, ${time}) + ${interval} <= ${latest}
        returning key`.execute(database);
      if (rows.length > 0) return 0;
      const row = await database.selectFrom('limit_counts').select('free_at').where('key', '=', key).executeTakeFirst();
      return Math.max(1, Math.max(row?.free_at ?? 0, time) + interval - latest);
    },
  };
}
