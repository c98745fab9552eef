// A render of more than 40 chunks: the commands, the state machine and S3, with a function that renders nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBucket } from '../../../serverless/bucket.ts';
import { iamPolicies } from '../../../serverless/deploy/policies.ts';
import { keys } from '../../../serverless/keys.ts';
import type { Task } from '../../../serverless/renders/execution.ts';
import type { StoredPlan } from '../../../serverless/renders/storedRender.ts';
import { openChunkProgress } from '../../../serverless/steps/chunkProgress.ts';
import { storePlan } from '../../../serverless/steps/planStep.ts';
import { type Aws, startAws } from '../../aws/endpoint.ts';
import { isAllowed } from '../../aws/identity.ts';
import { failed, instantLambda, succeeded } from '../../aws/instantLambda.ts';
import type { Outcome } from '../../aws/lambdaSandbox.ts';
import { runProgram } from '../../support/program.ts';
import { composition, project } from '../../support/project.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { deployHandler } from '../../support/servers/renderStack.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';

const missing = cephMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

const times = { startedAt: 1, endedAt: 2, isCold: false, stages: {} };

/** 41 chunks of one frame. */
const plan = {
  plan: { frames: 41, chunks: Array.from({ length: 41 }, (_, index) => ({ index, start: index, end: index + 1 })) },
  capture: { path: 'paint', reason: 'test' },
  ...{ siteId: 's', codeVersion: 'c', warnings: [], network: 'public', times },
} as unknown as StoredPlan;

describe.skipIf(missing !== undefined)('a render of 41 chunks', () => {
  let ceph: CephAccount;
  let aws: Aws;
  let bucketName = '';
  /** Its worker is killed. */
  let killed: number | undefined;
  const rendered: number[] = [];

  async function answer(task: Task): Promise<Outcome> {
    const bucket = openBucket(aws.s3, bucketName);
    const { renderId, outputKey } = task.input;
    if (task.step === 'plan') {
      const { config: _config, chunks: _chunks, ...rest } = task.input;
      return succeeded(await storePlan(bucket, rest, plan));
    }
    if (task.step === 'assemble')
      return succeeded({ outputKey, bytes: 5, frames: 41, durationSeconds: 41 / 30, times });
    const { index } = task;
    const log = { group: '/aws/lambda/render', stream: `stream-${index}`, requestId: `request-${index}` };
    const chunk = { index, frames: 1 };
    const worker = { memoryMb: 2048, log };
    const progress = await openChunkProgress(keys.progress(renderId, index), chunk, {
      store: bucket,
      worker,
      now: Date.now,
    });
    if (index === killed) return failed('Runtime.ExitError', `RequestId: request-${index} Error: signal: killed`);
    rendered.push(index);
    await progress.end(times);
    return succeeded({ index, frames: 1, bytes: 1, elapsedMs: 1, isReused: false });
  }

  beforeAll(async () => {
    ceph = await openCeph();
    aws = await startAws({ s3: ceph, retryWaitMs: 5, lambda: instantLambda(answer) });
    ({ bucketName } = await deployHandler(aws, ''));
  });
  afterAll(async () => {
    await aws?.close();
  });

  const framework = (...args: string[]) => runProgram(['serverless', ...args], aws.env);

  const render = () =>
    framework('render', project(composition('<p>Hello</p>')), '--wait', '--json', '--progress', 'none');

  test('names the chunk of a killed worker, its log and a remedy, and continues with the other chunks', async () => {
    killed = 7;
    const { status, stdout } = await render();
    expect(status).toBe(1);
    const { renderId, errors } = JSON.parse(stdout);
    expect(errors).toEqual([
      {
        state: 'RenderChunk 7',
        error: 'Runtime.ExitError',
        cause: expect.stringContaining('Deploy workers with more memory: framework serverless deploy --memory 4096'),
        log: { group: '/aws/lambda/render', stream: 'stream-7', requestId: 'request-7' },
      },
    ]);
    const { render: policy } = iamPolicies();
    const read = aws.requests.filter(({ action }) => /states:(?:List|Describe)/.test(action));
    expect(read.map(({ action }) => action)).toContain('states:ListMapRuns');
    for (const { action, resource } of read)
      expect({ action, resource, isAllowed: await isAllowed(action, resource, [policy]) }).toMatchObject({
        isAllowed: true,
      });
    killed = undefined;
    rendered.length = 0;
    const resumed = await framework('resume', renderId, '--wait', '--json', '--progress', 'none');
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'SUCCEEDED', chunks: { done: 41, total: 41 } });
    expect(rendered).toContain(7);
  });
});
