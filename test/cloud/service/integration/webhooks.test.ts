// Webhooks of a service that is killed while it sends them, and of two instances that share a PostgreSQL database.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServiceSettings } from '../../../../cloud/service/settings.ts';
import { listDeliveries } from '../../../../cloud/service/webhooks/webhookDeliveries.ts';
import { createWebhookSender } from '../../../../cloud/service/webhooks/webhookSender.ts';
import { postWebhook } from '../../../../webhooks/postWebhook.ts';
import { selfSigned } from '../../../support/servers/selfSigned.ts';
import { hasPostgres, newDatabase } from '../../../support/servers/sharedPostgres.ts';
import { testFolder } from '../../../support/service/service.ts';
import { startReceiver, webhookService } from '../../../support/service/webhooks.ts';

const program = fileURLToPath(new URL('../../../support/service/serviceProcess.ts', import.meta.url));

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

test('sends all webhooks after being killed in between', async (context) => {
  const folder = await testFolder();
  const certificate = await selfSigned(context, folder);
  const service = await webhookService({ dataDir: folder });
  const { settings, database } = service.context;
  // The first four arrive but get no response, so the service that is killed does not know about them.
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

  // For a service that starts half a minute later, the leases have expired.
  startService(settings, certificate.path, 31_000);
  await until(async () => (await statuses()).every((status) => status === 'delivered'));
  const heard = receiver.received.map(({ headers, body }) => {
    const message = new Webhook(service.account.webhook_secret).verify(body, headers as Record<string, string>);
    return { id: headers['webhook-id'], render: (message as { data: { render_id: string } }).data.render_id };
  });
  expect([...new Set(heard.map(({ render }) => render))].sort()).toEqual([...renders].sort());
  // Those four arrive twice, with the same ID.
  expect(heard).toHaveLength(16);
  expect(new Set(heard.map(({ id }) => id)).size).toBe(12);
  const interrupted = (await listDeliveries(database, { limit: 100 })).filter(({ attempts }) => attempts.length === 2);
  expect(interrupted.map(({ attempts }) => [attempts[0]?.error, attempts[1]?.status_code])).toEqual(
    Array(4).fill(['no result: the attempt is in progress, or the service stopped during it', 200]),
  );
});

test('sends nothing to a receiver with an untrusted certificate', async (context) => {
  const receiver = await startReceiver(undefined, await selfSigned(context, await testFolder()));
  const request = { url: receiver.url, headers: {}, body: '{}', allowPrivate: true, timeoutMs: 10_000 };
  expect(await postWebhook(request)).toEqual({ statusCode: null, error: expect.stringContaining('self-signed') });
  expect(receiver.received).toEqual([]);
});

describe.skipIf(!hasPostgres())('PostgreSQL', () => {
  test('sends each delivery once from two instances', async () => {
    const service = await webhookService({ databaseUrl: newDatabase() });
    const receiver = await startReceiver();
    for (let count = 0; count < 40; count++) await service.end({ callback_url: receiver.url });
    const senders = ['one', 'two', 'three', 'four'].map((instance) =>
      createWebhookSender({ ...service.context, instance }, { perAccount: 100, perTarget: 100 }),
    );
    await Promise.all(senders.map((sender) => sender.sendDue()));
    await Promise.all(senders.map((sender) => sender.idle()));
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
    const found = await listDeliveries(service.context.database, { limit: 100 });
    expect(new Set(found.map(({ delivery }) => delivery.status))).toEqual(new Set(['delivered']));
    expect(found.every(({ attempts }) => attempts.length === 1)).toBe(true);
  });
});
