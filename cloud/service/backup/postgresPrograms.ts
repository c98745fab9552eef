// Runs pg_dump and pg_restore. They get the address and the password of the database in their environment, because other
// users of the machine can read arguments.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { UserError } from '../../../renderer-core/errors.ts';
import { programEnv } from '../../../renderer-core/project/programEnv.ts';
import { writeNewFile } from '../storage/newFile.ts';
import type { Database } from '../storage/tables.ts';

export type PostgresRun = { env: NodeJS.ProcessEnv; signal: AbortSignal };

/** Their names in URLs are those of libpq, except `ssl`, which is short for `sslmode=require`. */
const parameters: Record<string, string> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslmode: 'PGSSLMODE',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslrootcert: 'PGSSLROOTCERT',
  options: 'PGOPTIONS',
  connect_timeout: 'PGCONNECT_TIMEOUT',
};

/** The variables of libpq for a URL. What the URL does not say comes from the variables PG… of `env`, as in the service. */
export function postgresEnvironment(databaseUrl: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const url = new URL(databaseUrl);
  const { hostname, port, username, password, pathname, searchParams } = url;
  const given: Record<string, string> = {};
  const set = (name: string, value: string): void => {
    if (value !== '') given[name] = decodeURIComponent(value);
  };
  set('PGHOST', hostname.replace(/^\[|\]$/g, ''));
  set('PGPORT', port);
  set('PGUSER', username);
  set('PGPASSWORD', password);
  set('PGDATABASE', pathname.slice(1));
  for (const [name, value] of searchParams) {
    const variable = parameters[name];
    if (variable !== undefined) given[variable] = value;
  }
  if (['true', '1'].includes(searchParams.get('ssl') ?? '')) given.PGSSLMODE ??= 'require';
  // The service's own client knows this one, libpq does not.
  if (given.PGSSLMODE === 'no-verify') given.PGSSLMODE = 'require';
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('PG')));
  return { ...programEnv(env), ...own, ...given };
}

/** Throws UserError `config_invalid` if pg_dump is missing, or older than the server, which it then refuses to read. */
export async function checkDumpVersion(database: Database, run: PostgresRun): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(
    database,
  );
  const server = Math.floor(Number(rows[0]?.version) / 10_000);
  const program = await programVersion('pg_dump', run);
  if (program < server)
    throw new UserError('config_invalid', `pg_dump has version ${program}, and the server has version ${server}`, {
      hint: `Install the client programs of PostgreSQL ${server} or later.`,
    });
}

/** Throws UserError `config_invalid` if it is missing. */
export async function programVersion(name: 'pg_dump' | 'pg_restore', run: PostgresRun): Promise<number> {
  let output = '';
  await runProgram(name, ['--version'], programEnv(run.env), run, {
    read: async (stdout) => {
      output = await text(stdout);
    },
  });
  return Number(/(\d+)/.exec(output)?.[1] ?? 0);
}

/**
 * Writes a dump of `snapshot` to the new file `path`. The dump passes through a pipe, so that pg_dump ends if this process is
 * killed. Throws UserError `backup_failed`.
 */
export function dumpDatabase(
  { databaseUrl, path, snapshot }: { databaseUrl: string; path: string; snapshot: string },
  run: PostgresRun,
): Promise<void> {
  const args = ['--format=custom', '--no-owner', '--no-privileges', '--no-password', `--snapshot=${snapshot}`];
  return runProgram('pg_dump', args, postgresEnvironment(databaseUrl, run.env), run, {
    read: async (stdout) => void (await writeNewFile(path, [stdout], { flush: true })),
  });
}

/**
 * Restores a dump in one transaction. If this process is killed, the input of pg_restore ends early, and the database stays
 * empty. Throws UserError `backup_failed`.
 */
export function restoreDump(
  { databaseUrl, path }: { databaseUrl: string; path: string },
  run: PostgresRun,
): Promise<void> {
  // Without a database, pg_restore prints the dump. The name of the database is in the environment.
  const target = '--dbname=application_name=framework';
  const args = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', '--no-password', target];
  return runProgram('pg_restore', args, postgresEnvironment(databaseUrl, run.env), run, {
    write: (stdin) => pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), stdin),
  });
}

type Streams = { read?(stdout: Readable): Promise<void>; write?(stdin: Writable): Promise<void> };

async function runProgram(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { signal }: PostgresRun,
  { read, write }: Streams,
): Promise<void> {
  const child = spawn(name, args, { env, signal, windowsHide: true, stdio: 'pipe' });
  const ended = once(child, 'close');
  const problems = text(child.stderr);
  // The exit status says more than a pipe that the program closed.
  const streams = Promise.allSettled([
    read ? read(child.stdout) : child.stdout.resume(),
    write ? write(child.stdin) : child.stdin.end(),
  ]);
  const [status] = await ended.catch(async (error: NodeJS.ErrnoException) => {
    if (!signal.aborted) throw startError(name, error);
    // Its output is still being written, into a folder that the caller deletes.
    await streams;
    throw error;
  });
  const [reading] = await streams;
  if (status !== 0)
    throw new UserError('backup_failed', `${name} ended with status ${status}: ${lastLines(await problems)}`, {
      hint: 'Check that DATABASE_URL is right and that its user may read and create all tables.',
    });
  if (reading.status === 'rejected') throw reading.reason;
}

function startError(name: string, error: NodeJS.ErrnoException): UserError {
  const reason = error.code === 'ENOENT' ? 'is not installed' : `cannot be started: ${error.message}`;
  return new UserError('config_invalid', `${name} ${reason}`, {
    hint: 'Install the client programs of PostgreSQL (Debian: apt-get install postgresql-client).',
    cause: error,
  });
}

const lastLines = (output: string): string => output.trim().split('\n').slice(-3).join('; ').slice(0, 1000);
