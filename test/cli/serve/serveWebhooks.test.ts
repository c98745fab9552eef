// `framework serve webhooks`: lists deliveries with their attempts, and redelivers one.
import { expect, test } from 'vitest';
import { listDeliveries } from '../../../cloud/service/webhooks/webhookDeliveries.ts';
import { createWebhookSender } from '../../../cloud/service/webhooks/webhookSender.ts';
import { closedAddress } from '../../cloud/client/httpServer.ts';
import { startReceiver, webhookService } from '../../support/service/webhooks.ts';
import { cli } from '../cli.ts';

/** A service with one delivered webhook, one rejected, and one whose receiver is not running. */
async function serviceWithWebhooks() {
  const service = await webhookService();
  const receiver = await startReceiver((response, index) => response.writeHead(index === 0 ? 200 : 410).end());
  const closed = await closedAddress();
  const renders: string[] = [];
  for (const url of [`${receiver.url}?token=hush`, receiver.url, `${closed}/`]) {
    renders.push((await service.end({ callback_url: url })).id);
    const sender = createWebhookSender(service.context);
    await sender.sendDue();
    await sender.idle();
    service.pass(1000);
  }
  const run = (...args: string[]) => cli(['serve', 'webhooks', '--data', service.context.settings.dataDir, ...args]);
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  return { service, renders, run, json, closed, receiver };
}

test('lists deliveries, newest first, with every attempt', async () => {
  const { run, renders, closed, receiver } = await serviceWithWebhooks();
  const { stdout } = await run();
  const blocks = stdout.split('\n\n');
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
  const [unreachable = '', rejected = '', delivered = ''] = blocks;
  expect(unreachable).toMatch(
    new RegExp(
      `^… whd_\\S+  pending  render.completed  ${renders[2]}\n    ${closed}/\n` +
        `    ${time}  connect ECONNREFUSED ${closed.replace('http://', '')}  \\d+ ms\n    1 attempt, next attempt at ${time}$`,
    ),
  );
  expect(rejected).toMatch(new RegExp(`  failed  .*${renders[1]}\n.*\n    ${time}  410  \\d+ ms\n    1 attempt$`));
  expect(delivered).toContain(`✔`);
  expect(delivered).toContain(`    ${receiver.url}?…\n`);
  expect(stdout).not.toContain('hush');
});

test('filters by render and status', async () => {
  const { json, renders, run } = await serviceWithWebhooks();
  const rendersOf = async (...args: string[]) =>
    (await json(...args)).data.map(({ render_id }: { render_id: string }) => renders.indexOf(render_id));
  expect(await rendersOf()).toEqual([2, 1, 0]);
  expect(await rendersOf('--limit', '2')).toEqual([2, 1]);
  expect(await rendersOf('--status', 'failed')).toEqual([1]);
  expect(await rendersOf('--render', renders[0] ?? '')).toEqual([0]);
  expect((await run('--render', 'rnd_none')).stdout).toBe('No webhook deliveries.\n');
  expect((await run('--status', 'lost')).status).toBe(2);
});

test('prints JSON', async () => {
  const { json, renders, receiver } = await serviceWithWebhooks();
  const iso = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(await json('--status', 'delivered')).toEqual({
    data: [
      {
        id: expect.stringMatching(/^whd_/),
        render_id: renders[0],
        type: 'render.completed',
        status: 'delivered',
        url: `${receiver.url}?…`,
        created_at: iso,
        next_attempt_at: null,
        attempts: [{ at: iso, status_code: 200, error: null, duration_ms: expect.any(Number) }],
      },
    ],
  });
});

test('queues a delivery again', async () => {
  const { service, run, json } = await serviceWithWebhooks();
  const { id } = (await json('--status', 'failed')).data[0];
  const { status, stdout } = await run('--redeliver', id);
  expect([status, stdout]).toEqual([0, `${id} is queued: the service sends it now, or when it starts.\n`]);
  const { delivery } = (await listDeliveries(service.context.database, { limit: 9 })).find(
    (one) => one.delivery.id === id,
  ) ?? { delivery: undefined };
  expect(delivery).toMatchObject({ status: 'pending', attempts: 0 });
  expect(delivery?.next_attempt_at).toBeLessThanOrEqual(Date.now());
});

test('rejects an unknown delivery id', async () => {
  const { run } = await serviceWithWebhooks();
  const { status, stderr } = await run('--redeliver', 'whd_none');
  expect([status, stderr]).toEqual([2, expect.stringContaining('there is no webhook delivery whd_none')]);
});
