// Five accounts render videos while the service is killed twice: every render ends once, is charged once and sends its
// webhook, and waiting clients get their videos.
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import type { RenderRecord } from '../../../../cloud/client/apiTypes.ts';
import { openDatabase } from '../../../../cloud/service/storage/database.ts';
import type { Database } from '../../../../cloud/service/storage/tables.ts';
import { makeZip } from '../../../support/makeZip.ts';
import { startProgram } from '../../../support/program.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';
import { addKey, type ServedProgram, serveProgram } from '../../../support/serveProgram.ts';
import { assetForm } from '../../../support/service.ts';
import { decode } from '../../../support/video.ts';
import { startReceiver } from '../../../support/webhooks.ts';
import { renderFolders } from '../../../support/workFolders.ts';

const names = ['ann', 'ben', 'cat', 'dan', 'eve'];
const page = composition('', { width: 64, height: 36, duration: 0.2 });

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

/** A client of the API. */
function client(url: string, key: string) {
  const headers = { 'x-api-key': key };
  const data = async (answer: Promise<Response>) => {
    const { status, ...rest } = await answer.then(async (given) => ({ status: given.status, ...(await given.json()) }));
    expect({ status, ...rest }).toMatchObject({ status: 200 });
    return rest.data;
  };
  const orders = `${url}/v3/framework/renders`;
  return {
    upload: async (): Promise<string> => {
      const body = assetForm(makeZip([{ name: 'index.html', data: page }]));
      return (await data(fetch(`${url}/v3/assets`, { method: 'POST', headers, body }))).asset_id;
    },
    order: async (name: string, order: object): Promise<string> => {
      const given = { ...headers, 'content-type': 'application/json', 'idempotency-key': name };
      return (await data(fetch(orders, { method: 'POST', headers: given, body: JSON.stringify(order) }))).render_id;
    },
    list: (): Promise<RenderRecord[]> => data(fetch(`${orders}?limit=100`, { headers })),
    credits: async (): Promise<number> => {
      const { billing, ...user } = await data(fetch(`${url}/v3/users/me`, { headers }));
      return (billing ?? user).credits_remaining;
    },
    beginUpload() {
      const type = { 'content-type': 'multipart/form-data; boundary=cut', 'content-length': '1000000' };
      const begun = request(`${url}/v3/assets`, { method: 'POST', headers: { ...headers, ...type } });
      begun.on('error', () => undefined);
      begun.write('--cut\r\ncontent-disposition: form-data; name="file"; filename="p.zip"\r\n\r\nPK\x03\x04');
      begun.write(Buffer.alloc(100_000));
    },
  };
}

const ledgerOf = async (database: Database) =>
  (await database.selectFrom('ledger').selectAll().where('kind', '!=', 'grant').execute())
    .map(({ kind, amount, render_id }) => `${kind} ${amount} ${render_id}`)
    .sort();

