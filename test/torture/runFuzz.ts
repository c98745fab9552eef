// Sends many generated requests of several accounts to a running service, and checks each response.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { openDatabase } from '../../cloud/service/storage/database.ts';
import type { OpenApiDocument } from '../support/service/openApi.ts';
import { readOutcome, wrongBalances, wrongTotals } from './checks.ts';
import { type Exchange, learnOwner, type Owners, type ProblemKind, responseChecker } from './fuzzCheck.ts';
import { accountCount, type FuzzRequest, type Manner, referencePattern, requests } from './fuzzRequests.ts';
import { createSender, type Send, type Sendable } from './fuzzSend.ts';
import { addAccount, type Instance, type LogLine, startInstance } from './instances.ts';
import { residentKb } from './processes.ts';
import { archiveOf, shortVideos } from './projects.ts';

export type FuzzOptions = { seed: number; requests: number; say(line: string): void };

export type FuzzReport = {
  options: { seed: number; requests: number };
  seconds: number;
  /** By how the request was made, and the status of its response. */
  statuses: Record<Manner, Record<string, number>>;
  /** Each kind should be empty. At most 50 of each are kept. */
  problems: Record<ProblemKind | 'totals' | 'errorsInLog' | 'crashes', string[]>;
  memoryMiB: { before: number; after: number; peak: number };
};

type Account = { email: string; key: string };

/** What references stand for, by account. */
type Pools = { asset: string[]; render: string[]; token: string[]; file: string[] }[];

type World = {
  accounts: readonly Account[];
  pools: Pools;
  owners: Owners;
  send: Send;
  check: ReturnType<typeof responseChecker>;
  report: FuzzReport;
};

/** Requests are generated in groups, because a group must fit into memory. */
const groupSize = 500;
const concurrency = 16;

export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fuzz-'));
  let instance: Instance | undefined;
  try {
    const accounts: Account[] = [];
    for (let number = 0; number < accountCount; number++)
      accounts.push(await addAccount({ dataDir, email: `fuzz${number}@example.com`, env: {} }));
    const rendering = await startInstance([...serviceArgs(dataDir), '--workers', '1'], {});
    const files = await Promise.all(accounts.map((account) => videoOf(rendering.url, account)));
    const { port } = new URL(rendering.url);
    await rendering.stop();
    // From now on renders stay queued: generated ones need the whole machine.
    instance = await startInstance([...serviceArgs(dataDir), '--workers', '0'], {}, port);
    const report = await fuzz(options, instance, accounts, files);
    await checkRows(dataDir, report);
    return report;
  } finally {
    await instance?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const serviceArgs = (dataDir: string): string[] => [
  ...['--data', dataDir, '--allow-root', '--allow-private-targets', '--requests-per-minute', '100000000'],
  ...['--max-renders', '20000', '--max-uploads', '100', '--reserved-disk', '100'],
];

/** Renders a video, and returns its signed URL. */
async function videoOf(url: string, { key }: Account): Promise<string> {
  const [video] = shortVideos;
  if (!video) throw new Error('there are no videos');
  const headers = { 'x-api-key': key };
  const call = async (path: string, init: RequestInit = {}): Promise<Record<string, string>> => {
    const response = await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } });
    return ((await response.json()) as { data: Record<string, string> }).data;
  };
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(archiveOf(video))]), 'p.zip');
  const { asset_id } = await call('/v3/assets', { method: 'POST', body });
  const { render_id } = await call('/v3/framework/renders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ project: { type: 'asset_id', asset_id }, width: 64, quality: 'draft' }),
  });
  for (;;) {
    const { status, video_url } = await call(`/v3/framework/renders/${render_id}`);
    if (status === 'failed') throw new Error(`render ${render_id} failed`);
    if (video_url) return video_url.slice(url.length);
    await sleep(200);
  }
}

async function fuzz(
  { seed, requests: count, say }: FuzzOptions,
  instance: Instance,
  accounts: readonly Account[],
  files: readonly string[],
): Promise<FuzzReport> {
  const started = Date.now();
  const { url } = instance;
  const document = (await (await fetch(`${url}/v3/openapi.json`)).json()) as OpenApiDocument;
  const { send, close } = createSender(url, concurrency);
  const owners: Owners = new Map();
  const world: World = {
    ...{ accounts, owners, send },
    pools: files.map((file) => ({ asset: [], render: [], token: [], file: [file] })),
    check: responseChecker(
      document,
      owners,
      accounts.map(({ email }) => email),
    ),
    report: emptyReport(seed, count),
  };
  const { report } = world;
  const generated = requests(document);
  const memory = () => Math.round(residentKb(instance.pid() ?? 0) / 1024);
  // The first requests compile code and fill caches.
  const warmUp = Math.min(2_000, count / 10);
  for (let done = 0, group = 0; done < count; group++) {
    const numRuns = Math.min(groupSize, count - done);
    await sendAll(world, fc.sample(generated, { seed: seed * 100_003 + group, numRuns }));
    done += numRuns;
    report.memoryMiB.peak = Math.max(report.memoryMiB.peak, memory());
    if (report.memoryMiB.before === 0 && done >= warmUp) report.memoryMiB.before = memory();
    if (group % 20 === 19) say(`${done} requests, ${countProblems(report)} problems, ${memory()} MiB`);
  }
  close();
  await sleep(5_000);
  report.memoryMiB.after = memory();
  if (!(await fetch(`${url}/readyz`)).ok) report.problems.unanswered.push('the service is not ready at the end');
  report.problems.crashes.push(...instance.crashes);
  report.problems.errorsInLog.push(
    ...instance.log
      .filter(isError)
      .map((line) => JSON.stringify(line))
      .slice(0, maxKept),
  );
  report.seconds = Math.round((Date.now() - started) / 1000);
  return report;
}

