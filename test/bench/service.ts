// How long requests to the hosted service take while a render is running: `npm run bench:service`. The same server's /healthz,
// with the same number of concurrent requests, is the limit: it does nothing but respond.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, fetch } from 'undici';
import { findPostgres, startPostgres } from '../support/servers/postgres.ts';
import { addAccount, type Instance, startInstance } from '../torture/instances.ts';
import { archiveOf, longVideo } from '../torture/projects.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '5' },
    submits: { type: 'string', default: '200' },
    gets: { type: 'string', default: '50' },
    json: { type: 'boolean', default: false },
  },
});

type Row = { name: string; concurrent: number; p50: number; p95: number; max: number; perSecond: number };

/** One connection per request in progress, as different clients have. */
const connections = new Agent({ connections: Number(values.submits), pipelining: 1 });
const dataDir = await mkdtemp(join(tmpdir(), 'bench-service-'));
const bin = values.database === 'postgres' ? findPostgres() : undefined;
const server = bin === undefined ? undefined : await startPostgres(bin);
if (values.database === 'postgres' && server === undefined) throw new Error('PostgreSQL is not installed.');
const env: Record<string, string> = server ? { DATABASE_URL: server.createDatabase() } : {};
let instance: Instance | undefined;
try {
  const { key } = await addAccount({ dataDir, email: 'bench@example.com', env });
  const limits = ['--requests-per-minute', '1000000', '--max-renders', '1000000', '--reserved-disk', '100'];
  instance = await startInstance(
    ['--data', dataDir, '--workers', '1', '--allow-root', '--allow-private-targets', ...limits],
    env,
  );
  const rows = await measure(instance.url, key);
  if (values.json) console.log(JSON.stringify({ database: values.database, rows }, undefined, 2));
  else print(rows);
} finally {
  await connections.destroy();
  await instance?.stop();
  server?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

type Call = (
  path: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<number>;

async function measure(url: string, key: string): Promise<Row[]> {
  const headers = { 'x-api-key': key };
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(archiveOf(longVideo))]), 'p.zip');
  const uploaded = await globalThis.fetch(`${url}/v3/assets`, { method: 'POST', headers, body });
  const { asset_id } = ((await uploaded.json()) as { data: { asset_id: string } }).data;
  const order = JSON.stringify({
    project: { type: 'asset_id', asset_id },
    ...{ fps: longVideo.fps, quality: 'draft', width: 64 },
  });
  const asked = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: order };
  const call: Call = async (path, init = {}) => {
    const started = performance.now();
    const response = await fetch(url + path, { ...init, dispatcher: connections });
    await response.text();
    if (response.status !== 200) throw new Error(`${path}: status ${response.status}`);
    return performance.now() - started;
  };
  const first = await globalThis.fetch(`${url}/v3/framework/renders`, asked);
  const { render_id } = ((await first.json()) as { data: { render_id: string } }).data;
  // Some renders always wait, so that one is running all the time.
  await rendering(url, headers);
  const kinds: [name: string, concurrent: number, one: () => Promise<number>][] = [
    ['submit a render', Number(values.submits), () => call('/v3/framework/renders', asked)],
    ['/healthz (limit)', Number(values.submits), () => call('/healthz')],
    ['get a render', Number(values.gets), () => call(`/v3/framework/renders/${render_id}`, { headers })],
    ['/healthz (limit)', Number(values.gets), () => call('/healthz')],
  ];
  const times = kinds.map((): number[] => []);
  const spent = kinds.map(() => 0);
  for (let round = 0; round <= Number(values.rounds); round++)
    for (const [index, [, concurrent, one]] of kinds.entries()) {
      await rendering(url, headers);
      const started = performance.now();
      const taken = await Promise.all(Array.from({ length: concurrent }, one));
      // The first round opens connections and compiles code.
      if (round === 0) continue;
      times[index]?.push(...taken);
      spent[index] = (spent[index] ?? 0) + performance.now() - started;
    }
  return kinds.map(([name, concurrent], index) => rowOf(name, concurrent, times[index] ?? [], spent[index] ?? 0));
}

function rowOf(name: string, concurrent: number, times: number[], spentMs: number): Row {
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0);
  return {
    name,
    concurrent,
    p50: at(0.5),
    p95: at(0.95),
    max: at(1),
    perSecond: Math.round((1000 * times.length) / spentMs),
  };
}

/** Waits until a render is running. */
async function rendering(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const text = await (await globalThis.fetch(`${url}/metrics`, { headers })).text();
    if (/^framework_workers_busy 1$/m.test(text)) return;
    await sleep(50);
  }
}

function print(rows: readonly Row[]): void {
  console.log(`While one render is running, with ${values.database}:\n`);
  console.log('| Request | Concurrent | Median, ms | p95, ms | Longest, ms | Per second |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const { name, concurrent, p50, p95, max, perSecond } of rows)
    console.log(`| ${name} | ${concurrent} | ${p50} | ${p95} | ${max} | ${perSecond} |`);
}
