// Backups of a service with PostgreSQL, with the real pg_dump and pg_restore.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { postgresEnvironment } from '../../../../cloud/service/backup/postgresPrograms.ts';
import { everything, fillService, locationOf, restore, writeBackup } from '../../../support/backup/backupData.ts';
import { backupKillTests } from '../../../support/backup/backupKillTests.ts';
import { backupTests } from '../../../support/backup/backupTests.ts';
import { startProgram } from '../../../support/program.ts';
import { nodeProgram } from '../../../support/programs.ts';
import { hasPostgres, newDatabase, postgresPrograms } from '../../../support/servers/sharedPostgres.ts';
import { testFolder, testService } from '../../../support/service/service.ts';

/** What the programs of these tests begin with. */
const head = `const { spawn } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
const real = (name, stdio) => spawn(${JSON.stringify(postgresPrograms())} + '/' + name, args, { stdio });
const isVersion = args[0] === '--version';
`;

/** Passes on the first bytes of a dump, and then writes nothing useful until its reader has gone. */
const slowDump = (marker: string) => `${head}
if (isVersion) real('pg_dump', 'inherit');
else {
  const child = real('pg_dump', ['ignore', 'pipe', 'inherit']);
  process.stdout.on('error', () => { child.kill(); writeFileSync('${marker}', 'ended'); process.exit(1); });
  child.stdout.once('data', (data) => {
    process.stdout.write(data.subarray(0, 1000));
    writeFileSync('${marker}', 'begun');
    setInterval(() => process.stdout.write('x'), 20);
  });
}`;

/** Passes on a part of its input, and the end of the input when it comes. */
const slowRestore = (marker: string) => `${head}
if (isVersion) real('pg_restore', 'inherit');
else {
  const child = real('pg_restore', ['pipe', 'inherit', 'ignore']);
  let passed = 0;
  process.stdin.on('data', (data) => {
    // Definitions of tables come first, then the rows.
    const part = data.subarray(0, Math.max(0, 100000 - passed));
    passed += part.length;
    child.stdin.write(part, () => passed === 100000 && writeFileSync('${marker}', 'begun'));
  });
  process.stdin.on('end', () => child.stdin.end());
  child.stdin.on('error', () => undefined);
  child.on('exit', (status) => writeFileSync('${marker}', 'ended with ' + status));
}`;

