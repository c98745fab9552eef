// Parallel deliveries: instances that share a database, slow receivers, and processes that end in between.
import type { ServerResponse } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import {
  type DeliveryLease,
  dueDeliveries,
  finishAttempt,
  leaseDelivery,
  listDeliveries,
} from '../../../../cloud/service/webhooks/webhookDeliveries.ts';
import { createWebhookSender } from '../../../../cloud/service/webhooks/webhookSender.ts';
import { startReceiver, type WebhookService, webhookService } from '../../../support/service/webhooks.ts';

let service: WebhookService;
beforeEach(async () => {
  service = await webhookService();
});

/** Leases a delivery like an instance that is killed before it gets a response. */
async function leaseFirst(owner: string, leaseMs = 30_000): Promise<DeliveryLease> {
  const { database, now } = service.context;
  const [delivery] = await dueDeliveries(database, { now: now(), limit: 1, full: { accounts: [], targets: [] } });
  const lease = delivery && (await leaseDelivery(database, delivery, { now: now(), owner, leaseMs }));
  if (!lease) throw new Error('nothing was due');
  return lease;
}

const statuses = async () =>
  (await listDeliveries(service.context.database, { limit: 100 })).map(({ delivery }) => delivery.status);

test('sends each delivery once from several instances', async () => {
  const { url, received } = await startReceiver();
  for (let count = 0; count < 30; count++) await service.end({ callback_url: url });
  const wide = { perAccount: 100, perTarget: 100 };
  const senders = ['one', 'two', 'three'].map((instance) =>
    createWebhookSender({ ...service.context, instance }, wide),
  );
  await Promise.all(senders.map((sender) => sender.sendDue()));
  await Promise.all(senders.map((sender) => sender.idle()));
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
  expect(new Set(await statuses())).toEqual(new Set(['delivered']));
});

test('resends deliveries of a killed instance with the same ID', async () => {
  const { url, received } = await startReceiver();
  await service.end({ callback_url: url });
  const { delivery } = await leaseFirst('killed');
  const sender = createWebhookSender(service.context);
  service.pass(29_999);
  await sender.sendDue();
  await sender.idle();
  expect(received).toEqual([]);
  service.pass(1);
  await sender.sendDue();
  await sender.idle();
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([delivery.id]);
  const [found] = await listDeliveries(service.context.database, { limit: 1 });
  expect(found?.attempts.map(({ status_code, error }) => error ?? status_code)).toEqual([
    'no result: the attempt is in progress, or the service stopped during it',
    200,
  ]);
});

test('ignores a late failure of an instance that lost its lease, but not a late success', async () => {
  const { database, now } = service.context;
  const { url } = await startReceiver();
  await service.end({ callback_url: url });
  const slow = await leaseFirst('slow');
  service.pass(30_000);
  const other = await leaseFirst('other');
  const result = { durationMs: 1, now: now(), random: 0 };
  await finishAttempt(database, slow, { ...result, response: { statusCode: 500, error: null } });
  const row = () => database.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow();
  expect(await row()).toMatchObject({ status: 'pending', lease_owner: 'other', attempts: 2 });
  await finishAttempt(database, slow, { ...result, response: { statusCode: 200, error: null } });
  expect(await row()).toMatchObject({ status: 'delivered', lease_owner: null });
  await finishAttempt(database, other, { ...result, response: { statusCode: 500, error: null } });
  expect(await row()).toMatchObject({ status: 'delivered' });
});

test('limits attempts per target, so that a silent receiver does not delay others', async () => {
  const held: ServerResponse[] = [];
  const slow = await startReceiver((response) => held.push(response));
  const quick = await startReceiver();
  for (let count = 0; count < 20; count++) await service.end({ callback_url: slow.url });
  await service.end({ callback_url: quick.url });
  const sender = createWebhookSender(service.context, { total: 10, perTarget: 4 });
  await sender.sendDue();
  while (quick.received.length < 1 || held.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  await sender.sendDue();
  expect([slow.received.length, quick.received.length]).toEqual([4, 1]);
  for (const response of held) response.end();
  await sender.idle();
  expect((await statuses()).filter((status) => status === 'delivered')).toHaveLength(5);
});

test('limits attempts per account, so that slow receivers do not delay other accounts', async () => {
  const held: ServerResponse[] = [];
  const slow = await Promise.all(Array.from({ length: 12 }, () => startReceiver((response) => held.push(response))));
  for (const { url } of slow) await service.end({ callback_url: url });
  const quick = await startReceiver();
  const other = await service.addAccount();
  await service.end({ callback_url: quick.url, account_id: other.id });
  const sender = createWebhookSender(service.context, { total: 10, perAccount: 3 });
  await sender.sendDue();
  while (quick.received.length < 1 || held.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  await sender.sendDue();
  expect(held).toHaveLength(3);
  for (const response of held) response.end();
  await sender.idle();
});
