// The examples of docs/webhooks.md accept what the service sends, and reject everything else.
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { webhookWaits } from '../../../../cloud/service/webhooks/webhookSchedule.ts';

type Read = (secret: string, headers: Record<string, string>, body: string) => unknown;

const text = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
const examples = [...text.matchAll(/```js\n(.*?)```/gs)]
  .map(([, code = '']) => code)
  .filter((code) => code.includes('readWebhook'));

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const body = JSON.stringify({ type: 'render.completed', data: { callback_id: 'Grüße' } });

function headersAt(at: number, key = secret): Record<string, string> {
  return {
    'webhook-id': 'whd_1',
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Webhook(key).sign('whd_1', new Date(at), body),
  };
}

/** Modules in data URLs cannot import packages. */
async function load(code: string): Promise<Read> {
  const linked = code.replace("'standardwebhooks'", `'${import.meta.resolve('standardwebhooks')}'`);
  return (await import(`data:text/javascript,${encodeURIComponent(linked)}`)).readWebhook;
}

test('has two examples', () => expect(examples).toHaveLength(2));

test.each([0, 1])('example %i accepts signed messages', async (index) => {
  const read = await load(examples[index] ?? '');
  expect(read(secret, headersAt(Date.now()), body)).toEqual(JSON.parse(body));
  const rotated = headersAt(Date.now());
  rotated['webhook-signature'] = `v1,${Buffer.alloc(32).toString('base64')} ${rotated['webhook-signature']}`;
  expect(read(secret, rotated, body)).toEqual(JSON.parse(body));
});

test.each([0, 1])('example %i rejects everything else', async (index) => {
  const read = await load(examples[index] ?? '');
  const headers = headersAt(Date.now());
  const other = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
  expect(() => read(secret, headers, `${body} `)).toThrow();
  expect(() => read(secret, headersAt(Date.now(), other), body)).toThrow();
  expect(() => read(secret, { ...headers, 'webhook-id': 'whd_2' }, body)).toThrow();
  expect(() => read(secret, { ...headers, 'webhook-signature': 'v1,' }, body)).toThrow();
  expect(() => read(secret, headersAt(Date.now() - 600_000), body)).toThrow();
});

test('lists the actual waits', () => {
  const units: Record<string, number> = { second: 1000, minute: 60_000, hour: 3_600_000 };
  const line = text.split('\n').find((one) => one.startsWith('5 seconds, ')) ?? '';
  const waits = line.split(', ').map((one) => {
    const [count, unit = ''] = one.split(' ');
    return Number(count) * (units[unit.replace(/s$/, '')] ?? 0);
  });
  expect(waits).toEqual(webhookWaits);
});
