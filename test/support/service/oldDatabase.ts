// A database of an earlier version, which an upgrade migrates.
import { join } from 'node:path';
import { type Dialect, Kysely, Migrator, PostgresDialect, SqliteDialect } from 'kysely';
import Sqlite from 'libsql';
import pg from 'pg';
import { expect } from 'vitest';
import { openDatabase } from '../../../cloud/service/storage/database.ts';
import { migrations } from '../../../cloud/service/storage/migrations.ts';
import type { Tables } from '../../../cloud/service/storage/tables.ts';

type Location = { dataDir: string; databaseUrl: string | undefined };

/** Writes rows into a database whose last migration is `last`. */
async function writeOld(location: Location, last: string, rows: Record<string, object[]>): Promise<void> {
  const database = new Kysely<Record<string, object>>({ dialect: dialectOf(location) });
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateTo(last);
  if (error !== undefined) throw error;
  for (const [table, values] of Object.entries(rows)) await database.insertInto(table).values(values).execute();
  await database.destroy();
}

function dialectOf({ dataDir, databaseUrl }: Location): Dialect {
  if (databaseUrl === undefined)
    return new SqliteDialect({ database: new Sqlite(join(dataDir, 'service.sqlite')) as never });
  return new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl }) });
}

const account = { name: null, password_hash: 'x', plan: 'standard', webhook_secret: 'x', created_at: 1 };
const asset = { account_id: 'ann', sha256: '', object_key: 'assets/x.zip', created_at: 1, deleted_at: null };
const render = {
  ...{
    account_id: 'ann',
    progress: 0,
    composition: 'index.html',
    quality: 'draft',
    format: 'mp4',
    resolution: '1080p',
  },
  ...{ variables: '{}', strict_variables: 0, attempts: 1, completed_at: 5, deleted_at: null },
  ...{ status: 'completed', asset_id: null, video_key: null, video_bytes: null },
};
const row = { account_id: 'ann', note: null, created_at: 1, render_id: null };

/** Version 0.5 summed up the ledger, and did not know when an asset was used. */
export async function expectTotalsOfOldRows(location: Location): Promise<void> {
  await writeOld(location, '004-size', {
    accounts: [
      { ...account, id: 'ann', email: 'ann@example.com' },
      { ...account, id: 'ben', email: 'ben@example.com' },
    ],
    assets: [
      { ...asset, id: 'used', size_bytes: 1000 },
      { ...asset, id: 'unused', size_bytes: 200 },
      { ...asset, id: 'deleted', size_bytes: 30, deleted_at: 7 },
    ],
    renders: [
      { ...render, id: 'r1', asset_id: 'used', created_at: 40, video_key: 'videos/r1.mp4', video_bytes: 5_000_000_000 },
      { ...render, id: 'r2', asset_id: 'used', created_at: 60, status: 'failed' },
      { ...render, id: 'r3', created_at: 70, video_key: 'videos/r3.mp4', video_bytes: 7, deleted_at: 80 },
    ],
    ledger: [
      { ...row, id: 'l1', kind: 'grant', amount: 0.1 },
      { ...row, id: 'l2', kind: 'grant', amount: 0.2 },
      { ...row, id: 'l3', kind: 'charge', amount: -2.5, render_id: 'r1' },
    ],
  });
  const database = await openDatabase(location);
  try {
    const accounts = await database
      .selectFrom('accounts')
      .select(['id', 'balance', 'stored_bytes'])
      .orderBy('id')
      .execute();
    expect(accounts).toEqual([
      { id: 'ann', balance: -22_000, stored_bytes: 5_000_001_200 },
      { id: 'ben', balance: 0, stored_bytes: 0 },
    ]);
    expect(await database.selectFrom('assets').select(['id', 'used_at']).orderBy('id').execute()).toEqual([
      { id: 'deleted', used_at: null },
      { id: 'unused', used_at: null },
      { id: 'used', used_at: 60 },
    ] satisfies Pick<Tables['assets'], 'id' | 'used_at'>[]);
  } finally {
    await database.destroy();
  }
}
