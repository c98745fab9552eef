// Runs the service, kills its processes at random, and checks afterwards that nothing was lost, doubled or half done.
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../cloud/service/storage/database.ts';
import type { Database } from '../../cloud/service/storage/tables.ts';
import { findPostgres, type Postgres, startPostgres } from '../support/servers/postgres.ts';
import { renderFolders } from '../support/service/workFolders.ts';
import { type Bucket, startBucket } from './bucket.ts';
import {
  duplicatedRenders,
  lostRenders,
  type Outcome,
  partialFiles,
  readOutcome,
  unexplainedFailures,
  wrongCharges,
  wrongTotals,
  wrongWebhooks,
} from './checks.ts';
import { type Account, type ClientWorld, runClient } from './clients.ts';
import { type KillDecision, type KillKind, killDecisions } from './decisions.ts';
import { addAccount, type Instance, type LogLine, startInstance } from './instances.ts';
import { processesIn, type VictimKind, victims } from './processes.ts';
import { startHookReceiver } from './receiver.ts';

export type TortureOptions = {
  seed: number;
  kills: number;
  database: 'sqlite' | 'postgres';
  store: 'disk' | 's3';
  /** Processes of the service; with SQLite one. */
  instances: number;
  accounts: number;
  /** Average time between two kills. */
  pauseMs: number;
  /** Share of long videos, from 0 to 1. */
  longShare: number;
  /** The data folder is kept. */
  keep: boolean;
  say(line: string): void;
};

export type TortureReport = {
  options: Pick<TortureOptions, 'seed' | 'kills' | 'database' | 'store' | 'instances'>;
  seconds: number;
  kills: Record<KillKind, number>;
  /** Decisions for which there was no process. */
  skipped: number;
  renders: Record<string, number>;
  /** Renders that started more than once, by their cause. */
  restarts: { workerDeaths: number; interruptions: number };
  internalErrorShare: number;
  /** Completed videos without a thumbnail, because ffmpeg was killed twice. They are valid. */
  withoutThumbnail: number;
  /** By target. Each list should be empty. */
  problems: Record<string, string[]>;
  /** Messages of the service's log above `info`, with their number. */
  logged: Record<string, number>;
};

export async function runTorture(options: TortureOptions): Promise<TortureReport> {
  const folder = await mkdtemp(join(tmpdir(), 'torture-'));
  const server = options.database === 'postgres' ? await startPostgres(postgresFolder()) : undefined;
  const bucket = options.store === 's3' ? await startBucket() : undefined;
  try {
    return await torture(options, folder, server, bucket);
  } finally {
    server?.stop();
    await bucket?.stop();
    if (options.keep) options.say(`The data folder is ${folder}.`);
    else await rm(folder, { recursive: true, force: true });
  }
}

function postgresFolder(): string {
  const found = findPostgres();
  if (found === undefined) throw new Error('PostgreSQL is not installed. Use --database sqlite.');
  return found;
}

async function torture(
  options: TortureOptions,
  dataDir: string,
  server: Postgres | undefined,
  bucket: Bucket | undefined,
): Promise<TortureReport> {
  const started = Date.now();
  const { seed, say } = options;
  const databaseUrl = server?.createDatabase();
  const env: Record<string, string> = {
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...bucket?.env,
  };
  const receiver = await startHookReceiver(seed);
  const instances: Instance[] = [];
  const database = await openDatabase({ dataDir, databaseUrl });
  try {
    const accounts = await createAccounts(options, dataDir, env, database);
    for (let count = 0; count < options.instances; count++)
      instances.push(await startInstance(instanceArgs(dataDir), env));
    const stop = new AbortController();
    const world: ClientWorld = {
      ...{ seed, callbackUrl: receiver.url, longShare: options.longShare, depth: 4 },
      ...{ urls: instances.map(({ url }) => url), signal: stop.signal, orders: [], wrongResponses: [] },
    };
    const clients = Promise.all(accounts.map((account) => runClient(world, account)));
    const counts = await Promise.race([
      killAll(killDecisions(seed, options.kills, options.pauseMs), instances, world, say),
      clients.then(() => {
        throw new Error('the clients ended before the kills');
      }),
    ]);
    stop.abort();
    await clients;
    say(`${options.kills} kills are done. ${world.orders.length} renders were submitted; waiting for their end.`);
    const problems: Record<string, string[]> = { stuck: await drained(database, say) };
    await settled(dataDir);
    const outcome: Outcome = {
      ...{ dataDir, orders: world.orders, received: receiver.received, kills: counts.kills },
      log: instances.flatMap(({ log }) => log),
      ...(await readOutcome(database)),
    };
    problems.leftWhileRunning = renderFolders(dataDir);
    await Promise.all(instances.map((instance) => instance.stop()));
    problems.left = [...leftFolders(dataDir, counts.kills.service > 0), ...processesIn(dataDir)];
    await bucket?.copyTo(join(dataDir, 'objects'));
    Object.assign(problems, await checkAll(outcome, world, instances));
    return report(options, Date.now() - started, outcome, counts, problems);
  } finally {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.destroy();
    receiver.stop();
  }
}

