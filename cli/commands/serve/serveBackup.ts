// `framework serve backup` and `framework serve restore`: a copy of the service's data in a folder, and back.
import { join, resolve } from 'node:path';
import { shellWord } from '../../../cloud/client/shellCommands.ts';
import {
  type BackupManifest,
  objectsName,
  readManifest,
  totalBytes,
} from '../../../cloud/service/backup/backupManifest.ts';
import { type BackupEvent, createBackup } from '../../../cloud/service/backup/createBackup.ts';
import { openDatabaseSource } from '../../../cloud/service/backup/databaseSource.ts';
import { hasData, restoreBackup } from '../../../cloud/service/backup/restoreBackup.ts';
import { objectSettings } from '../../../cloud/service/storage/objectSettings.ts';
import manifestOfPackage from '../../../package.json' with { type: 'json' };
import { UserError } from '../../../renderer-core/errors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { askYesNo } from '../../confirm.ts';
import { colorsFor } from '../../output/colors.ts';
import { bytesText, countText } from '../../output/format.ts';
import { barText, createLiveLine } from '../../output/liveLine.ts';
import { print } from './serveOperations.ts';
import { dataOption, readStore } from './serveSettings.ts';

/** Throws UserError. */
export async function runServeBackup(input: CommandInput, io: CliIo): Promise<number> {
  const target = folderOf(input, 'framework serve backup /mnt/backups/2026-11-23');
  const location = readStore(input, io.env);
  const objectsFolder = objectSettings(io.env).kind === 'disk' ? join(location.dataDir, objectsName) : undefined;
  const { signal } = io;
  const source = await openDatabaseSource(location, { env: io.env, signal });
  const { version } = manifestOfPackage;
  const written = await withProgress(io, (onEvent) =>
    createBackup(source, { target, objectsFolder, version, now: Date.now(), signal, onEvent }),
  ).finally(() => source.close());
  warnAboutMissing(written, io);
  return print(input, io, { backup: target, ...manifestJson(written) }, [
    `Wrote the backup ${target}: ${countText(written.files.length, 'file')}, ${bytesText(totalBytes(written))}.`,
    ...(written.objects === 'bucket' ? ['Projects and videos are in a bucket and not in the backup.'] : []),
    'It contains secrets. Keep it where only you can read it.',
  ]);
}

/** Throws UserError, also `cancelled` unless the user confirms that data is replaced. */
export async function runServeRestore(input: CommandInput, io: CliIo): Promise<number> {
  const backup = folderOf(input, 'framework serve restore /mnt/backups/2026-11-23');
  const location = readStore(input, io.env);
  const { created_at } = await readManifest(backup);
  if (!input.flags.has('no-confirm') && (await hasData(location))) {
    const question = `Replace the data of the service in ${location.dataDir} by the backup of ${created_at}? The current data is kept in another folder.`;
    const other = `framework serve restore ${shellWord(backup)} --no-confirm${dataOption(input)}`;
    if (!(await askYesNo(question, io, other))) throw new UserError('cancelled', 'Nothing was changed.');
  }
  const { kind: objects } = objectSettings(io.env);
  const run = { env: io.env, signal: io.signal };
  const { manifest, previous } = await withProgress(io, (onEvent) =>
    restoreBackup({ backup, location, objects, now: Date.now(), run, onEvent }),
  );
  warnAboutMissing(manifest, io);
  const result = { backup, data_dir: location.dataDir, previous, ...manifestJson(manifest) };
  return print(input, io, result, [
    `Restored the backup of ${manifest.created_at}: ${countText(manifest.files.length, 'file')}, ${bytesText(totalBytes(manifest))}.`,
    ...(previous === null ? [] : [`The data of before is in ${previous}. Delete it when you no longer need it.`]),
    ...(manifest.objects === 'bucket' ? ['Projects and videos are in a bucket, which was not changed.'] : []),
  ]);
}

/** Throws UserError `usage`. */
function folderOf({ positionals: [folder] }: CommandInput, example: string): string {
  if (folder !== undefined) return resolve(folder);
  throw new UserError('usage', 'the folder of the backup is missing', { hint: `Example: ${example}` });
}

function manifestJson(manifest: BackupManifest): object {
  const { created_at, version, database, schema, objects, files, missing } = manifest;
  return {
    created_at,
    version,
    database,
    schema,
    objects,
    files: files.length,
    bytes: totalBytes(manifest),
    missing,
  };
}

const maxListed = 10;

function warnAboutMissing({ missing }: BackupManifest, io: CliIo): void {
  if (missing.length === 0) return;
  const rest = missing.length > maxListed ? ', …' : '';
  io.stderr.write(
    `warning: ${countText(missing.length, 'file')} that the database names did not exist: ${missing.slice(0, maxListed).join(', ')}${rest}\n`,
  );
}

const stages = {
  database: 'copying the database',
  files: 'copying files',
  checksums: 'checking files',
  restore: 'restoring the database',
};

/** Shows a line while `run` works, if there is a terminal. */
async function withProgress<T>(io: CliIo, run: (onEvent: (event: BackupEvent) => void) => Promise<T>): Promise<T> {
  const live = createLiveLine(io.stderr, colorsFor(io.stderr, io.env));
  const draw = ({ stage, done, total }: BackupEvent): void => {
    if (io.stderr.isTTY) live.draw(`${barText(done / Math.max(1, total))} ${stages[stage]}`);
  };
  return run(draw).finally(() => live.clear());
}
