// The options of backups in tests.
import { join } from 'node:path';
import type { BackupOptions } from '../../../cloud/service/backup/createBackup.ts';

export const backupOptions = (dataDir: string, target: string): BackupOptions => ({
  target,
  objectsFolder: join(dataDir, 'objects'),
  version: '1.2.3',
  now: Date.parse('2026-11-23T10:20:30Z'),
  signal: new AbortController().signal,
});
