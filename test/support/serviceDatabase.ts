// A service's database in a temporary folder, with accounts and renders from literals.
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../renderer-core/service/database.ts';
import type { AccountRow, Database, RenderRow } from '../../renderer-core/service/tables.ts';
import { temporaryFolder } from './project.ts';

/** SQLite, closed when the test ends. */
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
});

/** A queued render of account `a` with the default options. */
export const renderRow = (id: string, changes: Partial<RenderRow> = {}): RenderRow => ({
  id,
  account_id: 'a',
  status: 'queued',
  progress: 0,
  title: null,
  callback_id: null,
  callback_url: null,
  asset_id: null,
  project_url: 'https://example.com/project.zip',
  composition: 'index.html',
  fps: null,
  quality: 'standard',
  format: 'mp4',
  resolution: '1080p',
  aspect_ratio: null,
  variables: '{}',
  strict_variables: 0,
  video_key: null,
  video_bytes: null,
  thumbnail_key: null,
  duration: null,
  credits: null,
  failure_code: null,
  failure_message: null,
  warnings: null,
  created_at: 1,
  started_at: null,
  completed_at: null,
  deleted_at: null,
  lease_owner: null,
  lease_expires_at: null,
  attempts: 0,
  ...changes,
});

export async function addAccount(database: Database, id: string, credits = 0): Promise<void> {
  await database.insertInto('accounts').values(accountRow(id)).execute();
  if (credits === 0) return;
  const grant = { id: `grant_${id}`, account_id: id, amount: credits, kind: 'grant' as const };
  await database
    .insertInto('ledger')
    .values({ ...grant, render_id: null, note: null, created_at: 1 })
    .execute();
}

export async function addRenders(database: Database, ...rows: RenderRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 500)
    await database
      .insertInto('renders')
      .values(rows.slice(at, at + 500))
      .execute();
}
