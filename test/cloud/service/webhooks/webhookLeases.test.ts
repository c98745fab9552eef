// Many at once: instances that share a database, receivers that are slow, and processes that end in the middle.
import type { ServerResponse } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import {
  type Claim,
  claimDelivery,
  dueDeliveries,
  finishAttempt,
  listDeliveries,
} from '../../renderer-core/service/webhookDeliveries.ts';
import { createWebhookSender } from '../../renderer-core/service/webhookSender.ts';
import { startReceiver, type WebhookService, webhookService } from '../support/webhooks.ts';

let service: WebhookService;
beforeEach(async () => {
  service = await webhookService();
});

/** What an instance does that is killed before it hears an answer. */
async function claimFirst(owner: string, leaseMs = 30_000): Promise<Claim> {
  const { database, now } = service.context;
  const [delivery] = await dueDeliveries(database, { now: now(), limit: 1, full: { accounts: [], targets: [] } });
  const claim = delivery && (await claimDelivery(database, delivery, { now: now(), owner, leaseMs }));
  if (!claim) throw new Error('nothing was due');
  return claim;
}

const statuses = async () =>
  (await listDeliveries(service.context.database, { limit: 100 })).map(({ delivery }) => delivery.status);

test('instances that look at once send each delivery once', async () => {
  const { url, received } = await startReceiver();
  for (let count = 0; count < 30; count++) await service.end({ callback_url: url });
  const wide = { perAccount: 100, perTarget: 100 };
  const senders = ['one', 'two', 'three'].map((instance) =>
    createWebhookSender({ ...service.context, instance }, wide),
  );
  await Promise.all(senders.map((sender) => sender.begin()));
  await Promise.all(senders.map((sender) => sender.idle()));
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
  expect(new Set(await statuses())).toEqual(new Set(['delivered']));
});

test('what a killed instance had in hand is sent by another, later, under the same id', async () => {
  const { url, received } = await startReceiver();
  await service.end({ callback_url: url });
  const { delivery } = await claimFirst('killed');
  const sender = createWebhookSender(service.context);
  service.pass(29_999);
  await sender.begin();
  await sender.idle();
  expect(received).toEqual([]);
  service.pass(1);
  await sender.begin();
  await sender.idle();
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([delivery.id]);
  const [found] = await listDeliveries(service.context.database, { limit: 1 });
  expect(found?.attempts.map(({ status_code, error }) => error ?? status_code)).toEqual([
    'no result: the attempt is under way, or the service ended during it',
    200,
  ]);
});

test('an instance that wakes up too late cannot take back what another has, but what was heard was heard', async () => {
  const { database, now } = service.context;
  const { url } = await startReceiver();
  await service.end({ callback_url: url });
  const slow = await claimFirst('slow');
  service.pass(30_000);
  const other = await claimFirst('other');
  const result = { durationMs: 1, now: now() };
  await finishAttempt(database, slow, { ...result, answer: { statusCode: 500, error: null } });
  const row = () => database.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow();
  expect(await row()).toMatchObject({ status: 'pending', lease_owner: 'other', attempts: 2 });
  await finishAttempt(database, slow, { ...result, answer: { statusCode: 200, error: null } });
  expect(await row()).toMatchObject({ status: 'delivered', lease_owner: null });
  await finishAttempt(database, other, { ...result, answer: { statusCode: 500, error: null } });
  expect(await row()).toMatchObject({ status: 'delivered' });
});

test('a receiver that does not answer fills its own places and holds up nobody else', async () => {
  const held: ServerResponse[] = [];
  const slow = await startReceiver((response) => held.push(response));
  const quick = await startReceiver();
  for (let count = 0; count < 20; count++) await service.end({ callback_url: slow.url });
  await service.end({ callback_url: quick.url });
  const sender = createWebhookSender(service.context, { total: 10, perTarget: 4 });
  await sender.begin();
  while (quick.received.length < 1 || held.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  await sender.begin();
  expect([slow.received.length, quick.received.length]).toEqual([4, 1]);
  for (const response of held) response.end();
  await sender.idle();
  expect((await statuses()).filter((status) => status === 'delivered')).toHaveLength(5);
});

test('an account with many slow receivers fills its own places and holds up no other account', async () => {
  const held: ServerResponse[] = [];
  const slow = await Promise.all(Array.from({ length: 12 }, () => startReceiver((response) => held.push(response))));
  for (const { url } of slow) await service.end({ callback_url: url });
  const quick = await startReceiver();
  const other = await service.addAccount();
  await service.end({ callback_url: quick.url, account_id: other.id });
  const sender = createWebhookSender(service.context, { total: 10, perAccount: 3 });
  await sender.begin();
  while (quick.received.length < 1 || held.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  await sender.begin();
  expect(held).toHaveLength(3);
  for (const response of held) response.end();
  await sender.idle();
});
