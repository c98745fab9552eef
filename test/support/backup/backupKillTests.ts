// Backups and restores that are killed at each of their steps, for SQLite and PostgreSQL.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseLocation } from '../../../cloud/service/storage/database.ts';
import { testFolder, testService } from '../service/service.ts';
import {
  bundleBackupProcess,
  everything,
  filesIn,
  fillService,
  locationOf,
  restore,
  runBackupJob,
  writeBackup,
} from './backupData.ts';

/** `newDatabaseUrl` creates an empty database; it returns undefined for SQLite. */
export function backupKillTests(newDatabaseUrl: () => string | undefined): void {
  let program = '';
  beforeAll(async () => {
    program = await bundleBackupProcess();
  });
  afterAll(() => rmSync(program));

  test('appears completely or not at all, wherever a backup is killed', async () => {
    const service = await testService({ databaseUrl: newDatabaseUrl() });
    await fillService(service);
    const folder = await testFolder();
    const backup = join(folder, 'backup');
    const job = { action: 'backup', location: locationOf(service), backup } as const;
    let kills = 0;
    while ((await runBackupJob(program, { ...job, killAt: kills + 1 })) === 'killed') {
      kills++;
      expect(existsSync(backup)).toBe(false);
      // A folder and its lock. Each backup deletes what earlier ones have left behind.
      expect(readdirSync(folder)).toHaveLength(2);
    }
    // Four files are copied, the copy of the database begins and ends, and five files are read.
    expect(kills).toBe(11);
    expect(readdirSync(folder)).toEqual(['backup']);
    const location = { dataDir: await testFolder(), databaseUrl: newDatabaseUrl() };
    await restore(location, backup);
    expect((await everything(location)).rows).toEqual((await everything(locationOf(service))).rows);
  });

  test('has the old or the new data, wherever a restore is killed', async () => {
    const service = await testService({ databaseUrl: newDatabaseUrl() });
    await fillService(service);
    const backup = join(await testFolder(), 'backup');
    await writeBackup(locationOf(service), backup);
    const saved = { rows: (await everything(locationOf(service))).rows, files: filesIn(join(backup, 'objects')) };

    const location = await currentData(newDatabaseUrl());
    const old = await everything(location);
    const job = { action: 'restore', location, backup } as const;
    let kills = 0;
    while ((await runBackupJob(program, { ...job, killAt: kills + 1 })) === 'killed') {
      kills++;
      const { rows, files } = await everything(location);
      const isOld = JSON.stringify(rows) === JSON.stringify(old.rows);
      expect({ rows, files }).toMatchObject(isOld ? old : saved);
      // PostgreSQL is not empty any more.
      if (!isOld) break;
    }
    // Five files are checked, four are copied, and the restore of the database begins and ends.
    expect(kills).toBe(11);
    if (location.databaseUrl !== undefined) return;
    const [previous = '', ...others] = readdirSync(location.dataDir).filter((name) =>
      name.startsWith('before-restore-'),
    );
    expect(others).toEqual([]);
    // Restores that were killed earlier have already stored files of the backup.
    const kept = await everything({ dataDir: join(location.dataDir, previous), databaseUrl: undefined });
    expect(kept.rows).toEqual(old.rows);
    expect(kept.files).toMatchObject(old.files);
    expect(await runBackupJob(program, { ...job, killAt: 0 })).toBe('done');
    expect(await everything(location)).toEqual(saved);
    expect(readdirSync(location.dataDir).filter((name) => name.startsWith('.restore-'))).toEqual([]);
  });
}

/** With SQLite, data that the restore replaces. */
async function currentData(databaseUrl: string | undefined): Promise<DatabaseLocation> {
  const dataDir = await testFolder();
  if (databaseUrl !== undefined) return { dataDir, databaseUrl };
  const service = await testService({ dataDir });
  await fillService(service);
  await service.close();
  return { dataDir, databaseUrl };
}
