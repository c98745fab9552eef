// A PostgreSQL cluster for tests, in a temporary folder and on a free port of 127.0.0.1.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How to reach the server: also from another process. `bin`: the folder of its programs. */
export type PostgresPlace = { bin: string; port: number };

export type Postgres = {
  place: PostgresPlace;
  /** Creates a new, empty database. */
  createDatabase(): string;
  /** Stops the server, and starts it again when `use` has ended. */
  whileStopped(use: () => Promise<void>): Promise<void>;
  stop(): void;
};

/** The folder of initdb and pg_ctl; undefined if PostgreSQL is not installed. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    '/usr/bin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

/** PostgreSQL refuses to run as root; then it runs as the user that its package created. */
export async function startPostgres(bin: string): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const user = process.getuid?.() === 0 ? postgresUser() : undefined;
  const run = (program: string, ...args: string[]) => {
    // Not piped: the server would keep the pipe open.
    const { status } = spawnSync(join(bin, program), args, { cwd: folder, stdio: 'ignore', ...user });
    if (status !== 0) throw new Error(`${program} ended with ${status}`);
  };
  if (user) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const port = await freePort();
  run('initdb', '-D', data, '-U', 'service', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync');
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c max_connections=200`;
  const start = () => run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  const end = () => run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop');
  start();
  return {
    place: { bin, port },
    createDatabase: () => createDatabase({ bin, port }),
    async whileStopped(use) {
      end();
      await use().finally(start);
    },
    stop() {
      end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a new, empty database, and returns its address. */
export function createDatabase({ bin, port }: PostgresPlace): string {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'service', '-T', 'template0', name];
  execFileSync(join(bin, 'createdb'), args, { stdio: 'ignore' });
  return `postgres://service@127.0.0.1:${port}/${name}`;
}

function postgresUser(): { uid: number; gid: number } {
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined || gid === undefined) throw new Error('There is no user "postgres"');
  return { uid: Number(uid), gid: Number(gid) };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
