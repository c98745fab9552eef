// A service database in a temporary folder, with accounts and renders from literals.
import { onTestFinished } from 'vitest';
import { newRender } from '../../../cloud/service/api/renderRequests.ts';
import { addCredits } from '../../../cloud/service/auth/accounts.ts';
import { openDatabase } from '../../../cloud/service/storage/database.ts';
import type { AccountRow, Database, RenderRow } from '../../../cloud/service/storage/tables.ts';
import { temporaryFolder } from '../project.ts';

/** A SQLite database, closed when the test ends. */
export async function serviceDatabase(dataDir = temporaryFolder()): Promise<Database> {
  const database = await openDatabase({ dataDir, databaseUrl: undefined });
  onTestFinished(() => database.destroy());
  return database;
}

export const accountRow = (id: string): AccountRow => ({
  id,
  email: `${id}@example.com`,
  name: null,
  password_hash: 'x',
  plan: 'free',
  webhook_secret: 'whsec_x',
  created_at: 1,
  balance: 0,
  stored_bytes: 0,
  suspended_at: null,
  allowed_hosts: null,
});

/** A queued render of account `a` with default options. */
export const renderRow = (id: string, changes: Partial<RenderRow> = {}): RenderRow => ({
  ...newRender('a', { project: { type: 'url', url: 'https://example.com/project.zip' } }, 1),
  id,
  ...changes,
});

export async function addAccount(database: Database, id: string, credits = 0): Promise<void> {
  await database.insertInto('accounts').values(accountRow(id)).execute();
  if (credits === 0) return;
  await addCredits(database, id, credits, '', 1);
}

export async function addRenders(database: Database, ...rows: RenderRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 500)
    await database
      .insertInto('renders')
      .values(rows.slice(at, at + 500))
      .execute();
}
