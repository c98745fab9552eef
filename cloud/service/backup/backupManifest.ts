// The manifest of a backup: what it contains, with a checksum of each file. A folder without a complete one is not a backup.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../../renderer-core/errors.ts';
import { objectKeyPattern } from '../storage/diskObjects.ts';

export const manifestName = 'manifest.json';
export const objectsName = 'objects';
/** The files of the database in a backup: a database of SQLite, and a dump of PostgreSQL in its custom format. */
export const databaseFiles = { sqlite: 'service.sqlite', postgresql: 'service.dump' } as const;

/** Nothing outside the backup can be named. */
function isBackupPath(path: string): boolean {
  const [folder, ...key] = path.split('/');
  return folder === objectsName
    ? objectKeyPattern.test(key.join('/'))
    : Object.values<string>(databaseFiles).includes(path);
}

const manifestSchema = z.object({
  /** The format of this file. */
  format: z.literal(1),
  version: z.string(),
  created_at: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgresql']),
  /** The last migration of the database. */
  schema: z.string(),
  objects: z.enum(['disk', 'bucket']),
  /** Keys of files that rows name, but that were missing already. */
  missing: z.array(z.string()),
  files: z.array(
    z.object({
      path: z.string().refine(isBackupPath),
      bytes: z.int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

export type BackupManifest = z.infer<typeof manifestSchema>;
export type BackupFile = BackupManifest['files'][number];

export const manifestText = (manifest: BackupManifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

export const totalBytes = ({ files }: Pick<BackupManifest, 'files'>): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Throws UserError `backup_invalid`. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, manifestName);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const message = error.code === 'ENOENT' ? `${folder} is not a backup: it has no ${manifestName}` : error.message;
    throw new UserError('backup_invalid', message, {
      hint: 'Name a folder that framework serve backup has written.',
      cause: error,
    });
  });
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new UserError('backup_invalid', `${path} is damaged, or was written by another version`, {
      hint: 'Use another backup, or the version of framework that wrote this one.',
      cause: error,
    });
  }
}