const isError = ({ level }: LogLine): boolean => level === 'error';

function emptyReport(seed: number, count: number): FuzzReport {
  return {
    options: { seed, requests: count },
    seconds: 0,
    statuses: { allowed: {}, changed: {}, hostile: {}, raw: {} },
    problems: {
      unexpected5xx: [],
      undocumented: [],
      leaked: [],
      unauthenticated: [],
      unanswered: [],
      totals: [],
      errorsInLog: [],
      crashes: [],
    },
    memoryMiB: { before: 0, after: 0, peak: 0 },
  };
}

async function sendAll(world: World, all: readonly FuzzRequest[]): Promise<void> {
  const waiting = [...all];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await sendOne(world, next);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

const maxKept = 50;

async function sendOne(world: World, generated: FuzzRequest): Promise<void> {
  const { report } = world;
  const request = resolved(world, generated);
  const response = await world.send(request);
  const exchange: Exchange = { request, response, sender: senderOf(world, request) };
  const statuses = report.statuses[generated.manner];
  const status = String(response?.status ?? 'none');
  statuses[status] = (statuses[status] ?? 0) + 1;
  learn(world, exchange);
  const problem = world.check(exchange);
  if (problem === undefined) return;
  const [kind, text] = problem;
  if (report.problems[kind].length < maxKept) report.problems[kind].push(`${text}: ${describe(exchange)}`);
}

/** Replaces references by IDs that exist, if there are any. */
function resolved({ accounts, pools }: World, request: FuzzRequest): Sendable & { flipped?: number } {
  const replace = (text: string): string =>
    text.replaceAll(referencePattern, (_, kind: string, account: string, index: string) => {
      if (kind === 'key') return accounts[Number(account)]?.key ?? '';
      const pool = pools[Number(account)]?.[kind as 'asset'] ?? [];
      return pool[Number(index) % pool.length] ?? unknownIds[kind] ?? '';
    });
  const { path, headers, body, flipped } = request;
  const target = replace(path);
  return {
    ...request,
    path: flipped === undefined ? target : flip(target, flipped),
    headers: headers.map(([name, value]) => [name, replace(value)]),
    body: typeof body === 'string' ? replace(body) : body,
  };
}

const unknownIds: Record<string, string> = {
  asset: `ast_${'A'.repeat(22)}`,
  render: `rnd_${'A'.repeat(22)}`,
  token: 'none',
  file: '/files/videos/none.mp4',
};

/** Replaces a character after `/files/`. */
function flip(path: string, at: number): string {
  const place = '/files/'.length + (at % (path.length - '/files/'.length));
  return `${path.slice(0, place)}${path[place] === 'A' ? 'B' : 'A'}${path.slice(place + 1)}`;
}

function senderOf({ accounts }: World, { headers }: Sendable): number | undefined {
  const key = headers.find(([name]) => name === 'x-api-key')?.[1];
  const sender = accounts.findIndex((account) => account.key === key);
  return sender === -1 ? undefined : sender;
}

const poolSize = 20;

/** Remembers what was created, so that later requests name it. */
function learn({ pools, owners }: World, exchange: Exchange): void {
  const id = learnOwner(owners, exchange);
  const pool = pools[exchange.sender ?? -1];
  if (!pool) return;
  const add = (list: string[], value: string): void => {
    list.push(value);
    if (list.length > poolSize) list.shift();
  };
  if (id !== undefined) add(id.startsWith('ast') ? pool.asset : pool.render, id);
  const token = /"next_token":"([^"]+)"/.exec(exchange.response?.text ?? '')?.[1];
  if (token !== undefined) add(pool.token, token);
}

const describe = ({ request, response }: Exchange): string =>
  JSON.stringify({
    ...{
      method: request.method,
      path: request.path.slice(0, 300),
      headers: request.headers.filter(([name]) => name !== 'x-api-key'),
    },
    ...{ body: String(request.body ?? request.raw ?? '').slice(0, 300), isCut: request.isCut },
    response: response && { ...response, text: response.text.slice(0, 300) },
  });

/** Whatever was requested, the totals of accounts are those of their rows. */
async function checkRows(dataDir: string, report: FuzzReport): Promise<void> {
  const database = await openDatabase({ dataDir, databaseUrl: undefined });
  try {
    const rows = await readOutcome(database);
    report.problems.totals.push(...wrongTotals(rows), ...wrongBalances(rows));
  } finally {
    await database.destroy();
  }
}

const countProblems = ({ problems }: FuzzReport): number =>
  Object.values(problems).reduce((sum, list) => sum + list.length, 0);

export const hasNoProblems = (report: FuzzReport): boolean => countProblems(report) === 0;
