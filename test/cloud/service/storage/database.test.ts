// The tables match their types, and data survives a restart.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../../../../cloud/service/storage/database.ts';
import type { AccountRow } from '../../../../cloud/service/storage/tables.ts';
import { expectTotalsOfOldRows } from '../../../support/service/oldDatabase.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

async function dataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  folders.push(folder);
  return folder;
}

const account: AccountRow = {
  id: 'acc_1',
  email: 'ann@example.com',
  name: 'Änn',
  password_hash: 'x',
  plan: 'free',
  webhook_secret: 'whsec_x',
  created_at: 1_800_000_000_123,
  balance: 60_000,
  stored_bytes: 5_000_000_000,
  suspended_at: null,
  allowed_hosts: '["cdn.example.com"]',
};

test('keeps data across restarts', async () => {
  const settings = { dataDir: await dataDir(), databaseUrl: undefined };
  const first = await openDatabase(settings);
  await first.insertInto('accounts').values(account).execute();
  await first.destroy();
  const second = await openDatabase(settings);
  expect(await second.selectFrom('accounts').selectAll().execute()).toEqual([account]);
  await second.destroy();
});

test('allows one account per e-mail address', async () => {
  const database = await openDatabase({ dataDir: await dataDir(), databaseUrl: undefined });
  await database.insertInto('accounts').values(account).execute();
  await expect(
    database
      .insertInto('accounts')
      .values({ ...account, id: 'acc_2' })
      .execute(),
  ).rejects.toThrow(/unique/i);
  await database.destroy();
});

test('sums up the rows of an earlier version', async () => {
  await expectTotalsOfOldRows({ dataDir: await dataDir(), databaseUrl: undefined });
});

test('reports an unusable database without its password', async () => {
  const dir = await dataDir();
  const databaseUrl = 'postgres://ann:s3cret@127.0.0.1:1/x';
  await expect(openDatabase({ dataDir: dir, databaseUrl })).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringMatching(/^The database at DATABASE_URL cannot be used: (?!.*s3cret)/),
  });
  await writeFile(join(dir, 'service.sqlite'), 'not a database at all, but longer than a header'.repeat(100));
  await expect(openDatabase({ dataDir: dir, databaseUrl: undefined })).rejects.toMatchObject({
    message: `The database in ${dir} cannot be used: file is not a database`,
  });
});