const instanceArgs = (dataDir: string): string[] => [
  ...['--data', dataDir, '--workers', '2', '--max-running-renders', '2', '--drain-seconds', '5'],
  ...['--allow-root', '--allow-private-targets', '--requests-per-minute', '1000000', '--reserved-disk', '100'],
];

async function createAccounts(
  { accounts: count }: TortureOptions,
  dataDir: string,
  env: Record<string, string>,
  database: Database,
): Promise<Account[]> {
  const accounts: Account[] = [];
  for (let number = 0; number < count; number++) {
    const email = `user${number}@example.com`;
    const { key } = await addAccount({ dataDir, email, env });
    const { id } = await database
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    accounts.push({ email, id, key });
  }
  return accounts;
}

type KillCounts = { kills: Record<KillKind, number>; skipped: number };

async function killAll(
  decisions: readonly KillDecision[],
  instances: readonly Instance[],
  { orders }: ClientWorld,
  say: (line: string) => void,
): Promise<KillCounts> {
  const counts: KillCounts = { kills: { service: 0, drain: 0, worker: 0, browser: 0, ffmpeg: 0 }, skipped: 0 };
  const restarts = new Set<Promise<void>>();
  for (const [index, decision] of decisions.entries()) {
    await sleep(decision.pauseMs);
    const restart = await carryOut(decision, instances);
    if (restart === undefined) counts.skipped += 1;
    else {
      counts.kills[decision.kind] += 1;
      const done = restart.ended.finally(() => restarts.delete(done));
      restarts.add(done);
    }
    if ((index + 1) % 50 === 0) say(`${index + 1} kills, ${orders.length} renders submitted`);
  }
  await Promise.all(restarts);
  return counts;
}

const longestWaitMs = 20_000;

/** Returns undefined if there was no such process for a while. Does not wait for the restart of an instance. */
async function carryOut(
  { kind, which }: KillDecision,
  instances: readonly Instance[],
): Promise<{ ended: Promise<void> } | undefined> {
  for (const until = Date.now() + longestWaitMs; Date.now() < until; await sleep(25)) {
    const running = instances.filter((instance) => instance.pid() !== undefined);
    if (kind === 'service' || kind === 'drain') {
      const instance = chosen(running, which);
      if (instance) return { ended: instance.kill(kind === 'service' ? 'SIGKILL' : 'SIGTERM') };
    } else if (killOne(running, kind, which)) return { ended: Promise.resolve() };
  }
  return undefined;
}

function killOne(running: readonly Instance[], kind: VictimKind, which: number): boolean {
  const pid = chosen(
    victims(
      running.map((instance) => instance.pid() ?? 0),
      kind,
    ),
    which,
  );
  if (pid === undefined) return false;
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    // It has just ended.
    return false;
  }
}

const chosen = <T>(values: readonly T[], which: number): T | undefined => values[Math.floor(which * values.length)];

/** An interrupted render waits for its lease, at most half a minute each time. */
const drainMs = 10 * 60_000;

