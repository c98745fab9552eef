// The stack by AWS's own offline rules, the state machine by the language's schema, and both as they were looked at last.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RegoEngine, TemplateFile } from '@aws/cloudformation-validate';
import validateStates from 'asl-validator';
import { describe, expect, test } from 'vitest';
import { iamPolicies } from '../../renderer-core/serverless/policies.ts';
import { stateMachineDefinition } from '../../renderer-core/serverless/stateMachine.ts';
import { template } from '../../renderer-core/serverless/template.ts';
import { temporaryFolder } from '../support/project.ts';

describe('the stack', () => {
  test('breaks none of the rules', () => {
    const path = join(temporaryFolder(), 'template.json');
    writeFileSync(path, JSON.stringify(template));
    const engine = new RegoEngine();
    try {
      const { diagnostics } = engine.validateStandard(new TemplateFile(path));
      const severe = diagnostics.filter(({ severity }) => String(severity).toUpperCase() !== 'INFO');
      expect(severe.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
      // The rules were there and looked.
      expect(diagnostics.length).toBeGreaterThan(0);
    } finally {
      engine.free();
    }
  });

  test('keeps to what the rules do not know', () => {
    const { Timeout, EphemeralStorage } = template.Resources.RenderFunction.Properties;
    expect({ Timeout, EphemeralStorage }).toEqual({ Timeout: 900, EphemeralStorage: { Size: 10_240 } });
    expect(template.Parameters.MemorySize).toMatchObject({ Default: 10_240, MaxValue: 10_240 });
  });

  test('keeps logs for thirty days, and what is only needed during a render for seven', () => {
    const { RenderBucket, RenderFunctionLogs, RenderMachineLogs } = template.Resources;
    expect([RenderFunctionLogs, RenderMachineLogs].map(({ Properties }) => Properties.RetentionInDays)).toEqual([
      30, 30,
    ]);
    const [intermediates] = RenderBucket.Properties.LifecycleConfiguration.Rules;
    expect(intermediates).toMatchObject({ Prefix: 'intermediate/', ExpirationInDays: 7, Status: 'Enabled' });
  });

  test('raises alarms for failures, refusals and chunks near their limit', () => {
    const { FailedRenders, ThrottledWorkers, SlowChunks } = template.Resources;
    const raised = [FailedRenders, ThrottledWorkers, SlowChunks].map(({ Properties }) => {
      const { MetricName, Statistic, Threshold, Dimensions } = Properties;
      return [MetricName, Statistic, Threshold, Dimensions];
    });
    const of = (Name: string, resource: string) => [{ Name, Value: { Ref: resource } }];
    expect(raised).toEqual([
      ['ExecutionsFailed', 'Sum', 0, of('StateMachineArn', 'RenderStateMachine')],
      ['Throttles', 'Sum', 100, of('FunctionName', 'RenderFunction')],
      ['Duration', 'Maximum', 720_000, of('FunctionName', 'RenderFunction')],
    ]);
  });

  test('lets its roles do what they need to their own things', () => {
    const rights = Object.entries(template.Resources).flatMap(([name, { Type, Properties }]) =>
      Type === 'AWS::IAM::Role'
        ? (Properties as { Policies: { PolicyDocument: { Statement: { Resource: unknown[] }[] } }[] }).Policies.flatMap(
            ({ PolicyDocument }) => PolicyDocument.Statement.map(({ Resource }) => [name, JSON.stringify(Resource)]),
          )
        : [],
    );
    // Log delivery cannot be narrowed; everything else names a resource of the stack.
    expect(rights.filter(([, resource]) => resource === '["*"]')).toEqual([['RenderMachineRole', '["*"]']]);
    expect(rights.length).toBeGreaterThan(1);
  });

  test('fits into what CloudFormation takes in a request', () => {
    expect(JSON.stringify(template).length).toBeLessThan(51_200);
  });
});

test('the state machine is valid, and every task has a limit and full jitter where it waits', () => {
  expect(validateStates(stateMachineDefinition)).toMatchObject({ isValid: true, errors: [] });
  const { Plan, RenderChunks, Assemble } = stateMachineDefinition.States;
  for (const task of [Plan, RenderChunks.ItemProcessor.States.RenderChunk, Assemble] as {
    TimeoutSeconds?: number;
    Retry?: { MaxAttempts: number; JitterStrategy?: string }[];
  }[]) {
    expect(task.TimeoutSeconds).toBe(900);
    const waits = (task.Retry ?? []).filter(({ MaxAttempts }) => MaxAttempts > 0);
    expect(waits.map(({ JitterStrategy }) => JitterStrategy)).toEqual(['FULL', 'FULL']);
  }
});

test('no policy allows everything', () => {
  const actions = Object.values(iamPolicies()).flatMap(({ Statement }) => Statement.flatMap(({ Action }) => Action));
  expect(actions.filter((action) => action.includes('*'))).toEqual([]);
});

describe('as they were looked at last (write them anew with UPDATE_SNAPSHOTS=1)', () => {
  test.each<[string, unknown]>([
    ['template.json', template],
    ['stateMachine.json', stateMachineDefinition],
    ['policies.json', iamPolicies()],
  ])('%s', (name, value) => {
    const path = new URL(`golden/${name}`, import.meta.url);
    if (process.env.UPDATE_SNAPSHOTS === '1') writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
    expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(readFileSync(path, 'utf8')));
  });
});
