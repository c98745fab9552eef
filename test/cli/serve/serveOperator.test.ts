// What the operator does with accounts on the command line.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifyPassword } from '../../../cloud/service/auth/accounts.ts';
import { accountOfKey } from '../../../cloud/service/auth/apiKeys.ts';
import { openDatabase } from '../../../cloud/service/storage/database.ts';
import type { Database } from '../../../cloud/service/storage/tables.ts';
import { type CliRun, cli } from '../cli.ts';

type Operator = {
  data: string;
  run(line: string, stdin?: string): Promise<CliRun>;
  json(line: string, stdin?: string): Promise<unknown>;
  read<T>(use: (database: Database) => Promise<T>): Promise<T>;
  /** The actions in the audit log, oldest first. */
  actions(): Promise<string[]>;
};

/** Runs commands on one data folder with an account of ann@example.com. */
async function operator(): Promise<Operator> {
  const data = mkdtempSync(join(tmpdir(), 'serve-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const run: Operator['run'] = (line, stdin = '') => cli([...line.split(' '), '--data', data], { stdin });
  const read: Operator['read'] = async (use) => {
    const database = await openDatabase({ dataDir: data, databaseUrl: undefined });
    return use(database).finally(() => database.destroy());
  };
  expect((await run('serve account add --email ann@example.com --name Ann', 'correct horse')).status).toBe(0);
  return {
    data,
    run,
    read,
    json: async (line, stdin) => {
      const { status, stdout, stderr } = await run(`${line} --json`, stdin);
      expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: '' });
      return JSON.parse(stdout);
    },
    actions: () =>
      read(async (database) => {
        const rows = await database.selectFrom('audit_events').selectAll().orderBy('at').execute();
        return rows.map(({ actor, action, detail }) =>
          [actor, action, detail].filter((part) => part !== null).join(' '),
        );
      }),
  };
}

test('lists accounts, and suspends and resumes one', async () => {
  const { run, json } = await operator();
  const line = /^acc_[\w-]{22} {2}ann@example\.com {2}600 credits, 0 renders, created \d{4}-\d\d-\d\d/;
  expect((await run('serve account list')).stdout).toMatch(new RegExp(`${line.source}\n$`));
  expect((await run('serve account suspend --email Ann@example.com')).stdout).toBe(
    'Suspended ann@example.com. Its requests are rejected, and its queued renders wait.\n',
  );
  expect((await run('serve account suspend --email ann@example.com')).stdout).toBe(
    'ann@example.com is already suspended.\n',
  );
  expect((await run('serve account list')).stdout).toMatch(
    new RegExp(`${line.source}, suspended \\d{4}-\\d\\d-\\d\\d\n$`),
  );
  expect(await json('serve account list')).toEqual([
    {
      user_id: expect.stringMatching(/^acc_/),
      email: 'ann@example.com',
      name: 'Ann',
      plan: 'standard',
      credits: 600,
      renders: 0,
      created_at: expect.any(Number),
      suspended_at: expect.any(Number),
      allowed_hosts: null,
    },
  ]);
  expect(await json('serve account resume --email ann@example.com')).toMatchObject({ suspended: false });
  expect((await run('serve account resume --email ann@example.com')).stdout).toBe(
    'ann@example.com is not suspended.\n',
  );
});

test('shows and sets the hosts from which pages of an account may load files', async () => {
  const { run, json } = await operator();
  const hosts = 'serve account hosts --email ann@example.com';
  const all = 'Pages of ann@example.com may load files from all hosts that the service allows.\n';
  expect((await run(hosts)).stdout).toBe(all);
  expect(await json(`${hosts} --allow-host CDN.example.com --allow-host *.b.de`)).toEqual({
    user_id: expect.stringMatching(/^acc_/),
    email: 'ann@example.com',
    allowed_hosts: ['cdn.example.com', '*.b.de'],
  });
  expect((await run(hosts)).stdout).toBe('Pages of ann@example.com may load files from cdn.example.com, *.b.de.\n');
  expect((await run(`${hosts} --any`)).stdout).toBe(all);
  expect((await run(`${hosts} --any --allow-host a.com`)).stderr).toContain('--any cannot be used with --allow-host');
  expect((await run(`${hosts} --allow-host https://a.com`)).stderr).toContain('--allow-host must be a host');
});

