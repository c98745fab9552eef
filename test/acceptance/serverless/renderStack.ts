// The render stack on the AWS doubles. Its function plans two chunks and renders nothing.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { ExecutionInput } from '../../../serverless/renders/execution.ts';
import { type Aws, startAws, type Trouble } from '../../aws/endpoint.ts';
import { failed, instantLambda, succeeded } from '../../aws/instantLambda.ts';
import type { Outcome } from '../../aws/lambdaSandbox.ts';
import { type CephAccount, cephMissing } from '../../support/servers/ceph.ts';
import { deployHandler, planOf } from '../../support/servers/renderStack.ts';
import { openCeph } from '../../support/servers/sharedCeph.ts';
import type { Check } from '../acceptance.ts';

export const missing = cephMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

type Payload = { step: string; input: ExecutionInput; index?: number };

/** Plans two chunks. The output keys `refused…` and `stuck…` make a render fail, or wait for a worker. */
function answer({ step, input, index = 0 }: Payload): Outcome | 'throttled' {
  const { config: _config, chunks: _chunks, ...task } = input;
  const { outputKey } = task;
  if (outputKey.startsWith('stuck')) return 'throttled';
  if (outputKey.startsWith('refused')) return failed('Framework.Refused', 'index.html:3: this page cannot be rendered');
  const times = { startedAt: 0, endedAt: 0, isCold: true, stages: {} };
  const results: Record<string, object> = {
    plan: planOf(task, 'plan.json', 2),
    renderChunk: { index, frames: 15, bytes: 1, elapsedMs: 1, isReused: false },
    assemble: { outputKey, bytes: 1234, frames: 30, durationSeconds: 1, times },
  };
  return succeeded(results[step]);
}

export type RenderStack = {
  env(): Record<string, string>;
  aws(): Aws;
  bucket(): string;
  stateMachine(): string;
  /** The steps before this one, back to the last one of this kind, have sent no request to AWS. */
  sendsNothing: Check;
  /** They have started these executions, sorted by output key. Only the given fields of the inputs are compared. */
  starts(...inputs: object[]): Check;
  /** They have sent this number of requests with the action and a resource that matches. */
  sends(action: string, resource: RegExp, count: number): Check;
};

/** Starts it before the tests of a file. `trouble`: how AWS answers a start. */
export function renderStack(trouble: (input: ExecutionInput) => Trouble | undefined = () => undefined): RenderStack {
  let ceph: CephAccount;
  let aws: Aws;
  let deployed: Awaited<ReturnType<typeof deployHandler>>;
  let since = { requests: 0, executions: 0 };
  const forget = () => {
    since = { requests: aws.requests.length, executions: aws.stepFunctions.executions.length };
  };
  beforeAll(async () => {
    if (missing !== undefined) return;
    ceph = await openCeph();
    aws = await startAws({
      s3: ceph,
      retryWaitMs: 2000,
      lambda: instantLambda(answer),
      trouble: ({ action }, { input }) =>
        action === 'states:StartExecution' ? trouble(JSON.parse(String(input)) as ExecutionInput) : undefined,
    });
    deployed = await deployHandler(aws, '');
  });
  afterAll(async () => {
    // Some wait for workers.
    for (const { abort } of aws?.stepFunctions.executions ?? []) abort();
    await aws?.close();
  });
  beforeEach(forget);
  return {
    env: () => aws.env,
    aws: () => aws,
    bucket: () => deployed.bucketName,
    stateMachine: () => deployed.stateMachineArn,
    sendsNothing() {
      expect(aws.requests.slice(since.requests)).toEqual([]);
      forget();
    },
    starts:
      (...inputs) =>
      () => {
        const started = aws.stepFunctions.executions.slice(since.executions).map(({ input }) => JSON.parse(input));
        started.sort((one, other) => (one.outputKey < other.outputKey ? -1 : 1));
        expect(started).toMatchObject(inputs);
        forget();
      },
    sends: (action, resource, count) => () => {
      const sent = aws.requests.slice(since.requests);
      expect(sent.filter((one) => one.action === action && resource.test(one.resource))).toHaveLength(count);
    },
  };
}
