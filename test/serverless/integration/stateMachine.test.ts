// The state machine with a function that records its tasks: retries, errors, lost and duplicate tasks.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { stateMachineDefinition } from '../../../serverless/stateMachine.ts';
import { type Disturbance, type LambdaDouble, startLambda } from '../../aws/lambda.ts';
import { type StepFunctionsDouble, startStepFunctions } from '../../aws/stepFunctions.ts';
import { temporaryFolder } from '../../support/project.ts';

const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:render';

/** Plans three chunks; refuses when the output is called so. */
const handler = `
export const handler = async ({ step, input, index }) => {
  if (input.outputKey === 'refused.mp4') throw Object.assign(new Error('index.html:3: no'), { name: 'Framework.Refused' });
  if (input.outputKey === 'broken.mp4' && index === 1) throw new Error('the browser died');
  if (step === 'plan') {
    const { config, chunks, ...task } = input;
    return { task, planKey: 'plan.json', chunks: [{ index: 0 }, { index: 1 }, { index: 2 }] };
  }
  await new Promise((done) => setTimeout(done, 300));
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
  const states = await startStepFunctions({ lambda, ...waits });
  open.push(states);
  const definition = JSON.stringify(stateMachineDefinition(40)).replaceAll(/\$\{RenderFunctionArn\}/g, 'render');
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
  await Promise.all(states.executions.map(({ done }) => done));
  return states.call('DescribeExecution', { executionArn });
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
    await Promise.all(states.executions.map(({ done }) => done));
    expect(states.call('DescribeExecution', { executionArn }).status).toBe('SUCCEEDED');
    expect(steps(lambda).slice(before)).toEqual(['assemble']);
  });

  test('is rejected by the interpreter when it contains unsupported fields', async () => {
    const { states } = await started();
    const put = (definition: Record<string, unknown>) => () => states.put(machine, definition);
    expect(put({ ...stateMachineDefinition(40), QueryLanguage: 'JSONata' })).toThrow('$.QueryLanguage is not run here');
    const states1 = { A: { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', End: true } };
    expect(put({ StartAt: 'A', States: states1 })).toThrow('$.States.A has no TimeoutSeconds');
  });
});
