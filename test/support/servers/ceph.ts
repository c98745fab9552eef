// A real S3 server for tests: Ceph's object gateway with an in-memory store, from the system's packages.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isInPath } from '../systemPrograms.ts';

const run = promisify(execFile);

/** An account of the server. Its buckets are its own, whatever their names. */
export type CephAccount = {
  /** `http://127.0.0.1:…`; URLs contain the bucket in the path. */
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** How to reach the server: also from another process. `conf`: the file of its settings. */
export type CephPlace = { endpoint: string; conf: string };

export type Ceph = CephPlace & {
  /** Ends its processes and deletes all data. */
  stop(): Promise<void>;
};

const programs = ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];

/** The reason why Ceph cannot run, with the packages to install. In CI (variable `CI`) tests fail instead of being skipped. */
export function cephMissing(): string | undefined {
  const missing = programs.filter((name) => !isInPath(name));
  if (missing.length === 0 || process.env.CI) return undefined;
  return `needs ${missing.join(', ')}: apt-get install radosgw ceph-mon ceph-osd ceph-common`;
}

/** Creates an account, with a namespace of its own for buckets: requests without an account do not find them. */
export async function createCephAccount({ endpoint, conf }: CephPlace): Promise<CephAccount> {
  const id = randomBytes(6).toString('hex');
  const keys = { accessKeyId: `TEST${id}`, secretAccessKey: randomBytes(20).toString('hex') };
  const user = ['--tenant', `t${id}`, '--uid', 'test', '--display-name', 'Test'];
  const secrets = ['--access-key', keys.accessKeyId, '--secret', keys.secretAccessKey];
  await tool(conf)('radosgw-admin', 'user', 'create', ...user, ...secrets);
  return { endpoint, ...keys };
}

/** Takes a few seconds. Several instances can run at the same time. */
export async function startCeph(): Promise<Ceph> {
  const folder = await mkdtemp(join(tmpdir(), 'ceph-'));
  const daemons: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(daemons.map(end));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await start(folder, daemons)), stop };
  } catch (error) {
    const logs = await Promise.all(['mon.a.log', 'osd.0.log', 'client.admin.log'].map((name) => tail(folder, name)));
    await stop();
    throw new Error(`Ceph did not start: ${(error as Error).message}\n${logs.join('\n')}`, { cause: error });
  }
}

/** Runs a program of Ceph. */
const tool =
  (conf: string) =>
  (name: string, ...args: string[]) =>
    run(name, args, { env: { ...process.env, CEPH_CONF: conf }, timeout: 60_000, killSignal: 'SIGKILL' });

async function start(folder: string, daemons: ChildProcess[]): Promise<CephPlace> {
  const [monPort, gatewayPort] = await freePorts();
  const monitor = `[v2:127.0.0.1:${monPort}/0]`;
  const fsid = randomUUID();
  const osd = randomUUID();
  const conf = join(folder, 'ceph.conf');
  const keyring = join(folder, 'keyring');
  const map = join(folder, 'monmap');
  await Promise.all(['mon', 'osd', 'gateway'].map((name) => mkdir(join(folder, name))));
  await writeFile(conf, settings({ folder, fsid, monitor, gatewayPort }));
  const use = tool(conf);
  const daemon = (name: string, ...args: string[]) => daemons.push(guarded(folder, name, [...args, '-c', conf, '-f']));

  const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *'];
  await use('ceph-authtool', '--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *');
  await use('ceph-authtool', keyring, '--gen-key', '-n', 'client.admin', ...all);
  const profile = ['--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *'];
  await use('ceph-authtool', keyring, '--gen-key', '-n', 'osd.0', ...profile);
  await use('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', monitor, map);
  await use('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map, '--keyring', keyring);
  daemon('ceph-mon', '-i', 'a');
  await use('ceph', 'osd', 'new', osd);
  await use('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
  daemon('ceph-osd', '-i', '0');
  daemon('radosgw', '-n', 'client.admin');
  const endpoint = `http://127.0.0.1:${gatewayPort}`;
  await answers(endpoint, daemons);
  return { endpoint, conf };
}

/** No manager, no replicas, and short timeouts, because it is the only member of the cluster. */
function settings(of: { folder: string; fsid: string; monitor: string; gatewayPort: number }): string {
  const { folder, fsid, monitor, gatewayPort } = of;
  return `
[global]
fsid = ${fsid}
mon host = ${monitor}
ms bind ipv4 = true
ms bind ipv6 = false
ms initial backoff = 0.05
admin socket =
pid file =
run dir = ${folder}
keyring = ${folder}/keyring
log file = ${folder}/$name.log
mon cluster log file = ${folder}/cluster.log
mon data = ${folder}/mon
mon lease = 1
mon allow pool size one = true
mon max pg per osd = 1000
paxos propose interval = 0.05
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 8589934592
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
[osd]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
[client]
rgw data = ${folder}/gateway
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw thread pool size = 32
`;
}

/** Ends with this process in any case: the shell waits for the end of its standard input. */
function guarded(folder: string, name: string, args: readonly string[]): ChildProcess {
  const script = `folder=$1; shift
"$@" </dev/null >"$folder/$1.out" 2>&1 &
cat >/dev/null
kill -9 $!
wait
rm -rf "$folder"`;
  const child = spawn('sh', ['-c', script, 'sh', folder, name, ...args], { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin?.on('error', () => undefined);
  return child;
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = new Promise((resolve) => daemon.once('exit', resolve));
  daemon.stdin?.end();
  await ended;
}

async function answers(endpoint: string, daemons: readonly ChildProcess[]): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 100) {
    if (daemons.some(({ exitCode }) => exitCode !== null)) break;
    const answer = await fetch(endpoint).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`no answer from ${endpoint}`);
}

/** Keeps both ports open until both are known, so that they differ. */
async function freePorts(): Promise<[number, number]> {
  const [first, second] = await Promise.all([listen(), listen()]);
  await Promise.all([first.close(), second.close()]);
  return [first.port, second.port];
}

function listen(): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      resolve({ port, close: () => new Promise((closed) => server.close(() => closed())) });
    });
  });
}

async function tail(folder: string, name: string): Promise<string> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => '');
  return `${name}:\n${text.split('\n').slice(-15).join('\n')}`;
}
