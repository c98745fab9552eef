// The data of a service for tests of backups: what is in it, and everything that can be read from it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BackupManifest } from '../../../cloud/service/backup/backupManifest.ts';
import { type BackupOptions, createBackup } from '../../../cloud/service/backup/createBackup.ts';
import { type DatabaseSource, openDatabaseSource } from '../../../cloud/service/backup/databaseSource.ts';
import { type Restored, type RestoreOptions, restoreBackup } from '../../../cloud/service/backup/restoreBackup.ts';
import { completeRender } from '../../../cloud/service/queue/completeRender.ts';
import { holdCredits } from '../../../cloud/service/queue/credits.ts';
import { leaseNextRender, leaseTerms } from '../../../cloud/service/queue/leases.ts';
import { type DatabaseLocation, openUnmigrated } from '../../../cloud/service/storage/database.ts';
import { newId } from '../../../cloud/service/storage/ids.ts';
import { temporaryFolder } from '../project.ts';
import { assetForm, type TestService, type TestUser, testUser } from '../service/service.ts';
import { renderRow } from '../service/serviceDatabase.ts';
import { backupOptions } from './backupOptions.ts';
import type { BackupJob } from './backupProcess.ts';

export const locationOf = ({ context: { settings } }: TestService): DatabaseLocation => ({
  dataDir: settings.dataDir,
  databaseUrl: settings.databaseUrl,
});

const signal = new AbortController().signal;
const run = { env: process.env, signal };

/** `change` may replace a part of the database as the backup reads it. */
export async function writeBackup(
  location: DatabaseLocation,
  target: string,
  options: Partial<BackupOptions> = {},
  change: (source: DatabaseSource) => Partial<DatabaseSource> = () => ({}),
): Promise<BackupManifest> {
  const source = await openDatabaseSource(location, run);
  const changed = { ...source, ...change(source) };
  return createBackup(changed, { ...backupOptions(location.dataDir, target), ...options }).finally(() =>
    source.close(),
  );
}

export function restore(
  location: DatabaseLocation,
  backup: string,
  options: Partial<RestoreOptions> = {},
): Promise<Restored> {
  return restoreBackup({ backup, location, objects: 'disk', now: Date.parse('2026-11-24T10:20:30Z'), run, ...options });
}

/** The bundle of a process that starts fast. It is in the repository, where it finds packages. */
export async function bundleBackupProcess(): Promise<string> {
  const file = fileURLToPath(new URL(`../../../.cache/backup-process-${process.pid}.mjs`, import.meta.url));
  const entry = fileURLToPath(new URL('./backupProcess.ts', import.meta.url));
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return file;
}

/** Runs until it is killed at the event `killAt`, or to its end. */
export async function runBackupJob(file: string, job: BackupJob): Promise<'killed' | 'done'> {
  const child = spawn(process.execPath, [file, JSON.stringify(job)], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [status, killedBy] = await once(child, 'exit');
  if (killedBy === 'SIGKILL') return 'killed';
  if (status === 0) return 'done';
  throw new Error(`the process ended with ${status ?? killedBy}`);
}

export async function uploadAsset({ app }: TestService, { headers }: TestUser): Promise<string> {
  const response = await app.request('/v3/assets', { method: 'POST', headers, body: assetForm() });
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()).data.asset_id;
}

/** A folder with a copy of the database of SQLite: a connection to the database itself could prevent a restore. */
function copyOfDatabase(dataDir: string): string {
  const folder = temporaryFolder();
  for (const name of ['service.sqlite', 'service.sqlite-wal'])
    if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(folder, name));
  return folder;
}

/** Everything that is in the database and in the folder of files. */
export async function everything(location: DatabaseLocation): Promise<{ rows: object; files: Record<string, string> }> {
  const database = await openUnmigrated({ ...location, dataDir: copyOfDatabase(location.dataDir) });
  try {
    const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
    const rows: Record<string, string[]> = {};
    for (const { name } of tables) {
      const found = await database
        .selectFrom(name as 'renders')
        .selectAll()
        .execute();
      rows[name] = found.map((row) => JSON.stringify(row)).sort();
    }
    return { rows, files: filesIn(join(location.dataDir, 'objects')) };
  } finally {
    await database.destroy();
  }
}

export function filesIn(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]));
}

export type Filled = TestUser & { asset: string; completed: string; running: string };

/**
 * An account with a project, a completed and charged render with its files, a running one with a hold and a stored segment,
 * and one that the user has deleted.
 */
export async function fillService(service: TestService): Promise<Filled> {
  const { context } = service;
  const { database, objects, now } = context;
  const user = await testUser(context);
  const asset = await uploadAsset(service, user);
  const put = (key: string, body: string) =>
    objects.put(key, Readable.from([body]), { contentType: 'application/octet-stream' });
  const add = async (created_at: number): Promise<string> => {
    const id = newId('rnd');
    await database
      .insertInto('renders')
      .values(renderRow(id, { account_id: user.accountId, asset_id: asset, project_url: null, created_at }))
      .execute();
    return id;
  };
  const take = async () => {
    const lease = await leaseNextRender(database, newId('rnd'), now(), leaseTerms);
    if (lease === undefined) throw new Error('no render can be leased');
    await holdCredits(database, lease, 5, now());
    return lease;
  };
  const complete = async (): Promise<string> => {
    const id = await add(1);
    const lease = await take();
    await put(`videos/${id}.mp4`, `video of ${id}`);
    await put(`thumbnails/${id}.jpg`, `thumbnail of ${id}`);
    await completeRender(
      database,
      lease,
      { ...outcome, video_key: `videos/${id}.mp4`, thumbnail_key: `thumbnails/${id}.jpg` },
      now(),
    );
    return id;
  };
  const completed = await complete();
  const deleted = await complete();
  await database.updateTable('renders').set({ deleted_at: now() }).where('id', '=', deleted).execute();
  const running = await add(2);
  await take();
  await database.updateTable('renders').set({ segments: '["0-ab.mp4"]' }).where('id', '=', running).execute();
  await put(`segments/${running}-0-ab.mp4`, 'segment');
  return { ...user, asset, completed, running };
}

export const outcome = {
  video_bytes: 10,
  duration: 5,
  fps: 30,
  aspect_ratio: '16:9',
  resolution: '1080p',
  engine: '{}',
  warnings: '[]',
  credits: 5,
};
