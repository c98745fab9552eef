// The webhook at the end of a render: what is sent, when nothing is sent, and which events start it.
import { SFNClient } from '@aws-sdk/client-sfn';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { Bucket } from '../../../serverless/bucket.ts';
import { checkOrder, executionInput, type OrderedRender } from '../../../serverless/renders/renderRequest.ts';
import { webhookBody, webhookOf } from '../../../serverless/webhooks/webhook.ts';
import { endedRenders, webhookMachineDefinition } from '../../../serverless/webhooks/webhookMachine.ts';
import { matches, startEvents } from '../../aws/events.ts';

const secret = `whsec_${'a'.repeat(32)}`;
const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:RenderStateMachine-1:r-1';
const endedAt = '2026-11-24T10:00:00.000Z';

/** Step Functions and S3 with this execution. */
const placeOf = (execution: object) => ({
  client: Object.assign(new SFNClient({ region: 'us-east-1' }), {
    send: async ({ constructor: { name } }: object) =>
      name === 'DescribeExecutionCommand' ? { executionArn, ...execution } : { events: [] },
  }),
  open: () =>
    ({
      list: async () => [],
      getJson: async () => undefined,
      signedUrl: async (key: string) => `https://bucket.example/${key}?signature=1`,
    }) as unknown as Bucket,
  secret: async () => secret,
  now: () => Date.parse('2026-11-24T10:00:05.700Z'),
});

const callback = { url: 'https://example.com/hook', id: 'order-7' };
const inputOf = (extra: object) =>
  JSON.stringify({ renderId: 'r-1', bucket: 'b', outputKey: 'renders/r-1.mp4', config: {}, ...extra });
const succeeded = {
  status: 'SUCCEEDED',
  stopDate: new Date(endedAt),
  output: JSON.stringify({ outputKey: 'renders/r-1.mp4', bytes: 9, durationSeconds: 2.5 }),
};
const task = { id: 'event-1', executionArn, status: 'SUCCEEDED' };

describe('webhookOf', () => {
  test('signs the body of the hosted service', async () => {
    const message = await webhookOf(task, placeOf({ ...succeeded, input: inputOf({ callback }) }));
    expect(message).toMatchObject({
      url: 'https://example.com/hook',
      headers: { 'webhook-id': 'event-1', 'webhook-timestamp': '1795514405' },
    });
    expect(JSON.parse(message?.body ?? '')).toEqual({
      type: 'render.completed',
      timestamp: endedAt,
      data: {
        render_id: 'r-1',
        status: 'completed',
        callback_id: 'order-7',
        video_url: 'https://bucket.example/renders/r-1.mp4?signature=1',
        thumbnail_url: null,
        duration: 2.5,
        failure_code: null,
        failure_message: null,
      },
    });
    const { body = '', headers = {} } = message ?? {};
    const expected = new Webhook(secret).sign('event-1', new Date(1795514405_000), body);
    expect(headers['webhook-signature']).toBe(expected);
  });

  test('sends nothing for a render without a callback', async () => {
    expect(await webhookOf(task, placeOf({ ...succeeded, input: inputOf({}) }))).toBeUndefined();
  });

  test('sends nothing about the failure of a render that was resumed meanwhile', async () => {
    const place = placeOf({ status: 'RUNNING', input: inputOf({ callback }) });
    expect(await webhookOf({ ...task, status: 'FAILED' }, place)).toBeUndefined();
  });
});

test.each([
  [
    'FAILED',
    [{ error: 'Framework.Refused', cause: 'index.html:3: bad' }],
    'framework_project_invalid',
    'index.html:3: bad',
  ],
  ['FAILED', [{ error: 'States.TaskFailed', cause: 'boom' }], 'internal_error', 'boom'],
  ['TIMED_OUT', [{ error: 'States.Timeout', cause: 'too slow' }], 'render_timeout', 'too slow'],
  [
    'ABORTED',
    [{ error: 'Cancelled', cause: 'The render was cancelled.' }],
    'render_cancelled',
    'The render was cancelled.',
  ],
] as const)('a render with the status %s and %j fails with %s', (status, errors, code, message) => {
  const all = errors.map((error) => ({ state: 'Plan', ...error, log: null }));
  const body = webhookBody(
    { renderId: 'r-1', status, endedAt, outputFile: null, errors: all as never },
    { callbackId: null, durationSeconds: null },
  );
  expect(body).toEqual({
    type: 'render.failed',
    timestamp: endedAt,
    data: {
      ...{
        render_id: 'r-1',
        status: 'failed',
        callback_id: null,
        video_url: null,
        thumbnail_url: null,
        duration: null,
      },
      ...{ failure_code: code, failure_message: message },
    },
  });
});

