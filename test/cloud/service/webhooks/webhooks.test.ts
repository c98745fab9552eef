// Webhooks are signed, and retried until the receiver accepts them or a day is over.
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test } from 'vitest';
import { listDeliveries, redeliver } from '../../../../cloud/service/webhooks/webhookDeliveries.ts';
import { webhookWaits } from '../../../../cloud/service/webhooks/webhookSchedule.ts';
import { createWebhookSender, type WebhookLimits } from '../../../../cloud/service/webhooks/webhookSender.ts';
import { enqueueWebhook, startWebhooks } from '../../../../cloud/service/webhooks/webhooks.ts';
import {
  type ReceivedRequest,
  startReceiver,
  type WebhookService,
  webhookService,
} from '../../../support/service/webhooks.ts';

let service: WebhookService;
beforeEach(async () => {
  service = await webhookService();
});

const nothingReceived: ReceivedRequest = { method: '', url: '', headers: {}, body: '' };
const status = (code: number) => (response: ServerResponse) => response.writeHead(code).end();

/** Sends everything that is due, and waits until it is sent. */
async function sendDue(limits: Partial<WebhookLimits> = {}): Promise<void> {
  const sender = createWebhookSender(service.context, limits);
  await sender.sendDue();
  await sender.idle();
}

/** The deliveries with their attempts. */
async function deliveries() {
  const found = await listDeliveries(service.context.database, { limit: 100 });
  return found.map(({ delivery, attempts }) => ({
    status: delivery.status,
    attempts: attempts.map(({ status_code, error }) => error ?? status_code),
  }));
}

test('sends one signed webhook for a completed render', async () => {
  const { url, received } = await startReceiver();
  const render = await service.end({ callback_url: `${url}?shop=4` });
  const { id, created_at } = (await listDeliveries(service.context.database, { limit: 1 }))[0]?.delivery ?? {};
  await sendDue();
  await sendDue();
  expect(received).toHaveLength(1);
  const [{ method, url: path, headers, body } = nothingReceived] = received;
  expect([method, path, headers['content-type'], headers['webhook-id']]).toEqual([
    'POST',
    '/hook?shop=4',
    'application/json',
    id,
  ]);
  const signed = (key: string, extension: string, contentType: string) => {
    const expiresAt = service.context.now() + 3600_000;
    return service.context.objects.signedUrl(key, { expiresAt, filename: `${render.id}.${extension}`, contentType });
  };
  expect(new Webhook(service.account.webhook_secret).verify(body, headers as Record<string, string>)).toEqual({
    type: 'render.completed',
    timestamp: new Date(created_at ?? 0).toISOString(),
    data: {
      render_id: render.id,
      status: 'completed',
      callback_id: 'order 7',
      video_url: await signed(`videos/${render.id}.mp4`, 'mp4', 'video/mp4'),
      thumbnail_url: await signed(`thumbnails/${render.id}.jpg`, 'jpg', 'image/jpeg'),
      duration: 12.5,
      failure_code: null,
      failure_message: null,
    },
  });
  expect(await deliveries()).toEqual([{ status: 'delivered', attempts: [200] }]);
});

test('reports the reason of a failed render, without URLs', async () => {
  const { url, received } = await startReceiver();
  const failure = { failure_code: 'script_error', failure_message: 'index.html:3: x is not defined' };
  const nothing = { video_key: null, thumbnail_key: null, duration: null, callback_id: null };
  await service.end({ callback_url: url, status: 'failed', ...failure, ...nothing });
  await sendDue();
  const body = JSON.parse(received[0]?.body ?? '');
  expect(body.type).toBe('render.failed');
  expect(body.data).toEqual({
    render_id: body.data.render_id,
    status: 'failed',
    callback_id: null,
    video_url: null,
    thumbnail_url: null,
    duration: null,
    ...failure,
  });
});

test('sends nothing without a callback URL, for a running render, or after a rollback', async () => {
  const { url } = await startReceiver();
  const { database } = service.context;
  const render = await service.end({});
  await enqueueWebhook(database, { ...render, callback_url: url, status: 'rendering' }, 0);
  const rolledBack = database.transaction().execute(async (session) => {
    await enqueueWebhook(session, { ...render, callback_url: url }, 0);
    throw new Error('the worker was too late');
  });
  await expect(rolledBack).rejects.toThrow('too late');
  expect(await deliveries()).toEqual([]);
});

test('sends one webhook if the end is stored twice', async () => {
  const { url, received } = await startReceiver();
  const render = await service.end({ callback_url: url });
  await enqueueWebhook(service.context.database, render, service.context.now());
  await sendDue();
  expect(received).toHaveLength(1);
});