test('lists no accounts', async () => {
  const data = mkdtempSync(join(tmpdir(), 'serve-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  expect((await cli(['serve', 'account', 'list', '--data', data])).stdout).toBe('No accounts.\n');
});

test('changes a password and revokes the API keys, unless they are kept', async () => {
  const { run, json, read } = await operator();
  const key = (await run('serve key add --email ann@example.com')).stdout.trim();
  const isValid = () => read(async (database) => (await accountOfKey(database, key, 1)) !== undefined);
  const signsIn = (password: string) =>
    read(async (database) => (await verifyPassword(database, 'ann@example.com', password)) !== undefined);
  const kept = await run('serve account password --email ann@example.com --keep-keys', 'another long one\n');
  expect(kept).toEqual({
    status: 0,
    stdout:
      'Changed the password of ann@example.com. Browsers and programs are signed out; API keys are still valid.\n',
    stderr: '',
  });
  expect([await signsIn('correct horse'), await signsIn('another long one'), await isValid()]).toEqual([
    false,
    true,
    true,
  ]);
  expect(await json('serve account password --email ann@example.com', 'correct horse\n')).toMatchObject({
    email: 'ann@example.com',
    changed: true,
    revoked_keys: 1,
  });
  expect(await isValid()).toBe(false);
});

test('prints everything about an account as one JSON document', async () => {
  const { run, json } = await operator();
  const key = (await run('serve key add --email ann@example.com --name ci')).stdout.trim();
  const document = await json('serve account export --email ann@example.com');
  expect(document).toMatchObject({
    account: { email: 'ann@example.com', name: 'Ann' },
    api_keys: [{ name: 'ci', prefix: key.slice(0, 11) }],
    ledger: [{ amount: 600, kind: 'grant' }],
    files: [],
  });
  expect(JSON.stringify(document)).not.toContain(key);
  const { stdout } = await run('serve account export --email ann@example.com');
  expect(stdout).toMatch(/^\{\n {2}"account": \{\n/);
  expect(JSON.parse(stdout)).toMatchObject({ account: { email: 'ann@example.com' } });
});

test('deletes an account without asking only with --no-confirm', async () => {
  const { data, run, json, read } = await operator();
  const asked = await run('serve account delete --email ann@example.com');
  expect([asked.status, asked.stderr]).toEqual([
    2,
    `error: This command asks for confirmation, but there is no terminal to ask on\nhint: To skip the question: framework serve account delete --email ann@example.com --no-confirm --data ${data}\n`,
  ]);
  expect(await json('serve account list')).toHaveLength(1);
  expect((await run('serve account delete --email ann@example.com --no-confirm')).stdout).toBe(
    'Deleted ann@example.com with 0 renders and 0 files.\n',
  );
  expect(await json('serve account list')).toEqual([]);
  const rows = await read((database) => database.selectFrom('audit_events').selectAll().execute());
  expect(rows).toMatchObject([{ actor: 'operator', action: 'account_deleted' }]);
  expect(existsSync(join(data, 'objects')) ? readdirSync(join(data, 'objects')) : []).toEqual([]);
});

test('revokes all keys of an account', async () => {
  const { run, json } = await operator();
  for (const name of ['one', 'two']) await run(`serve key add --email ann@example.com --name ${name}`);
  expect((await run('serve key revoke --all --email ann@example.com')).stdout).toBe('Revoked 2 API keys.\n');
  expect(await json('serve key revoke --all --email ann@example.com')).toEqual({ revoked_keys: 0 });
  const keys = (await json('serve key list --email ann@example.com')) as { revoked_at: number | null }[];
  expect(keys.filter(({ revoked_at }) => revoked_at === null)).toEqual([]);
});

test('replaces the signing keys', async () => {
  const { run, json, read } = await operator();
  const secrets = () => read((database) => database.selectFrom('secrets').selectAll().orderBy('name').execute());
  expect(await json('serve signing-keys rotate --no-confirm')).toEqual({ rotated: true });
  const before = await secrets();
  expect(before.map(({ name }) => name)).toEqual(['cookieKeys', 'jwks', 'urlKey']);
  expect((await run('serve signing-keys rotate')).status).toBe(2);
  expect(await secrets()).toEqual(before);
  expect((await run('serve signing-keys rotate --no-confirm')).stdout).toBe(
    'Replaced the signing keys. Restart the service, all instances together, to use them.\n',
  );
  expect((await secrets()).some(({ value }) => before.some((old) => old.value === value))).toBe(false);
});

test('records every change in the audit log', async () => {
  const { run, actions } = await operator();
  const { stdout } = await run('serve key add --email ann@example.com --name ci --json');
  await run(`serve key revoke ${JSON.parse(stdout).id} --email ann@example.com`);
  await run('serve key add --email ann@example.com --name next');
  await run('serve key revoke --all --email ann@example.com');
  await run('serve credits --email ann@example.com --add=-5');
  await run('serve credits --email ann@example.com');
  await run('serve account suspend --email ann@example.com');
  await run('serve account resume --email ann@example.com');
  await run('serve account export --email ann@example.com');
  await run('serve account password --email ann@example.com', 'another long one');
  await run('serve signing-keys rotate --no-confirm');
  expect(await actions()).toEqual([
    'operator account_created',
    'operator key_created ci',
    'operator key_revoked ci',
    'operator key_created next',
    'operator key_revoked all: 1',
    'operator credits_changed -5',
    'operator account_suspended',
    'operator account_resumed',
    'operator account_exported',
    'operator password_changed API keys revoked: 0',
    'operator signing_keys_rotated',
  ]);
});

test.each([
  ['serve account suspend', '', '--email is missing'],
  ['serve account delete --no-confirm', '', '--email is missing'],
  ['serve account resume --email bob@example.com', '', 'there is no account for bob@example.com'],
  ['serve account export --email bob@example.com', '', 'there is no account for bob@example.com'],
  ['serve account delete --email bob@example.com --no-confirm', '', 'there is no account for bob@example.com'],
  ['serve account password --email bob@example.com', 'correct horse', 'there is no account for bob@example.com'],
  ['serve account password --email ann@example.com', 'short', 'Choose a password of at least 10 characters.'],
  ['serve account password --email ann@example.com', '', 'no new password was given on stdin'],
  ['serve key revoke key_1 --all --email ann@example.com', '', '--all cannot be used with a key id'],
])('rejects %s with the input "%s"', async (line, stdin, message) => {
  const { run, actions } = await operator();
  const { status, stdout } = await run(`${line} --json`, stdin);
  expect([status, JSON.parse(stdout).error.message]).toEqual([2, message]);
  expect(await actions()).toEqual(['operator account_created']);
});
