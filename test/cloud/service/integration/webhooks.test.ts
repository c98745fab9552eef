// Webhooks of a service that is killed while it delivers them, and of two that share a PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServiceSettings } from '../../renderer-core/service/settings.ts';
import { listDeliveries } from '../../renderer-core/service/webhookDeliveries.ts';
import { postWebhook } from '../../renderer-core/service/webhookRequest.ts';
import { createWebhookSender } from '../../renderer-core/service/webhookSender.ts';
import { findPostgres, startPostgres } from '../support/postgres.ts';
import { selfSigned } from '../support/selfSigned.ts';
import { testFolder } from '../support/service.ts';
import { startReceiver, webhookService } from '../support/webhooks.ts';

const program = fileURLToPath(new URL('../support/serviceProcess.ts', import.meta.url));

function startService(settings: ServiceSettings, trusted: string, ahead = 0): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify({ settings, ahead })], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => kill(child));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

test('a service that is killed in the middle of its deliveries loses none of them', async () => {
  const folder = await testFolder();
  const certificate = await selfSigned(folder);
  const service = await webhookService({ dataDir: folder });
  const { settings, database } = service.context;
  // The first four arrive and are not answered: what the service then knows of them is lost with it.
  const receiver = await startReceiver((response, index) => {
    if (index >= 4) response.end();
  }, certificate);
  const renders: string[] = [];
  for (let count = 0; count < 12; count++) renders.push((await service.end({ callback_url: receiver.url })).id);

  const first = startService(settings, certificate.path);
  await until(() => receiver.received.length === 4);
  await kill(first);
  const statuses = async () => (await listDeliveries(database, { limit: 100 })).map(({ delivery }) => delivery.status);
  expect(new Set(await statuses())).toEqual(new Set(['pending']));

  // Its leases have run out for one that starts half a minute later.
  startService(settings, certificate.path, 31_000);
  await until(async () => (await statuses()).every((status) => status === 'delivered'));
  const heard = receiver.received.map(({ headers, body }) => {
    const message = new Webhook(service.account.webhook_secret).verify(body, headers as Record<string, string>);
    return { id: headers['webhook-id'], render: (message as { data: { render_id: string } }).data.render_id };
  });
  expect([...new Set(heard.map(({ render }) => render))].sort()).toEqual([...renders].sort());
  // Twice for those four, and then under the same id.
  expect(heard).toHaveLength(16);
  expect(new Set(heard.map(({ id }) => id)).size).toBe(12);
  const interrupted = (await listDeliveries(database, { limit: 100 })).filter(({ attempts }) => attempts.length === 2);
  expect(interrupted.map(({ attempts }) => [attempts[0]?.error, attempts[1]?.status_code])).toEqual(
    Array(4).fill(['no result: the attempt is under way, or the service ended during it', 200]),
  );
});

test('a receiver whose certificate nobody trusts hears nothing', async () => {
  const receiver = await startReceiver(undefined, await selfSigned(await testFolder()));
  const request = { url: receiver.url, headers: {}, body: '{}', allowPrivate: true, timeoutMs: 10_000 };
  expect(await postWebhook(request)).toEqual({ statusCode: null, error: expect.stringContaining('self-signed') });
  expect(receiver.received).toEqual([]);
});

const bin = findPostgres();
// On the machine that decides, missing programs are a failure.
const isMissing = bin === undefined && !process.env.CI;
describe.skipIf(isMissing)('PostgreSQL', () => {
  test('instances that look at once send each delivery once', async () => {
    if (bin === undefined) throw new Error('PostgreSQL is not installed');
    const postgres = await startPostgres(bin);
    onTestFinished(() => postgres.stop());
    const service = await webhookService({ databaseUrl: postgres.createDatabase() });
    const receiver = await startReceiver();
    for (let count = 0; count < 40; count++) await service.end({ callback_url: receiver.url });
    const senders = ['one', 'two', 'three', 'four'].map((instance) =>
      createWebhookSender({ ...service.context, instance }, { perAccount: 100, perTarget: 100 }),
    );
    await Promise.all(senders.map((sender) => sender.begin()));
    await Promise.all(senders.map((sender) => sender.idle()));
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
    const found = await listDeliveries(service.context.database, { limit: 100 });
    expect(new Set(found.map(({ delivery }) => delivery.status))).toEqual(new Set(['delivered']));
    expect(found.every(({ attempts }) => attempts.length === 1)).toBe(true);
  });
});