test('retries for a day with growing waits, the same ID, and new signatures and URLs', async () => {
  const { url, received } = await startReceiver(status(503));
  await service.end({ callback_url: url });
  const begun = service.context.now();
  const times: number[] = [];
  for (const wait of [0, ...webhookWaits]) {
    service.pass(wait);
    await sendDue();
    times.push(service.context.now());
  }
  expect(received).toHaveLength(webhookWaits.length + 1);
  expect(times.at(-1)).toBeLessThan(begun + 24 * 3600_000);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const { account } = service;
  received.forEach(({ headers, body }, index) => {
    const at = new Date(times[index] ?? 0);
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(at.getTime() / 1000)));
    const signature = new Webhook(account.webhook_secret).sign(String(headers['webhook-id']), at, body);
    expect(headers['webhook-signature']).toBe(signature);
    expect(JSON.parse(body).data.video_url).toContain(`expires=${Math.ceil(at.getTime() / 1000) + 3600}`);
    expect(JSON.parse(body).timestamp).toBe(new Date(begun).toISOString());
  });
  expect(await deliveries()).toEqual([{ status: 'failed', attempts: received.map(() => 503) }]);
  service.pass(48 * 3600_000);
  await sendDue();
  expect(received).toHaveLength(webhookWaits.length + 1);
});

test('sends nothing before a wait is over', async () => {
  const { url, received } = await startReceiver((response, index) => response.writeHead(index === 0 ? 500 : 204).end());
  await service.end({ callback_url: url });
  await sendDue();
  // Waits are shortened by up to a fifth.
  service.pass(3_900);
  await sendDue();
  expect(received).toHaveLength(1);
  service.pass(1_100);
  await sendDue();
  expect(received).toHaveLength(2);
  expect(await deliveries()).toEqual([{ status: 'delivered', attempts: [500, 204] }]);
});

test('accepts any 2xx, and retries everything else', async () => {
  const codes = [200, 201, 202, 204, 299, 304, 400, 401, 404, 429, 500];
  for (const code of codes)
    await service.end({ callback_url: (await startReceiver(status(code))).url, callback_id: `${code}` });
  await sendDue();
  const renders = await service.context.database.selectFrom('renders').select(['id', 'callback_id']).execute();
  const codeOf = new Map(renders.map(({ id, callback_id }) => [id, Number(callback_id)]));
  const found = await listDeliveries(service.context.database, { status: 'delivered', limit: 100 });
  const ended = found.map(({ delivery }) => codeOf.get(delivery.render_id));
  expect(ended.sort()).toEqual([200, 201, 202, 204, 299]);
  expect(await listDeliveries(service.context.database, { status: 'pending', limit: 100 })).toHaveLength(6);
});

test('stops retrying after 410', async () => {
  const { url, received } = await startReceiver(status(410));
  await service.end({ callback_url: url });
  await sendDue();
  service.pass(24 * 3600_000);
  await sendDue();
  expect(received).toHaveLength(1);
  expect(await deliveries()).toEqual([{ status: 'failed', attempts: [410] }]);
});

test('does not follow redirects', async () => {
  const elsewhere = await startReceiver();
  const codes = [301, 302, 303, 307, 308];
  const { url } = await startReceiver((response, index) =>
    response.writeHead(codes[index] ?? 0, { location: elsewhere.url }).end(),
  );
  for (const _ of codes) await service.end({ callback_url: url });
  await sendDue({ perTarget: codes.length });
  expect(elsewhere.received).toEqual([]);
  const refused = { status: 'pending', attempts: ['redirects are not followed'] };
  expect(await deliveries()).toEqual(codes.map(() => refused));
});

test('resends a failed delivery on request, with all retries', async () => {
  const { url, received } = await startReceiver((response, index) => response.writeHead(index === 0 ? 410 : 500).end());
  await service.end({ callback_url: url });
  await sendDue();
  service.pass(1);
  const { database } = service.context;
  const { id = '' } = (await listDeliveries(database, { status: 'failed', limit: 1 }))[0]?.delivery ?? {};
  expect(await redeliver(database, id, service.context.now())).toBe(true);
  await sendDue();
  service.pass(5_000);
  await sendDue();
  expect(received).toHaveLength(3);
  expect(await deliveries()).toEqual([{ status: 'pending', attempts: [410, 500, 500] }]);
  expect(await redeliver(database, 'whd_none', 0)).toBe(false);
});

test('logs neither the secret nor the target nor URLs', async () => {
  const { url } = await startReceiver();
  await service.end({ callback_url: `${url}?token=hush` });
  await service.end({ callback_url: 'http://127.0.0.1:1/?token=hush' });
  await service.context.database.updateTable('accounts').set({ webhook_secret: 'whsec_$$$' }).execute();
  await sendDue();
  await service.context.database
    .updateTable('accounts')
    .set({ webhook_secret: service.account.webhook_secret })
    .execute();
  service.pass(5_000);
  await sendDue();
  const log = service.logged.join('\n');
  expect(service.logged).toHaveLength(6);
  expect(log).not.toMatch(/hush|whsec|\$\$\$|signature|\/files\//);
  expect(log).not.toContain(service.account.webhook_secret.slice(6));
  expect(JSON.stringify(await listDeliveries(service.context.database, { limit: 9 }))).not.toContain('whsec');
});

test('sends new webhooks while it runs, and finishes them before it closes', async () => {
  let arrive = (): void => {};
  let release = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { url } = await startReceiver(async (response) => {
    arrive();
    await released;
    response.end();
  });
  const webhooks = await startWebhooks(service.context);
  await service.end({ callback_url: url });
  webhooks.wake();
  await arrived;
  const closed = webhooks.close();
  release();
  await closed;
  expect(await deliveries()).toEqual([{ status: 'delivered', attempts: [200] }]);
});
