// The state machine with a function that records its tasks: retries, errors, lost and duplicate tasks.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { stateMachineDefinition } from '../../../serverless/deploy/stateMachine.ts';
import { type Disturbance, type LambdaDouble, startLambda } from '../../aws/lambda.ts';
import { type StepFunctionsDouble, startStepFunctions } from '../../aws/stepFunctions.ts';
import { temporaryFolder } from '../../support/project.ts';

const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:render';

/** Plans three chunks, or 41 of a long video; refuses when the output is called so. */
const handler = `
export const handler = async ({ step, input, index }) => {
  if (input.outputKey === 'refused.mp4') throw Object.assign(new Error('index.html:3: no'), { name: 'Framework.Refused' });
  if (input.outputKey === 'broken.mp4' && index === 1) throw new Error('the browser died');
  if (step === 'plan') {
    const { config, chunks, ...task } = input;
    const plan = { task, planKey: 'plan.json', chunksKey: 'chunks.json' };
    if (input.outputKey.startsWith('long')) return { ...plan, chunkCount: 41, chunks: [] };
    return { ...plan, chunkCount: 3, chunks: [{ index: 0 }, { index: 1 }, { index: 2 }] };
  }
  if (!input.outputKey.startsWith('long') || index === 7) await new Promise((done) => setTimeout(done, 300));
  if (step === 'renderChunk') return { index, frames: 10, bytes: 1, elapsedMs: 5, isReused: false };
  return { outputKey: input.outputKey, bytes: 3, frames: 30, durationSeconds: 1, times: null };
};`;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function started(
  disturb?: (payload: Record<string, unknown>, attempt: number) => Disturbance | undefined,
  waits: { retryWaitMs?: number } = { retryWaitMs: 50 },
): Promise<{ lambda: LambdaDouble; states: StepFunctionsDouble }> {
  const code = join(temporaryFolder(), 'code');
  mkdirSync(code);
  writeFileSync(join(code, 'handler.mjs'), handler);
  const lambda = await startLambda(disturb ? { disturb } : {});
  open.push(lambda);
  await lambda.put('render', {
    code,
    handler: 'handler.handler',
    memoryMb: 2048,
    diskMb: 512,
    timeoutSeconds: 30,
    concurrency: undefined,
    env: {},
  });
  const readObject = async (bucket: string, key: string) => {
    if (key !== 'chunks.json') throw new Error(`no ${key} in ${bucket}`);
    return JSON.stringify(Array.from({ length: 41 }, (_, index) => ({ index })));
  };
  const states = await startStepFunctions({ lambda, readObject, ...waits });
  open.push(states);
  const definition = JSON.stringify(stateMachineDefinition(5)).replaceAll(/\$\{RenderFunctionArn\}/g, 'render');
  states.put(machine, JSON.parse(definition) as Record<string, unknown>);
  return { lambda, states };
}

async function run(states: StepFunctionsDouble, outputKey = 'out.mp4'): Promise<Record<string, unknown>> {
  const input = { version: 1, renderId: 'r1', bucket: 'b', siteId: 's', outputKey, config: {}, chunks: {} };
  const { executionArn } = states.call('StartExecution', {
    stateMachineArn: machine,
    name: 'r1',
    input: JSON.stringify(input),
  });
  await ended(states, executionArn);
  return states.call('DescribeExecution', { executionArn });
}

const ended = async ({ executions }: StepFunctionsDouble, executionArn: unknown): Promise<void> =>
  executions.find(({ arn }) => arn === executionArn)?.done;