/** Waits until all renders have ended and all webhooks were delivered. Returns what has not. */
async function drained(database: Database, say: (line: string) => void): Promise<string[]> {
  let printedAt = Date.now();
  for (const until = Date.now() + drainMs; Date.now() < until; await sleep(500)) {
    const renders = await database
      .selectFrom('renders')
      .select(['id', 'status'])
      .where('status', 'in', ['queued', 'rendering'])
      .execute();
    // Retries are hours apart. Only their time is skipped.
    if (renders.length === 0)
      await database
        .updateTable('webhook_deliveries')
        .set({ next_attempt_at: Date.now() })
        .where('status', '=', 'pending')
        .where('next_attempt_at', '>', Date.now())
        .execute();
    const hooks = await database
      .selectFrom('webhook_deliveries')
      .select(['id', 'status', 'render_id'])
      .where('status', '=', 'pending')
      .execute();
    if (renders.length + hooks.length === 0) return [];
    if (Date.now() - printedAt < 10_000) continue;
    printedAt = Date.now();
    say(`${renders.length} renders and ${hooks.length} webhooks have not ended`);
  }
  const left = await database
    .selectFrom('renders')
    .select(['id', 'status', 'attempts'])
    .where('status', 'in', ['queued', 'rendering'])
    .execute();
  return ['some renders or webhooks did not end', ...left.map((row) => JSON.stringify(row))];
}

/** The last files of a render are removed after its end. */
async function settled(dataDir: string): Promise<void> {
  for (const until = Date.now() + 10_000; Date.now() < until && renderFolders(dataDir).length > 0; await sleep(100));
  await sleep(500);
}

/**
 * Whatever is in the folders for temporary files after the instances have shut down. Retention deletes uploads of killed services
 * after a day, so they count only if no service was killed.
 */
function leftFolders(dataDir: string, wasServiceKilled: boolean): string[] {
  return (wasServiceKilled ? ['work'] : ['work', 'uploads']).flatMap((name) =>
    existsSync(join(dataDir, name)) ? readdirSync(join(dataDir, name)).map((left) => `${name}/${left}`) : [],
  );
}

async function checkAll(
  outcome: Outcome,
  { wrongResponses }: ClientWorld,
  instances: readonly Instance[],
): Promise<Record<string, string[]>> {
  return {
    lost: lostRenders(outcome),
    duplicated: duplicatedRenders(outcome),
    wronglyCharged: wrongCharges(outcome),
    partiallyVisible: await partialFiles(outcome),
    unexplainedFailures: unexplainedFailures(outcome),
    wrongTotals: wrongTotals(outcome),
    webhooks: wrongWebhooks(outcome),
    responses: wrongResponses,
    crashes: instances.flatMap(({ crashes }) => crashes),
  };
}

function report(
  { seed, kills, database, store, instances }: TortureOptions,
  ms: number,
  outcome: Outcome,
  counts: KillCounts,
  problems: Record<string, string[]>,
): TortureReport {
  const { renders } = outcome;
  const byStatus = countBy(
    renders.map((row) => (row.status === 'failed' ? `failed: ${row.failure_code}` : row.status)),
  );
  const sum = (key: 'worker_deaths' | 'interruptions') => renders.reduce((all, row) => all + row[key], 0);
  return {
    options: { seed, kills, database, store, instances },
    seconds: Math.round(ms / 1000),
    ...counts,
    renders: byStatus,
    restarts: { workerDeaths: sum('worker_deaths'), interruptions: sum('interruptions') },
    internalErrorShare: (byStatus['failed: internal_error'] ?? 0) / Math.max(1, renders.length),
    withoutThumbnail: renders.filter(
      ({ status, thumbnail_key, deleted_at }) =>
        status === 'completed' && deleted_at === null && thumbnail_key === null,
    ).length,
    problems,
    logged: countBy(outcome.log.filter(isAboveInfo).map(describeLine)),
  };
}

const isAboveInfo = ({ level }: LogLine): boolean => level !== 'info';

/** Without what differs each time. */
const describeLine = ({ level, message, error }: LogLine): string =>
  `${level}: ${message}${
    error === undefined
      ? ''
      : ` (${String(error)
          .split('\n')[0]
          ?.replaceAll(/[\w-]*\d[\w-]*/g, 'N')})`
  }`;

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

export const isClean = ({ problems }: TortureReport): boolean =>
  Object.values(problems).every((list) => list.length === 0);
