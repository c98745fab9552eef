// Backups on the command line.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../cloud/service/storage/database.ts';
import { lockData } from '../../../cloud/service/storage/dataLock.ts';
import { type CliRun, cli } from '../cli.ts';

type Place = { data: string; folder: string; run(...argv: string[]): Promise<CliRun>; emails(): Promise<string[]> };

/** A data folder with an account of ann@example.com and one project, and a folder for backups. */
async function place(): Promise<Place> {
  const root = mkdtempSync(join(tmpdir(), 'serve-backup-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [data, folder] = [join(root, 'data'), join(root, 'backups')];
  const run: Place['run'] = (...argv) => cli(['serve', ...argv, '--data', data]);
  await cli(['serve', 'account', 'add', '--email', 'ann@example.com', '--data', data], { stdin: 'correct horse' });
  mkdirSync(join(data, 'objects', 'assets'), { recursive: true });
  writeFileSync(join(data, 'objects', 'assets', 'ast_1.zip'), 'project');
  const database = await openDatabase({ dataDir: data, databaseUrl: undefined });
  const { id } = await database.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const asset = { id: 'ast_1', account_id: id, sha256: '', size_bytes: 7, object_key: 'assets/ast_1.zip' };
  await database
    .insertInto('assets')
    .values({ ...asset, created_at: 1, used_at: 1, deleted_at: null })
    .execute();
  await database.destroy();
  const emails = async (): Promise<string[]> => {
    const { stdout } = await run('account', 'list', '--json');
    return JSON.parse(stdout).map(({ email }: { email: string }) => email);
  };
  return { data, folder, run, emails };
}

test('writes a backup, and says what is in it', async () => {
  const { folder, run } = await place();
  expect(await run('backup', join(folder, 'monday'))).toEqual({
    status: 0,
    stdout: expect.stringMatching(
      /^Wrote the backup .*monday: 2 files, \d+ kB\.\nIt contains secrets\. Keep it where only you can read it\.\n$/,
    ),
    stderr: '',
  });
});

test('warns about files that the service has lost', async () => {
  const { data, folder, run } = await place();
  rmSync(join(data, 'objects', 'assets', 'ast_1.zip'));
  const { status, stderr } = await run('backup', join(folder, 'monday'));
  expect([status, stderr]).toEqual([0, 'warning: 1 file that the database names did not exist: assets/ast_1.zip\n']);
});

test('asks before it replaces data, but not in an empty folder', async () => {
  const { data, folder, run } = await place();
  const backup = join(folder, 'monday');
  await run('backup', backup);
  expect(await run('restore', backup)).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: This command asks for confirmation, but there is no terminal to ask on\nhint: To skip the question: framework serve restore ${backup} --no-confirm --data ${data}\n`,
  });
  const other = join(folder, 'other');
  const { status, stdout } = await cli(['serve', 'restore', backup, '--data', other, '--json']);
  expect([status, JSON.parse(stdout).previous]).toEqual([0, null]);
  expect((await cli(['serve', 'account', 'list', '--data', other])).stdout).toContain('ann@example.com');
});

test('leaves out files in a bucket, and says so', async () => {
  const { data, folder } = await place();
  const argv = ['serve', 'backup', join(folder, 'monday'), '--data', data];
  const { stdout } = await cli(argv, { env: { SERVICE_S3_BUCKET: 'videos' } });
  expect(stdout).toContain('Projects and videos are in a bucket and not in the backup.\n');
  expect(readdirSync(join(folder, 'monday')).sort()).toEqual(['manifest.json', 'service.sqlite']);
});

test('refuses to restore while a service uses the folder', async () => {
  const { data, folder, run, emails } = await place();
  await run('backup', join(folder, 'monday'));
  const unlock = await lockData(data);
  onTestFinished(unlock);
  const { status, stderr } = await run('restore', join(folder, 'monday'), '--no-confirm');
  expect([status, stderr]).toEqual([
    2,
    `error: Another service is already using ${data}\nhint: Stop the service, then restore the backup.\n`,
  ]);
  expect(await emails()).toEqual(['ann@example.com']);
});

test('writes nothing when it is cancelled', async () => {
  const { data, folder } = await place();
  const argv = ['serve', 'backup', join(folder, 'monday'), '--data', data];
  expect(await cli(argv, { signal: AbortSignal.abort() })).toEqual({
    status: 130,
    stdout: '',
    stderr: 'Cancelled. Nothing was changed.\n',
  });
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
});

test.each([
  [['backup'], 2, 'the folder of the backup is missing'],
  [['restore'], 2, 'the folder of the backup is missing'],
  [['backup', 'FOLDER'], 1, 'FOLDER already exists'],
  [['restore', 'FOLDER'], 1, 'FOLDER is not a backup: it has no manifest.json'],
  [['backup', 'FOLDER/new', '--data', 'FOLDER/none'], 2, 'There is no service.sqlite in FOLDER/none'],
])('rejects %j', async (words, expected, message) => {
  const { folder, data } = await place();
  mkdirSync(folder);
  const named = (text: string): string => text.replaceAll('FOLDER', folder);
  const argv = words.includes('--data') ? words : [...words, '--data', data];
  const { status, stdout } = await cli(['serve', ...argv.map(named), '--json']);
  expect([status, JSON.parse(stdout).error.message]).toEqual([expected, named(message)]);
  expect(readdirSync(folder)).toEqual([]);
});