test('completes renders, webhooks and waiting clients although the service is killed', async () => {
  const dataDir = temporaryFolder();
  const keys: string[] = [];
  for (const name of names) keys.push(await addKey(dataDir, `${name}@example.com`, ['--credits', '2']));
  const options = ['--workers', '2', '--allow-private-targets'];
  let service: ServedProgram = await serveProgram(dataDir, options);
  onTestFinished(() => service.end());
  const { url } = service;
  const database = await openDatabase({ dataDir, databaseUrl: undefined });
  onTestFinished(() => database.destroy());
  // The first two webhooks get no response before the service is killed.
  const receiver = await startReceiver((response, index) => {
    if (index >= 2) response.end();
  });

  const clients = keys.map((key) => client(url, key));
  const assets = await Promise.all(clients.map((one) => one.upload()));
  const order = (of: number, name: string) =>
    clients[of]?.order(name, {
      project: { type: 'asset_id', asset_id: assets[of] },
      ...{ fps: 10, quality: 'draft', width: 64, callback_url: receiver.url, callback_id: name },
    }) ?? '';
  const orders = Array.from({ length: 10 }, (_, at) => ({ of: at % 5, name: `order-${at}` }));
  const ids = await Promise.all(orders.map(({ of, name }) => order(of, name)));

  // A command line waits for its video the whole time.
  const output = join(temporaryFolder(), 'out.mp4');
  const env = { SERVICE_API_URL: url, SERVICE_API_KEY: keys[0] ?? '', FRAMEWORK_API_KEY: '' };
  const asked = ['--fps', '10', '--quality', 'draft', '--width', '64', '--poll-interval', '1s', '-o', output, '--json'];
  const waiting = startProgram(['cloud', 'render', project(page), ...asked], env);
  onTestFinished(() => void waiting.child.kill());
  await until(() => /Submitted as/.test(waiting.texts.stderr));

  const isRendering = async () =>
    (await database.selectFrom('renders').select('id').where('status', '=', 'rendering').execute()).length > 0;
  for (const told of [2, 5]) {
    await until(async () => receiver.received.length >= told && (await isRendering()));
    clients[1]?.beginUpload();
    await until(() => readdirSync(join(dataDir, 'uploads')).length > 0);
    await service.end();
    // A webhook that was being sent is leased for half a minute.
    await database.updateTable('webhook_deliveries').set({ lease_expires_at: 0 }).execute();
    service = await serveProgram(dataDir, [...options, '--port', new URL(url).port]);
  }

  const renders = async () => (await Promise.all(clients.map((one) => one.list()))).flat();
  await until(async () => (await renders()).every(({ status }) => status === 'completed' || status === 'failed'));
  const report = await waiting.done;
  expect(report).toMatchObject({ status: 0 });
  const all = [...ids, JSON.parse(report.stdout).render_id].sort();
  const ended = await renders();
  expect(ended.map(({ render_id }) => render_id).sort()).toEqual(all);
  expect(ended.filter(({ status, credits }) => status !== 'completed' || credits !== 0.2)).toEqual([]);
  expect(await decode(output, 64, 36)).toHaveLength(2);

  // Each is charged once, and repeating a request with its old key returns the old render.
  expect(await ledgerOf(database)).toEqual(all.map((id) => `charge -0.2 ${id}`));
  const credits = await Promise.all(clients.map((one) => one.credits()));
  expect(credits.map((left) => Math.round(left * 100))).toEqual([140, 160, 160, 160, 160]);
  expect(await Promise.all(orders.map(({ of, name }) => order(of, name)))).toEqual(ids);

  // Every file is complete, and there are no other visible files.
  const files = (folder: string) =>
    readdirSync(join(dataDir, 'objects', folder))
      .filter((name) => !name.startsWith('.'))
      .sort();
  expect(files('videos')).toEqual(all.map((id) => `${id}.mp4`));
  expect(files('thumbnails')).toEqual(all.map((id) => `${id}.jpg`));
  const known = await database.selectFrom('assets').select('id').execute();
  expect(files('assets')).toEqual(known.map(({ id }) => `${id}.zip`).sort());
  for (const { video_url } of ended) {
    const answer = await fetch(video_url ?? '');
    expect((await answer.arrayBuffer()).byteLength).toBe(Number(answer.headers.get('content-length')));
  }
  await until(() => renderFolders(dataDir).length === 0);

  // Every webhook arrives: twice with the same ID if the service was killed before it received the response.
  const isDelivered = async () =>
    (await database.selectFrom('webhook_deliveries').select('status').execute()).every(
      ({ status }) => status === 'delivered',
    );
  await until(isDelivered);
  const secrets = await database.selectFrom('accounts').select(['email', 'webhook_secret']).execute();
  const secretOf = new Map(secrets.map(({ email, webhook_secret }) => [email, webhook_secret]));
  const told = new Map<string, Set<string | undefined>>();
  for (const { headers, body } of receiver.received) {
    const { callback_id: name } = JSON.parse(body).data as { callback_id: string };
    const { of = 0 } = orders.find((each) => each.name === name) ?? {};
    const secret = secretOf.get(`${names[of]}@example.com`) ?? '';
    const { data } = new Webhook(secret).verify(body, headers as Record<string, string>) as { data: RenderRecord };
    told.set(data.render_id, (told.get(data.render_id) ?? new Set()).add(String(headers['webhook-id'])));
  }
  expect([...told.keys()].sort()).toEqual([...ids].sort());
  expect([...told.values()].map(({ size }) => size)).toEqual(ids.map(() => 1));
});