/** The executions of the chunks by their status. */
function chunkStatuses(states: StepFunctionsDouble, executionArn: unknown): Record<string, number> {
  const { mapRuns } = states.call('ListMapRuns', { executionArn }) as { mapRuns: { mapRunArn: string }[] };
  expect(mapRuns.map(({ mapRunArn }) => mapRunArn)).toEqual([
    expect.stringMatching(/^arn:aws:states:us-east-1:000000000000:mapRun:render\/Chunks:/),
  ]);
  const { executions } = states.call('ListExecutions', { mapRunArn: mapRuns[0]?.mapRunArn }) as {
    executions: { status: string }[];
  };
  const counts: Record<string, number> = {};
  for (const { status } of executions) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const steps = ({ invocations }: LambdaDouble): string[] =>
  invocations.map(({ payload }) => `${payload.step}${payload.index === undefined ? '' : ` ${payload.index}`}`);

describe('the state machine', () => {
  test('plans, renders each chunk once, and assembles them', async () => {
    const { lambda, states } = await started();
    const { status, output } = await run(states);
    expect({ status, output: JSON.parse(String(output)) }).toEqual({
      status: 'SUCCEEDED',
      output: { outputKey: 'out.mp4', bytes: 3, frames: 30, durationSeconds: 1, times: null },
    });
    expect(steps(lambda).sort()).toEqual(['assemble', 'plan', 'renderChunk 0', 'renderChunk 1', 'renderChunk 2']);
  });

  test('reports an error of the project without a retry', async () => {
    const { lambda, states } = await started();
    const { status, error, cause } = await run(states, 'refused.mp4');
    expect({ status, error }).toEqual({ status: 'FAILED', error: 'Framework.Refused' });
    expect(cause).toContain('index.html:3: no');
    expect(steps(lambda)).toEqual(['plan']);
  });

  test('attempts a failing chunk three times', async () => {
    const { lambda, states } = await started();
    const { status, cause } = await run(states, 'broken.mp4');
    expect(status).toBe('FAILED');
    expect(cause).toContain('the browser died');
    expect(steps(lambda).filter((step) => step === 'renderChunk 1')).toHaveLength(3);
  });

  test('survives a lost worker, throttling and a duplicate delivery', async () => {
    const { lambda, states } = await started(({ step, index }, attempt) => {
      if (step !== 'renderChunk') return undefined;
      if (index === 0) return attempt === 0 ? { killAfterMs: 100 } : undefined;
      if (index === 1) return attempt < 4 ? 'throttle' : undefined;
      return 'twice';
    });
    const { status } = await run(states);
    expect(status).toBe('SUCCEEDED');
    const outcomes = (index: number) =>
      lambda.invocations.filter(({ payload }) => payload.index === index).map(({ outcome }) => outcome);
    expect(outcomes(0)).toEqual(['failed', 'done']);
    expect(outcomes(1)).toEqual(['throttled', 'throttled', 'throttled', 'throttled', 'done']);
  });

  test('retries a throttled chunk for six seconds with growing delays', async () => {
    const begin = Date.now();
    const { lambda, states } = await started(
      ({ index }) => (index === 1 && Date.now() - begin < 6_000 ? 'throttle' : undefined),
      {},
    );
    const { status } = await run(states);
    expect(status).toBe('SUCCEEDED');
    const outcomes = lambda.invocations.filter(({ payload }) => payload.index === 1).map(({ outcome }) => outcome);
    expect(outcomes.at(-1)).toBe('done');
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    // The delays grow, so there are few attempts.
    expect(outcomes.length).toBeLessThan(20);
    expect(outcomes.length).toBeGreaterThan(2);
  });

  test('continues at the step that failed, without repeating the others', async () => {
    const { lambda, states } = await started(({ step }, attempt) =>
      step === 'assemble' && attempt < 3 ? { killAfterMs: 50 } : undefined,
    );
    const { executionArn, status } = await run(states);
    expect(status).toBe('FAILED');
    const before = steps(lambda).length;
    states.call('RedriveExecution', { executionArn });
    await ended(states, executionArn);
    expect(states.call('DescribeExecution', { executionArn }).status).toBe('SUCCEEDED');
    expect(steps(lambda).slice(before)).toEqual(['assemble']);
  });

  test('renders more than 40 chunks as executions of their own, five at the same time', async () => {
    const { lambda, states } = await started();
    const { executionArn, status, output } = await run(states, 'long.mp4');
    expect({ status, output: JSON.parse(String(output)) }).toMatchObject({ status: 'SUCCEEDED', output: { bytes: 3 } });
    expect(new Set(steps(lambda)).size).toBe(43);
    expect(steps(lambda)).toHaveLength(43);
    expect(chunkStatuses(states, executionArn)).toEqual({ SUCCEEDED: 41 });
    // Lists of renders do not contain the chunks.
    const { executions } = states.call('ListExecutions', { stateMachineArn: machine });
    expect(executions).toEqual([expect.objectContaining({ name: 'r1' })]);
  });

  test('ends a render of many chunks when one fails, and continues with the chunks that have not succeeded', async () => {
    let isBroken = true;
    const { lambda, states } = await started(({ index }) =>
      index === 7 && isBroken ? { killAfterMs: 50 } : undefined,
    );
    const { executionArn, status, error } = await run(states, 'long.mp4');
    expect({ status, error }).toEqual({ status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' });
    expect(chunkStatuses(states, executionArn)).toMatchObject({ FAILED: 1, SUCCEEDED: expect.any(Number) });
    const done = new Set(
      lambda.invocations.flatMap(({ payload, outcome }) => (outcome === 'done' ? payload.index : [])),
    );
    const before = steps(lambda).length;
    isBroken = false;
    states.call('RedriveExecution', { executionArn });
    await ended(states, executionArn);
    expect(states.call('DescribeExecution', { executionArn }).status).toBe('SUCCEEDED');
    expect(chunkStatuses(states, executionArn)).toEqual({ SUCCEEDED: 41 });
    const again = steps(lambda).slice(before);
    expect(again).toContain('renderChunk 7');
    expect(again.filter((step) => step.startsWith('plan'))).toEqual([]);
    // Chunks that were running when the render failed may have ended later, and are repeated.
    expect(again.filter((step) => done.has(Number(step.split(' ')[1]))).length).toBeLessThan(5);
  });

  test('stops all chunks of a render that is cancelled', async () => {
    const { states } = await started(({ step }) => (step === 'renderChunk' ? 'throttle' : undefined));
    const input = JSON.stringify({ bucket: 'b', outputKey: 'long.mp4', config: {}, chunks: {} });
    const { executionArn } = states.call('StartExecution', { stateMachineArn: machine, name: 'r1', input });
    await expect.poll(() => states.executions.length, { timeout: 10_000 }).toBe(6);
    states.call('StopExecution', { executionArn });
    await ended(states, executionArn);
    expect(states.call('DescribeExecution', { executionArn }).status).toBe('ABORTED');
    await expect.poll(() => chunkStatuses(states, executionArn)).toEqual({ ABORTED: 5 });
  });

  test('is rejected by the interpreter when it contains unsupported fields', async () => {
    const { states } = await started();
    const put = (definition: Record<string, unknown>) => () => states.put(machine, definition);
    expect(put({ ...stateMachineDefinition(40), QueryLanguage: 'JSONata' })).toThrow('$.QueryLanguage is not run here');
    const { RenderManyChunks, ...states0 } = stateMachineDefinition(40).States;
    const csv = { ...RenderManyChunks.ItemReader, ReaderConfig: { InputType: 'CSV' } };
    const many = { ...RenderManyChunks, ItemReader: csv };
    expect(put({ StartAt: 'Plan', States: { ...states0, RenderManyChunks: many } })).toThrow(
      '$.States.RenderManyChunks: only standard executions of JSON in S3 are run here',
    );
    const states1 = { A: { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', End: true } };
    expect(put({ StartAt: 'A', States: states1 })).toThrow('$.States.A has no TimeoutSeconds');
  });
});