describe.skipIf(!hasPostgres())('PostgreSQL', () => {
  // The newest version, whatever is first in the PATH.
  beforeEach(() => {
    vi.stubEnv('PATH', `${postgresPrograms()}${delimiter}${process.env.PATH}`);
    return () => vi.unstubAllEnvs();
  });

  backupTests('postgresql', newDatabase);
  backupKillTests(newDatabase);

  async function filled() {
    const service = await testService({ databaseUrl: newDatabase() });
    return { service, user: await fillService(service), location: locationOf(service) };
  }

  test('leaves nothing at the target if it is killed while pg_dump runs', async () => {
    const { location } = await filled();
    const [folder, programs] = [await testFolder(), await testFolder()];
    const marker = join(programs, 'marker');
    nodeProgram(join(programs, 'pg_dump'), slowDump(marker));
    const env = { DATABASE_URL: location.databaseUrl ?? '', PATH: `${programs}${delimiter}${process.env.PATH}` };
    const backup = join(folder, 'backup');
    const started = startProgram(['serve', 'backup', backup, '--data', location.dataDir], env);
    await vi.waitFor(() => expect(existsSync(marker)).toBe(true), { timeout: 60_000 });
    started.child.kill('SIGKILL');
    await started.done;
    expect(existsSync(backup)).toBe(false);
    // The program has noticed it.
    await vi.waitFor(() => expect(readFileSync(marker, 'utf8')).toBe('ended'), { timeout: 60_000 });
    await writeBackup(location, backup);
    expect(readdirSync(folder)).toEqual(['backup']);
  });

  test('leaves the database empty if it is killed while pg_restore runs, and can be repeated', async () => {
    const { service, user, location } = await filled();
    // Random text is not compressed to less than what the program passes on.
    const text = Array.from({ length: 40_000 }, () => Math.random().toString(36).slice(2, 10)).join(' ');
    await service.context.database
      .updateTable('renders')
      .set({ variables: JSON.stringify({ text }) })
      .where('id', '=', user.running)
      .execute();
    const backup = join(await testFolder(), 'backup');
    await writeBackup(location, backup);
    const empty = { dataDir: await testFolder(), databaseUrl: newDatabase() };
    const programs = await testFolder();
    const marker = join(programs, 'marker');
    nodeProgram(join(programs, 'pg_restore'), slowRestore(marker));
    const env = { DATABASE_URL: empty.databaseUrl, PATH: `${programs}${delimiter}${process.env.PATH}` };
    const started = startProgram(['serve', 'restore', backup, '--data', empty.dataDir], env);
    await vi.waitFor(() => expect(existsSync(marker)).toBe(true), { timeout: 60_000 });
    started.child.kill('SIGKILL');
    await started.done;
    await vi.waitFor(() => expect(readFileSync(marker, 'utf8')).toBe('ended with 1'), { timeout: 60_000 });
    expect((await everything(empty)).rows).toEqual({});
    await restore(empty, backup);
    expect((await everything(empty)).rows).toEqual((await everything(location)).rows);
  });

  test('refuses a database that is not empty', async () => {
    const { location } = await filled();
    const backup = join(await testFolder(), 'backup');
    await writeBackup(location, backup);
    const before = await everything(location);
    await expect(restore(location, backup)).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'The database at DATABASE_URL is not empty: it has the table accounts',
    });
    expect(await everything(location)).toEqual(before);
  });

  test.each([
    ['pg_dump is not installed', undefined],
    ['pg_dump has version 9, and the server has version', `console.log('pg_dump (PostgreSQL) 9.6.24')`],
    [
      'pg_dump ended with status 1: no disk',
      `if (process.argv[2] === '--version') console.log('pg_dump (PostgreSQL) 99.1');
      else { console.error('no disk'); process.exitCode = 1; }`,
    ],
  ])('reports that %s', async (message, script) => {
    const { location } = await filled();
    const programs = await testFolder();
    if (script !== undefined) nodeProgram(join(programs, 'pg_dump'), script);
    const folder = await testFolder();
    const env = { DATABASE_URL: location.databaseUrl ?? '', PATH: programs };
    const started = startProgram(
      ['serve', 'backup', join(folder, 'backup'), '--data', location.dataDir, '--json'],
      env,
    );
    const { status, stdout } = await started.done;
    expect(JSON.parse(stdout).error.message).toContain(message);
    expect(status).not.toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('passes the password in the environment, and prints it nowhere', async () => {
    const { location } = await filled();
    const url = (location.databaseUrl ?? '').replace('service@', 'service:p%40ss-word@');
    const programs = await testFolder();
    const seen = join(programs, 'seen.json');
    nodeProgram(
      join(programs, 'pg_dump'),
      `${head}
      if (!isVersion) writeFileSync('${seen}', JSON.stringify({ args, password: process.env.PGPASSWORD, url: process.env.DATABASE_URL }));
      real('pg_dump', 'inherit').on('exit', (status) => { process.exitCode = status; });`,
    );
    const backup = join(await testFolder(), 'backup');
    const env = { DATABASE_URL: url, PATH: `${programs}${delimiter}${process.env.PATH}` };
    const { status, stdout, stderr } = await startProgram(['serve', 'backup', backup, '--data', location.dataDir], env)
      .done;
    expect([status, stderr]).toEqual([0, '']);
    const { args, password, url: given } = JSON.parse(readFileSync(seen, 'utf8'));
    expect([password, given]).toEqual(['p@ss-word', undefined]);
    for (const text of [...args, stdout]) expect(text).not.toMatch(/p(@|%40)ss-word/);
    writeFileSync(seen, '');
  });
});

test.each([
  ['postgres://ann:p%40ss@db.example.com:5433/frames?sslmode=no-verify', 'db.example.com 5433 ann p@ss frames require'],
  ['postgresql://[::1]/frames?ssl=true', '::1 - other - frames require'],
  ['postgres:///frames?host=/run/postgresql&password=secret&unknown=1', '/run/postgresql - other secret frames -'],
])('reads %s as PostgreSQL does', (url, expected) => {
  const names = ['PGHOST', 'PGPORT', 'PGUSER', 'PGPASSWORD', 'PGDATABASE', 'PGSSLMODE'];
  const found = postgresEnvironment(url, { PATH: '/bin', PGUSER: 'other', SERVICE_SMTP_URL: 'secret' });
  expect(names.map((name) => found[name] ?? '-').join(' ')).toBe(expected);
  expect(found).not.toHaveProperty('SERVICE_SMTP_URL');
});
