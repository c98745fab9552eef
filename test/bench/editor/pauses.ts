// The longest pause of the service's event loop for each endpoint, with the largest or most expensive input that it accepts:
// `npm run bench:pauses`. During a pause, the service answers no request.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeZip } from '../../support/makeZip.ts';
import { addAccount, type Instance, startInstance } from '../../torture/instances.ts';
import { median, table } from '../table.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});

type Row = { endpoint: string; input: string; status: number; pauseMs: number };
type Case = { endpoint: string; input: string; send(): Promise<Response> };

const columns = [
  { title: 'Endpoint', text: ({ endpoint }: Row) => `\`${endpoint}\`` },
  { title: 'Input', text: ({ input }: Row) => input },
  { title: 'Status', text: ({ status }: Row) => String(status), numeric: true },
  { title: 'Pause', text: ({ pauseMs }: Row) => `${pauseMs.toFixed(1)} ms`, numeric: true },
];

const probe = `--import=${new URL('./pauseProbe.mjs', import.meta.url).href}`;
const dataDir = await mkdtemp(join(tmpdir(), 'bench-pauses-'));
let instance: Instance | undefined;
try {
  const { key, email } = await addAccount({ dataDir, email: 'bench@example.com', env: {} });
  const limits = ['--requests-per-minute', '1000000', '--max-renders', '1000000', '--reserved-disk', '100'];
  instance = await startInstance(
    ['--data', dataDir, '--workers', '0', '--allow-root', '--allow-private-targets', ...limits],
    { NODE_OPTIONS: probe },
  );
  const rows: Row[] = [];
  for (const each of await casesOf(instance.url, key, email))
    if (`${each.endpoint} ${each.input}`.includes(values.only)) rows.push(await measure(instance, each));
  rows.sort((a, b) => b.pauseMs - a.pauseMs);
  if (values.json) console.log(JSON.stringify(rows, undefined, 2));
  else console.log(table(columns, rows));
} finally {
  await instance?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** The median of several rounds; the first one compiles code. */
async function measure(service: Instance, { endpoint, input, send }: Case): Promise<Row> {
  const pauses: number[] = [];
  let status = 0;
  for (let round = 0; round <= Number(values.rounds); round++) {
    await sleep(50);
    await pauseOf(service);
    const response = await send();
    await response.arrayBuffer();
    status = response.status;
    await sleep(20);
    const pause = await pauseOf(service);
    if (round > 0) pauses.push(pause);
  }
  return { endpoint, input, status, pauseMs: median(pauses) };
}

/** The longest pause since the last call. */
async function pauseOf(service: Instance): Promise<number> {
  const known = service.log.length;
  process.kill(service.pid() as number, 'SIGUSR2');
  for (;;) {
    const line = service.log.slice(known).find(({ message }) => message === 'pause');
    if (line) return Number(line.ms);
    await sleep(1);
  }
}

async function casesOf(url: string, key: string, email: string): Promise<Case[]> {
  const headers = { 'x-api-key': key };
  const get = (path: string, more: Record<string, string> = {}) =>
    fetch(url + path, { headers: { ...headers, ...more } });
  const upload = (zip: Buffer) => {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(zip)]), 'p.zip');
    return fetch(`${url}/v3/assets`, { method: 'POST', headers, body });
  };
  const store = async (zip: Buffer): Promise<string> =>
    ((await (await upload(zip)).json()) as { data: { asset_id: string } }).data.asset_id;
  const post = (path: string, body: string, type = 'application/json') =>
    fetch(url + path, { method: 'POST', headers: { ...headers, 'content-type': type }, body, redirect: 'manual' });
  const order = (fields: object) => post('/v3/framework/renders', JSON.stringify(fields));
  const form = (path: string, fields: string) => post(path, fields, 'application/x-www-form-urlencoded');

  const names = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => `${'abcdefgh'.repeat(length / 8)}${at}`);
  const values = (list: readonly string[], value: unknown) => Object.fromEntries(list.map((name) => [name, value]));
  const declarations = names(1_700, 32).map((id) => ({ id, type: 'string', label: 'a', default: '' }));
  const options = names(4_000, 32).map((value) => ({ value, label: 'a' }));
  const html = (declared: unknown) =>
    `<!doctype html><html data-composition-variables='${JSON.stringify(declared)}'><body><div data-composition-id="a" data-width="64" data-height="36" data-duration="1"></div></body></html>`;
  const many = await store(makeZip([{ name: 'index.html', data: html(declarations) }]));
  const choice = { id: 'choice', type: 'enum', label: 'a', default: options[0]?.value, options };
  const enumeration = await store(makeZip([{ name: 'index.html', data: html([choice]) }]));
  const inProject = (id: string, variables: object) => ({
    project: { type: 'asset_id', asset_id: id },
    strict_variables: true,
    variables,
  });
  const entries = (count: number, name: (at: number) => string) =>
    makeZip(Array.from({ length: count }, (_, at) => ({ name: name(at), method: 0 })));
  const flat = entries(20_000, (at) => `${at}.txt`);
  const deep = entries(15_000, (at) => `${'aaaaaaaa/'.repeat(30)}${'b'.repeat(200)}${at}.txt`);
  const accents = entries(20_000, (at) => `${'\u1e69\u0307'.repeat(40)}${at}.txt`);
  const random = makeZip([{ name: 'big.bin', data: randomBytes(150 * 1024 ** 2), method: 0 }]);
  const slowHtml = html([]).replace('</div>', `${'<div>'.repeat(80_000)}</div>`);
  const slow = makeZip(names(8, 8).map((name) => ({ name: `${name}.html`, data: slowHtml })));
  let nested: unknown = 1;
  for (let level = 0; level < 29; level++) nested = { a: nested };
  const leaves = Array.from({ length: 600 }, () => nested);
  const digits = '1'.repeat(250_000);
  const manyFields = JSON.stringify(values(names(20_000, 8), 0));
  const token = randomBytes(6_000).toString('base64url');
  for (let at = 0; at < 150; at++)
    await order({ ...inProject(many, {}), strict_variables: false, variables: { a: 'x'.repeat(200_000) } });
  const { data } = (await (await get('/v3/framework/renders')).json()) as { data: { render_id: string }[] };

  const renders = 'POST /v3/framework/renders';
  const list = 'GET /v3/framework/renders';
  const assets = 'POST /v3/assets';
  return [
    { endpoint: 'GET /healthz', input: 'nothing, for comparison', send: () => get('/healthz') },
    { endpoint: assets, input: '20,000 entries', send: () => upload(flat) },
    { endpoint: assets, input: '15,000 entries in 30 folders each', send: () => upload(deep) },
    { endpoint: assets, input: '20,000 names with accents', send: () => upload(accents) },
    { endpoint: assets, input: 'a file of 150 MB', send: () => upload(random) },
    { endpoint: assets, input: '8 compositions with 80,000 open elements', send: () => upload(slow) },
    {
      endpoint: renders,
      input: '2,000 undeclared values, 1,700 declarations',
      send: () => order(inProject(many, values(names(2_000, 96), 0))),
    },
    {
      endpoint: renders,
      input: '24,000 undeclared values',
      send: () =>
        order(
          inProject(
            many,
            values(
              Array.from({ length: 24_000 }, (_, at) => `${at}a`),
              0,
            ),
          ),
        ),
    },
    {
      endpoint: renders,
      input: '1,700 values of the wrong type',
      send: () => order(inProject(many, values(names(1_700, 32), 0))),
    },
    {
      endpoint: renders,
      input: 'a value of 200 kB for 4,000 options',
      send: () => order(inProject(enumeration, { choice: 'abcdefgh'.repeat(25_000) })),
    },
    {
      endpoint: renders,
      input: 'a wrong value of 40 characters for 4,000 options',
      send: () => order(inProject(enumeration, { choice: 'abcdefgi'.repeat(5) })),
    },
    {
      endpoint: renders,
      input: 'values in 31 levels',
      send: () => order({ ...inProject(many, {}), strict_variables: false, variables: { leaves } }),
    },
    {
      endpoint: renders,
      input: '12,000 values',
      send: () => order({ ...inProject(many, {}), strict_variables: false, variables: values(names(12_000, 8), 0) }),
    },
    { endpoint: renders, input: '20,000 unknown fields', send: () => post('/v3/framework/renders', manyFields) },
    {
      endpoint: renders,
      input: 'a number of 250,000 digits',
      send: () => post('/v3/framework/renders', `{"variables":{"a":${digits}}}`),
    },
    {
      endpoint: renders,
      input: '250,000 open brackets',
      send: () => post('/v3/framework/renders', `{"variables":${'['.repeat(250_000)}`),
    },
    {
      endpoint: renders,
      input: 'a title of 500 kB',
      send: () => order({ ...inProject(many, {}), title: 'a'.repeat(500_000) }),
    },
    {
      endpoint: renders,
      input: 'a composition path of 500 kB',
      send: () => order({ ...inProject(many, {}), composition: `${'a/'.repeat(250_000)}b.html` }),
    },
    {
      endpoint: renders,
      input: 'a callback URL of 500 kB',
      send: () => order({ ...inProject(many, {}), callback_url: `https://${'a.'.repeat(240_000)}com` }),
    },
    {
      endpoint: renders,
      input: 'a background of 500 kB',
      send: () => order({ ...inProject(many, {}), background: `rgb(${' '.repeat(480_000)}` }),
    },
    { endpoint: list, input: '100 renders with 200 kB of values', send: () => get(`/v3/framework/renders?limit=100`) },
    { endpoint: list, input: 'a token of 8 kB', send: () => get(`/v3/framework/renders?token=${token}`) },
    {
      endpoint: 'GET /v3/framework/renders/{id}',
      input: 'a render with 200 kB of values',
      send: () => get(`/v3/framework/renders/${data[0]?.render_id}`),
    },
    { endpoint: 'GET /v3/users/me', input: '150 renders', send: () => get('/v3/users/me') },
    {
      endpoint: 'DELETE /v3/assets/{id}',
      input: 'an asset in use by 150 renders',
      send: () => fetch(`${url}/v3/assets/${many}`, { method: 'DELETE', headers }),
    },
    { endpoint: 'GET /v3/openapi.json', input: 'nothing', send: () => get('/v3/openapi.json') },
    { endpoint: 'unknown path', input: '8 kB of slashes', send: () => get(`/v3${'/a'.repeat(4_000)}`) },
    { endpoint: 'unknown path', input: '8 kB of percent signs', send: () => get(`/v3/${'%41'.repeat(2_500)}`) },
    {
      endpoint: 'GET /sign-in',
      input: 'Accept of 8 kB',
      send: () => get('/sign-in', { accept: 'text/html,'.repeat(800) }),
    },
    {
      endpoint: 'GET /sign-in',
      input: 'cookies of 8 kB',
      send: () => get('/sign-in', { cookie: 'a=b;'.repeat(2_000) }),
    },
    { endpoint: 'POST /sign-in', input: 'a password', send: () => form('/sign-in', `email=${email}&password=wrong`) },
    { endpoint: 'POST /sign-in', input: '16 kB of fields', send: () => form('/sign-in', 'a=b&'.repeat(4_000)) },
    {
      endpoint: 'POST /oauth/token',
      input: '50 kB of fields',
      send: () => form('/oauth/token', 'a=b&'.repeat(12_500)),
    },
    {
      endpoint: 'GET /oauth/authorize',
      input: '8 kB of fields',
      send: () => get(`/oauth/authorize?${'a=b&'.repeat(2_000)}`),
    },
    {
      endpoint: 'POST /oauth/device_authorization',
      input: '50 kB of scopes',
      send: () => form('/oauth/device_authorization', `client_id=cli&scope=${'a+'.repeat(25_000)}`),
    },
    {
      endpoint: 'GET /files/…',
      input: 'a range of 8 kB',
      send: () => get('/files/assets/a.zip?expires=1', { range: `bytes=${'0-1,'.repeat(2_000)}` }),
    },
    { endpoint: 'GET /metrics', input: '150 renders', send: () => get('/metrics') },
  ];
}
