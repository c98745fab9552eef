// Webhooks of the stack: the real template, rule, state machine and function, and a receiver.
import { setTimeout as wait } from 'node:timers/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deployed } from '../../../serverless/deploy/deploy.ts';
import type { OrderedRender } from '../../../serverless/renders/renderRequest.ts';
import { cancelRender } from '../../../serverless/renders/renders.ts';
import { startExecution } from '../../../serverless/renders/start.ts';
import { type Aws, startAws } from '../../aws/endpoint.ts';
import { lambdaMissing } from '../../aws/lambdaProgram.ts';
import { runProgram } from '../../support/program.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { deployHandler } from '../../support/servers/renderStack.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';
import { startReceiver } from '../../support/service/webhooks.ts';

/** Renders nothing. The composition decides how the render ends. */
const handler = `export const handler = async ({ step, input }) => {
  if (step === 'assemble') return { outputKey: input.outputKey, bytes: 5, frames: 60, durationSeconds: 2, times: {} };
  const { composition, ...config } = input.config;
  if (composition === 'bad.html') throw Object.assign(new Error('bad.html:3: no root'), { name: 'Framework.Refused' });
  if (composition === 'long.html') await new Promise((resolve) => setTimeout(resolve, 3000));
  return { task: input, planKey: 'plan', chunkCount: 0, chunks: [], chunksKey: '' };
};`;

const missing = cephMissing() ?? lambdaMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

describe.skipIf(missing !== undefined)('on AWS', () => {
  let ceph: CephAccount;
  const stacks: Aws[] = [];

  beforeAll(async () => {
    ceph = await openCeph();
  });
  afterAll(async () => {
    for (const aws of stacks) await aws.close();
  });

  async function deployed(functionEnv: Record<string, string>): Promise<{ aws: Aws; stack: Deployed }> {
    const aws = await startAws({ s3: ceph, functionEnv, retryWaitMs: 200 });
    stacks.push(aws);
    return { aws, stack: await deployHandler(aws, handler, 0, ['dist/lambda/webhook.mjs']) };
  }

  async function start(aws: Aws, stack: Deployed, order: Partial<OrderedRender>) {
    const client = new SFNClient({
      region: 'us-east-1',
      endpoint: String(aws.env.AWS_ENDPOINT_URL_SFN),
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    const { bucketName: bucket, stateMachineArn } = stack;
    const target = { bucket, siteId: '0123456789abcdef', stateMachineArn };
    return { client, ...(await startExecution(client, { config: {}, chunks: {}, ...order }, target)) };
  }

  /** The execution that sends the webhook of a render. */
  const sender = (aws: Aws, { executionArn }: { executionArn: string }) =>
    aws.stepFunctions.executions.find(
      ({ machine, input }) => machine.includes('WebhookStateMachine') && input.includes(executionArn),
    );

  /** It has ended. */
  async function sending(aws: Aws, render: { executionArn: string }) {
    const find = () => sender(aws, render);
    await expect.poll(find, { timeout: 20_000 }).toBeDefined();
    await find()?.done;
    return find();
  }

  describe('with a receiver', () => {
    let aws: Aws;
    let stack: Deployed;
    beforeAll(async () => {
      ({ aws, stack } = await deployed({ FRAMEWORK_PRIVATE_WEBHOOKS: '1' }));
    });

    test('sends the end of a render with a signed URL of its video', async () => {
      const receiver = await startReceiver((response) => response.writeHead(204).end());
      const Key = 'videos/ada.mp4';
      await aws.s3.send(new PutObjectCommand({ Bucket: stack.bucketName, Key, Body: 'video' }));
      const callback = { url: receiver.url, id: 'order-7' };
      const render = await start(aws, stack, { callback, outputKey: Key });
      expect((await sending(aws, render))?.status).toBe('SUCCEEDED');
      const [message] = receiver.received;
      const shown = await runProgram(['serverless', 'webhook-secret', '--json'], aws.env);
      const { secret } = JSON.parse(shown.stdout) as { secret: string };
      const body = new Webhook(secret).verify(message?.body ?? '', message?.headers as Record<string, string>);
      expect(body).toEqual({
        type: 'render.completed',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        data: {
          ...{ render_id: render.renderId, status: 'completed', callback_id: 'order-7' },
          ...{ video_url: expect.stringMatching(/^http/), thumbnail_url: null, duration: 2 },
          ...{ failure_code: null, failure_message: null },
        },
      });
      const { video_url } = (body as { data: { video_url: string } }).data;
      expect(await (await fetch(video_url)).text()).toBe('video');
    });

    test('sends the reason why a render failed, and tries again with the same ID', async () => {
      const receiver = await startReceiver((response, index) => response.writeHead(index < 2 ? 503 : 200).end());
      const order = { callback: { url: receiver.url }, config: { composition: 'bad.html' } };
      expect((await sending(aws, await start(aws, stack, order)))?.status).toBe('SUCCEEDED');
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(receiver.received.map(({ body }) => JSON.parse(body).data)).toEqual(
        Array(3).fill(
          expect.objectContaining({
            ...{ status: 'failed', callback_id: null, video_url: null, duration: null },
            ...{ failure_code: 'framework_project_invalid', failure_message: 'bad.html:3: no root' },
          }),
        ),
      );
    });

    test('sends that a render was cancelled', async () => {
      const receiver = await startReceiver((response) => response.writeHead(200).end());
      const render = await start(aws, stack, { callback: { url: receiver.url }, config: { composition: 'long.html' } });
      await cancelRender(render.client, render.executionArn);
      await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1);
      expect(JSON.parse(receiver.received[0]?.body ?? '').data).toMatchObject({ failure_code: 'render_cancelled' });
    });

    test('stops when the receiver is gone for good', async () => {
      const receiver = await startReceiver((response) => response.writeHead(410).end());
      const render = await start(aws, stack, { callback: { url: receiver.url } });
      expect(await sending(aws, render)).toMatchObject({ status: 'FAILED', error: 'Framework.Refused' });
      expect(receiver.received).toHaveLength(1);
    });

    test('sends nothing for a render without a callback', async () => {
      const render = await start(aws, stack, {});
      await aws.stepFunctions.executions.find(({ arn }) => arn === render.executionArn)?.done;
      await wait(500);
      expect(sender(aws, render)).toBeUndefined();
    });
  });

  test('calls no private addresses', async () => {
    const { aws, stack } = await deployed({});
    const receiver = await startReceiver((response) => response.writeHead(200).end());
    await start(aws, stack, { callback: { url: receiver.url } });
    await expect
      .poll(() => aws.lambda.invocations.filter(({ payload }) => 'executionArn' in payload).length, { timeout: 20_000 })
      .toBeGreaterThan(1);
    expect(receiver.received).toEqual([]);
  });
});
