// What the operator page shows: accounts, queue, workers, disk and failures.
import { statfs } from 'node:fs/promises';
import type { ServiceContext } from '../context.ts';
import type { Database } from '../storage/tables.ts';
import { type ListedAccount, listAccounts } from './accountCommands.ts';

export type Overview = {
  accounts: ListedAccount[];
  queue: { queued: number; rendering: number /** Milliseconds. */; oldestAge: number | null };
  /** The instances that render at the moment. */
  workers: { instance: string; renders: number }[];
  disk: { free: number; total: number /** Of projects and videos that are not deleted. */; stored: number };
  /** The failures of the last seven days, the most frequent first. */
  failures: { code: string; count: number }[];
};

const weekMs = 7 * 24 * 60 * 60 * 1000;

export async function readOverview({ database, settings, now }: ServiceContext): Promise<Overview> {
  const [accounts, queue, workers, failures, stored, disk] = await Promise.all([
    listAccounts(database),
    readQueue(database, now()),
    readWorkers(database),
    readFailures(database, now() - weekMs),
    storedBytes(database),
    statfs(settings.dataDir),
  ]);
  const { bavail, blocks, bsize } = disk;
  return { accounts, queue, workers, failures, disk: { free: bavail * bsize, total: blocks * bsize, stored } };
}

async function readQueue(database: Database, now: number): Promise<Overview['queue']> {
  const rows = await database
    .selectFrom('renders')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count'), fn.min<number>('created_at').as('oldest')])
    .where('status', 'in', ['queued', 'rendering'])
    .where('deleted_at', 'is', null)
    .groupBy('status')
    .execute();
  const queued = rows.find(({ status }) => status === 'queued');
  return {
    queued: Number(queued?.count ?? 0),
    rendering: Number(rows.find(({ status }) => status === 'rendering')?.count ?? 0),
    oldestAge: queued === undefined ? null : Math.max(0, now - queued.oldest),
  };
}

/** The owner of a lease begins with the name of its instance. */
async function readWorkers(database: Database): Promise<Overview['workers']> {
  const leases = await database
    .selectFrom('renders')
    .select('lease_owner')
    .where('status', '=', 'rendering')
    .where('lease_owner', 'is not', null)
    .execute();
  const renders = new Map<string, number>();
  for (const { lease_owner: owner } of leases) {
    const instance = (owner ?? '').replace(/\/[^/]*$/, '');
    renders.set(instance, (renders.get(instance) ?? 0) + 1);
  }
  return [...renders].map(([instance, count]) => ({ instance, renders: count })).sort(byRenders);
}

const byRenders = (a: { renders: number }, b: { renders: number }): number => b.renders - a.renders;

async function readFailures(database: Database, since: number): Promise<Overview['failures']> {
  const rows = await database
    .selectFrom('renders')
    .select(({ fn }) => ['failure_code', fn.countAll<number>().as('count')])
    .where('status', '=', 'failed')
    .where('completed_at', '>=', since)
    .groupBy('failure_code')
    .execute();
  return rows
    .map(({ failure_code: code, count }) => ({ code: code ?? 'unknown', count: Number(count) }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

async function storedBytes(database: Database): Promise<number> {
  const projects = await database
    .selectFrom('assets')
    .select(({ fn }) => fn.sum<number | null>('size_bytes').as('bytes'))
    .where('object_key', '!=', '')
    .executeTakeFirst();
  const videos = await database
    .selectFrom('renders')
    .select(({ fn }) => fn.sum<number | null>('video_bytes').as('bytes'))
    .where('video_key', 'is not', null)
    .executeTakeFirst();
  return Number(projects?.bytes ?? 0) + Number(videos?.bytes ?? 0);
}
