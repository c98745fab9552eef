// The test video of a deployment: which check it says has failed. What it measures on the real renderer is in endToEnd.test.ts.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBucket } from '../../../serverless/bucket.ts';
import { runCanary } from '../../../serverless/deploy/canary.ts';
import { keys } from '../../../serverless/keys.ts';
import type { ExecutionInput } from '../../../serverless/renders/execution.ts';
import { type Aws, startAws } from '../../aws/endpoint.ts';
import { failed, instantLambda, succeeded } from '../../aws/instantLambda.ts';
import type { Outcome } from '../../aws/lambdaSandbox.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { deployHandler, planOf } from '../../support/servers/renderStack.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';

const missing = cephMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

type Step = 'plan' | 'renderChunk' | 'assemble';
type Payload = { step: Step; input: ExecutionInput; index: number };

describe.skipIf(missing !== undefined)('the test video', () => {
  let ceph: CephAccount;
  let aws: Aws;
  let client: SFNClient;
  let bucketName: string;
  let stateMachineArn: string;
  /** How each step ends; without an entry, it succeeds. */
  let faults: Partial<Record<Step, Outcome | 'throttled'>> = {};
  let fonts: object[] | null = null;
  let bytes = 116_000;

  const write = (Key: string, content: unknown) =>
    aws.s3.send(new PutObjectCommand({ Bucket: bucketName, Key, Body: JSON.stringify(content) }));

  async function answer({ step, input, index }: Payload): Promise<Outcome | 'throttled'> {
    const fault = faults[step];
    if (fault !== undefined) return fault;
    const { renderId, outputKey } = input;
    const times = { startedAt: 0, endedAt: 0, isCold: true, stages: {} };
    if (step === 'assemble') {
      await write(keys.report(renderId), { fonts, warnings: [] });
      return succeeded({ outputKey, bytes, frames: 30, durationSeconds: 1, times });
    }
    return succeeded(step === 'plan' ? planOf(input, 'p', 2) : { index });
  }

  beforeAll(async () => {
    ceph = await openCeph();
    aws = await startAws({ s3: ceph, retryWaitMs: 5, lambda: instantLambda(answer) });
    ({ bucketName, stateMachineArn } = await deployHandler(aws, ''));
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    client = new SFNClient({ region: 'us-east-1', endpoint: String(aws.env.AWS_ENDPOINT_URL_SFN), credentials });
  });
  afterAll(async () => {
    client?.destroy();
    for (const { abort } of aws?.stepFunctions.executions ?? []) abort();
    await aws?.close();
  });

  const render = async (given: typeof faults, { name = bucketName, signal = new AbortController().signal } = {}) => {
    faults = given;
    let time = 0;
    const now = () => (time += 20_000);
    const options = { client, stateMachineArn, memoryMb: 4096, chunksAtOnce: 40, now, pollMs: 20, signal };
    return runCanary({ ...options, bucket: openBucket(aws.s3, name) });
  };

  test.each<[check: string, given: typeof faults, message: string, hint: RegExp]>([
    [
      'browser',
      { plan: failed('browser_failed', 'The browser does not start') },
      'Plan: browser_failed: The browser does not start',
      /--memory 8192/,
    ],
    [
      'ffmpeg',
      { renderChunk: failed('ffmpeg_failed', 'ffmpeg ended with the exit code 1') },
      'RenderChunk: ffmpeg_failed: ffmpeg ended with the exit code 1',
      /Install this version of framework again/,
    ],
    [
      'ffmpeg',
      { plan: failed('Framework.Refused', 'none of the ffmpeg programs on this machine can be used') },
      'Plan: Framework.Refused: none of the ffmpeg programs on this machine can be used',
      /Install/,
    ],
    [
      'storage',
      { plan: failed('AccessDenied', 'User is not authorized to perform: s3:GetObject') },
      'Plan: AccessDenied: User is not authorized to perform: s3:GetObject',
      /no policy of your organization/,
    ],
    [
      'workflow',
      { assemble: failed('Sandbox.Timedout', 'Task timed out after 900.00 seconds') },
      'Assemble: Sandbox.Timedout: Task timed out after 900.00 seconds',
      /framework serverless quotas/,
    ],
    [
      'workflow',
      { plan: 'throttled' },
      'The test video was not ready after 300 s, and was cancelled',
      /framework serverless quotas/,
    ],
    ['fonts', {}, 'The text was not drawn with the font Inter', /Install/],
  ])('says that the %s failed', async (check, given, message, hint) => {
    fonts = null;
    expect(await render(given)).toEqual({
      ok: false,
      check,
      message,
      hint: expect.stringMatching(hint),
      renderId: expect.stringMatching(/^r-/),
    });
    expect(await openBucket(aws.s3, bucketName).size(keys.canary)).toBeUndefined();
  });

  test('says that the frames show nothing', async () => {
    bytes = 4041;
    expect(await render({})).toMatchObject({
      ok: false,
      check: 'browser',
      message: 'The frames show nothing: the video has 4041 bytes',
    });
    bytes = 116_000;
  });

  test('says that the upload failed, and starts no render', async () => {
    expect(await render({}, { name: 'no-such-bucket' })).toMatchObject({
      ok: false,
      check: 'upload',
      message: expect.stringContaining('NoSuchBucket'),
      renderId: null,
    });
  });

  test('stops waiting on request', async () => {
    const signal = AbortSignal.abort();
    await expect(render({ plan: 'throttled' }, { signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('stores what it has measured', async () => {
    fonts = [{ family: 'Inter', weights: ['700'], source: 'pinned', substitute: null }];
    const canary = await render({});
    expect(canary).toMatchObject({ ok: true, measured: { memoryMb: 4096, chunksAtOnce: 40 } });
    expect(await openBucket(aws.s3, bucketName).getJson(keys.canary)).toEqual(canary.ok && canary.measured);
  });
});