test('attempts are repeated for almost a day', () => {
  const [, { IntervalSeconds, BackoffRate, MaxDelaySeconds, MaxAttempts }] = webhookMachineDefinition.States.Send
    .Retry as [unknown, { IntervalSeconds: number; BackoffRate: number; MaxDelaySeconds: number; MaxAttempts: number }];
  const waits = Array.from({ length: MaxAttempts }, (_, at) =>
    Math.min(MaxDelaySeconds, IntervalSeconds * BackoffRate ** at),
  );
  const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3600;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThan(24);
});

describe('events', () => {
  const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:RenderStateMachine-1';
  const started = (extra: object): number => {
    const starts: string[] = [];
    const events = startEvents((arn) => starts.push(arn));
    void events.provider.put('rule', { EventPattern: endedRenders(machine), Targets: [{ Arn: 'webhooks' }] });
    events.ended({ arn: executionArn, name: 'r-1', machine, status: 'FAILED', input: '{}', startDate: 0, ...extra });
    return starts.length;
  };
  const input = (order: Partial<OrderedRender>) =>
    JSON.stringify(
      executionInput(
        { config: {}, chunks: {}, ...order },
        { renderId: 'r-1', bucket: 'b', siteId: '0123456789abcdef' },
      ),
    );

  test.each([
    'SUCCEEDED',
    'FAILED',
    'TIMED_OUT',
    'ABORTED',
  ])('start the webhook of a render that ends as %s', (status) => {
    expect(started({ status, input: input({ callback }) })).toBe(1);
  });

  test('of renders without a callback start nothing', () => {
    expect(started({ input: input({}) })).toBe(0);
  });

  test('of other state machines start nothing', () => {
    expect(started({ input: input({ callback }), machine: `${machine}0` })).toBe(0);
  });

  test('start the webhook of a render whose input is too large for an event', () => {
    const title = 'x'.repeat(255_000);
    expect(started({ input: input({ callback, config: { variables: { title } } }) })).toBe(1);
  });

  test('match values, null and wildcards as EventBridge does', () => {
    expect(matches({ a: [{ wildcard: 'x*z' }, null] }, { a: 'x.\nz' })).toBe(true);
    expect(matches({ a: [{ wildcard: 'x*z' }, null] }, { a: null })).toBe(true);
    expect(matches({ a: [{ wildcard: 'x*z' }, null] }, { a: 'xy' })).toBe(false);
  });
});

describe('the callback of an order', () => {
  const check = (wanted: OrderedRender['callback']) => () => checkOrder({ config: {}, chunks: {}, callback: wanted });

  test('is part of the input', () => {
    const order = { config: {}, chunks: {}, callback };
    expect(executionInput(order, { renderId: 'r', bucket: 'b', siteId: 's' }).callback).toEqual(callback);
  });

  test.each([
    [{ url: 'http://example.com' }, '--callback-url must be an https URL (got "http://example.com")'],
    [{ url: 'http://127.0.0.1:9000/' }, '--callback-url must be an https URL (got "http://127.0.0.1:9000/")'],
    [{ url: 'order' }, '--callback-url must be an https URL (got "order")'],
    [{ id: 'order-7' }, '--callback-id needs --callback-url'],
    [{ url: 'https://example.com', id: 'a\nb' }, '--callback-id must be one line of 1 to 255 characters'],
    [{ url: 'https://example.com', id: 'x'.repeat(256) }, '--callback-id must be one line of 1 to 255 characters'],
  ])('%j is refused', (wanted, message) => {
    expect(check(wanted)).toThrow(message);
  });
});
