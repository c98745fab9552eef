// A process that writes or restores a backup, and kills itself at one of its steps. Its argument is JSON.
import { createBackup } from '../../../cloud/service/backup/createBackup.ts';
import { openDatabaseSource } from '../../../cloud/service/backup/databaseSource.ts';
import { restoreBackup } from '../../../cloud/service/backup/restoreBackup.ts';
import type { DatabaseLocation } from '../../../cloud/service/storage/database.ts';
import { backupOptions } from './backupOptions.ts';

export type BackupJob = {
  action: 'backup' | 'restore';
  location: DatabaseLocation;
  backup: string;
  /** The number of the event at which the process is killed. */
  killAt: number;
};

const { action, location, backup, killAt }: BackupJob = JSON.parse(process.argv[2] ?? '');
let events = 0;
const onEvent = (): void => {
  if (++events === killAt) process.kill(process.pid, 'SIGKILL');
};
const run = { env: process.env, signal: new AbortController().signal };
if (action === 'backup') {
  const source = await openDatabaseSource(location, run);
  await createBackup(source, { ...backupOptions(location.dataDir, backup), onEvent });
  await source.close();
} else await restoreBackup({ backup, location, objects: 'disk', now: Date.now(), run, onEvent });
