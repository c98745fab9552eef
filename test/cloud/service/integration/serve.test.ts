// The built command line handles parallel requests, is killed, and has kept everything it confirmed at the next start.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeZip } from '../../../support/makeZip.ts';
import { composition } from '../../../support/project.ts';
import { addKey, operate, type ServedProgram, serveProgram } from '../../../support/service/serveProgram.ts';
import { assetForm, testFolder } from '../../../support/service/service.ts';

async function serve(dataDir: string, options = ['--workers', '0']): Promise<ServedProgram> {
  const service = await serveProgram(dataDir, options);
  onTestFinished(() => service.end());
  return service;
}

type Headers = Record<string, string>;
const project = { type: 'url', url: 'https://example.com/p.zip' };

async function order(url: string, headers: Headers, name: string): Promise<{ id: string; replayed: boolean }> {
  const answer = await fetch(`${url}/v3/framework/renders`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': name },
    body: JSON.stringify({ project, title: name }),
  });
  expect(answer.status).toBe(200);
  return { id: (await answer.json()).data.render_id, replayed: answer.headers.get('idempotent-replayed') === 'true' };
}

/** Submits a render over a connection that passes a few bytes at a time; returns its ID. */
async function orderSlowly(url: string, headers: Headers): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const body = JSON.stringify({ project, title: 'slow' });
  const given = { ...headers, host, 'content-type': 'application/json', 'content-length': String(body.length) };
  const head = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
  const message = `POST /v3/framework/renders HTTP/1.1\r\n${head.join('')}connection: close\r\n\r\n${body}`;
  const socket = connect(Number(port), hostname);
  const answer = text(socket);
  for (let at = 0; at < message.length; at += 20) {
    socket.write(message.slice(at, at + 20));
    await sleep(50);
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  return /rnd_[\w-]{22}/.exec(await answer)?.[0] ?? '';
}

const upload = (url: string, headers: Headers, archive?: Buffer) =>
  fetch(`${url}/v3/assets`, { method: 'POST', headers, body: assetForm(archive) });

/** An upload of which 100 kB of 1 MB have been sent. */
function beginUpload(url: string, headers: Headers) {
  const { hostname, port } = new URL(url);
  const type = { 'content-type': 'multipart/form-data; boundary=cut-here', 'content-length': '1000000' };
  const begun = request({ hostname, port, path: '/v3/assets', method: 'POST', headers: { ...headers, ...type } });
  const broken = once(begun, 'error');
  begun.write('--cut-here\r\ncontent-disposition: form-data; name="file"; filename="p.zip"\r\n\r\nPK\x03\x04');
  begun.write(Buffer.alloc(100_000));
  return { request: begun, broken };
}

async function listed(url: string, headers: Headers): Promise<string[]> {
  const ids: string[] = [];
  for (let token = ''; ; ) {
    const page = await fetch(`${url}/v3/framework/renders?limit=100${token && `&token=${token}`}`, { headers });
    const { data, next_token } = await page.json();
    for (const { render_id } of data) ids.push(render_id);
    if (next_token === null) return ids.sort();
    token = next_token;
  }
}

test('keeps everything it confirmed after being killed under load, and shows nothing partial', async () => {
  const dataDir = await testFolder();
  const emails = ['ann', 'ben', 'cat', 'dan', 'eve'].map((name) => `${name}@example.com`);
  const accounts: Headers[] = [];
  for (const email of emails) accounts.push({ 'x-api-key': await addKey(dataDir, email) });
  const [ann = {}] = accounts;
  const uploads = () => readdirSync(join(dataDir, 'uploads'));
  const first = await serve(dataDir);
  const { asset_id } = (await (await upload(first.url, ann)).json()).data;

  // One upload is in progress as long as the service runs.
  const hanging = beginUpload(first.url, ann);
  await vi.waitFor(() => expect(uploads()).toHaveLength(1), { timeout: 10_000 });

  const accepted = new Map<string, string>();
  const orders = Array.from({ length: 200 }, (_, at) => ({ name: `order-${at}`, headers: accounts[at % 5] ?? {} }));
  const submits = orders.map(async ({ name, headers }) => {
    const { id } = await order(first.url, headers, name);
    accepted.set(name, id);
    if (accepted.size === 60) first.child.kill('SIGKILL');
  });
  await Promise.allSettled(submits);
  await hanging.broken;
  expect(accepted.size).toBeGreaterThanOrEqual(60);
  // Nothing shows it, and it is deleted after a day.
  const left = uploads();

  // Again in parallel, with a slow client and one that disconnects.
  const second = await serve(dataDir);
  const cut = beginUpload(second.url, ann);
  const slow = Array.from({ length: 20 }, () => orderSlowly(second.url, ann));
  const again = await Promise.all(
    orders.map(async (each) => ({ ...each, ...(await order(second.url, each.headers, each.name)) })),
  );
  for (const { name, id, replayed } of again) {
    if (accepted.has(name)) expect({ name, id, replayed }).toEqual({ name, id: accepted.get(name), replayed: true });
  }
  await vi.waitFor(() => expect(uploads()).toHaveLength(left.length + 1), { timeout: 10_000 });
  cut.request.destroy();
  await cut.broken;
  await vi.waitFor(() => expect(uploads()).toEqual(left), { timeout: 10_000 });

  const slowIds = await Promise.all(slow);
  for (const headers of accounts) {
    const own = again.filter((each) => each.headers === headers).map(({ id }) => id);
    expect(await listed(second.url, headers)).toEqual([...own, ...(headers === ann ? slowIds : [])].sort());
  }
  expect(readdirSync(join(dataDir, 'objects', 'assets'))).toEqual([`${asset_id}.zip`]);
  expect((await upload(second.url, ann)).status).toBe(200);

  await second.end('SIGTERM');
  expect(second.child.exitCode).toBe(0);
});

test('creates the tables once when several commands start on an empty folder', async () => {
  const dataDir = await testFolder();
  const emails = ['ann', 'ben', 'cat'].map((name) => `${name}@example.com`);
  await Promise.all(emails.map((email) => addKey(dataDir, email)));
  for (const email of emails)
    expect(await operate(dataDir, ['credits', '--email', email])).toBe(`${email} has 600 credits.\n`);
});

test('finishes a short render before it exits', async () => {
  const dataDir = await testFolder();
  const headers = { 'x-api-key': await addKey(dataDir, 'ann@example.com') };
  const options = ['--workers', '1', '--drain-seconds', '600'];
  const first = await serve(dataDir, options);
  const page = composition('<p>Hello</p>', { duration: 6 });
  const archive = makeZip([{ name: 'index.html', data: page }]);
  const { asset_id } = (await (await upload(first.url, headers, archive)).json()).data;
  const renders = `${first.url}/v3/framework/renders`;
  const order = { project: { type: 'asset_id', asset_id }, fps: 60, quality: 'draft', width: 64 };
  const json = { ...headers, 'content-type': 'application/json' };
  const submitted = await fetch(renders, { method: 'POST', headers: json, body: JSON.stringify(order) });
  const { render_id } = (await submitted.json()).data;
  const get = async (url: string) =>
    (await (await fetch(`${url}/v3/framework/renders/${render_id}`, { headers })).json()).data;
  await vi.waitUntil(async () => (await get(first.url)).progress > 0.1, { timeout: 60_000, interval: 50 });
  await first.end('SIGTERM');
  expect(first.child.exitCode).toBe(0);
  const second = await serve(dataDir);
  expect(await get(second.url)).toMatchObject({ status: 'completed', credits: 6 });
});
