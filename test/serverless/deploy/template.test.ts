// The stack checked by AWS's offline rules, the state machine by its schema, and both compared with goldens.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RegoEngine, TemplateFile } from '@aws/cloudformation-validate';
import validateStates from 'asl-validator';
import { describe, expect, test } from 'vitest';
import { iamPolicies } from '../../../serverless/deploy/policies.ts';
import { stateMachineDefinition } from '../../../serverless/deploy/stateMachine.ts';
import { renderTemplate } from '../../../serverless/deploy/template.ts';
import { webhookMachineDefinition } from '../../../serverless/webhooks/webhookMachine.ts';
import { webhookResources } from '../../../serverless/webhooks/webhookResources.ts';
import { temporaryFolder } from '../../support/project.ts';

const options = { mapConcurrency: 200, codeKey: 'code/ab.zip', memoryMb: 4096 };
const template = renderTemplate(options);
const withWebhooks = renderTemplate({ ...options, webhooks: true });
const definition = stateMachineDefinition(200);

describe('the stack', () => {
  test.each([
    ['without', template],
    ['with', withWebhooks],
  ])('violates no rule %s webhooks', (_name, template) => {
    const path = join(temporaryFolder(), 'template.json');
    writeFileSync(path, JSON.stringify(template));
    const engine = new RegoEngine();
    try {
      const { diagnostics } = engine.validateStandard(new TemplateFile(path));
      const severe = diagnostics.filter(({ severity }) => String(severity).toUpperCase() !== 'INFO');
      expect(severe.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
      // Proves that the rules were loaded.
      expect(diagnostics.length).toBeGreaterThan(0);
    } finally {
      engine.free();
    }
  });

  test('meets requirements that the rules do not check', () => {
    const { Timeout, EphemeralStorage } = template.Resources.RenderFunction.Properties;
    expect({ Timeout, EphemeralStorage }).toEqual({ Timeout: 900, EphemeralStorage: { Size: 10_240 } });
    expect(template.Parameters.MemorySize).toMatchObject({ Default: 4096, MaxValue: 10_240 });
  });

  test('the bucket refuses public access', () => {
    expect(template.Resources.RenderBucket.Properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
  });

  test('keeps logs for 30 days and intermediate objects for 7', () => {
    const { RenderBucket, RenderFunctionLogs, RenderMachineLogs } = template.Resources;
    expect([RenderFunctionLogs, RenderMachineLogs].map(({ Properties }) => Properties.RetentionInDays)).toEqual([
      30, 30,
    ]);
    const [intermediates] = RenderBucket.Properties.LifecycleConfiguration.Rules;
    expect(intermediates).toMatchObject({ Prefix: 'intermediate/', ExpirationInDays: 7, Status: 'Enabled' });
  });

  test('raises alarms for failures, throttling and slow chunks', () => {
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

  test('grants its roles only what they need on resources of the stack', () => {
    const rights = Object.entries<{ Type: string; Properties: object }>(template.Resources).flatMap(
      ([name, { Type, Properties }]) =>
        Type === 'AWS::IAM::Role'
          ? (
              Properties as { Policies: { PolicyDocument: { Statement: { Resource: unknown[] }[] } }[] }
            ).Policies.flatMap(({ PolicyDocument }) =>
              PolicyDocument.Statement.map(({ Resource }) => [name, JSON.stringify(Resource)]),
            )
          : [],
    );
    // Log delivery cannot be restricted; everything else names a resource of the stack.
    expect(rights.filter(([, resource]) => resource === '["*"]')).toEqual([['RenderMachineRole', '["*"]']]);
    expect(rights.length).toBeGreaterThan(1);
  });

  test('publishes another version of the function for other code or memory, and keeps the earlier one for running renders', () => {
    const versionsOf = (changes: object) =>
      Object.entries<{ Type: string; DeletionPolicy?: string }>(renderTemplate({ ...options, ...changes }).Resources)
        .filter(([, { Type }]) => Type === 'AWS::Lambda::Version')
        .map(([name, { DeletionPolicy }]) => [name, DeletionPolicy]);
    const [version = []] = versionsOf({});
    expect(version).toEqual([expect.stringMatching(/^RenderVersion[0-9a-f]{12}$/), 'Retain']);
    expect(versionsOf({ mapConcurrency: 10 })).toEqual([version]);
    expect(versionsOf({ codeKey: 'code/cd.zip' })).not.toEqual([version]);
    expect(versionsOf({ memoryMb: 3008 })).not.toEqual([version]);
    const { DefinitionSubstitutions } = template.Resources.RenderStateMachine.Properties;
    expect(DefinitionSubstitutions).toEqual({ RenderFunctionArn: { Ref: version[0] } });
  });

  test('fits into one request to CloudFormation', () => {
    expect(JSON.stringify(withWebhooks).length).toBeLessThan(51_200);
  });
});

test('has a valid state machine whose tasks have a timeout and full jitter', () => {
  expect(validateStates(definition)).toMatchObject({ isValid: true, errors: [] });
  const { Plan, RenderChunks, RenderManyChunks, Assemble } = definition.States;
  const chunks = [RenderChunks, RenderManyChunks].flatMap(({ ItemProcessor }) => Object.values(ItemProcessor.States));
  expect(chunks).toHaveLength(2);
  for (const task of [Plan, ...chunks, Assemble] as {
    TimeoutSeconds?: number;
    Retry?: { MaxAttempts: number; JitterStrategy?: string }[];
  }[]) {
    expect(task.TimeoutSeconds).toBe(900);
    const waits = (task.Retry ?? []).filter(({ MaxAttempts }) => MaxAttempts > 0);
    expect(waits.map(({ JitterStrategy }) => JitterStrategy)).toEqual(['FULL', 'FULL']);
  }
});

test.each([
  [10, 10, 10],
  [100, 40, 100],
  [1000, 40, 200],
])('renders at most 40 chunks at the same time inline, and 200 as executions: %i workers', (workers, few, many) => {
  const { RenderChunks, RenderManyChunks } = stateMachineDefinition(workers).States;
  expect([RenderChunks.MaxConcurrency, RenderManyChunks.MaxConcurrency]).toEqual([few, many]);
});

test('has a valid state machine for webhooks', () => {
  expect(validateStates(webhookMachineDefinition)).toMatchObject({ isValid: true, errors: [] });
});

test('has no policy that allows everything', () => {
  const actions = Object.values(iamPolicies()).flatMap(({ Statement }) => Statement.flatMap(({ Action }) => Action));
  expect(actions.filter((action) => action.includes('*'))).toEqual([]);
});

describe('goldens (update them with UPDATE_SNAPSHOTS=1)', () => {
  test.each<[string, unknown]>([
    ['template.json', template],
    ['webhooks.json', webhookResources],
    ['stateMachine.json', definition],
    ['policies.json', iamPolicies()],
  ])('%s', (name, value) => {
    const path = new URL(`golden/${name}`, import.meta.url);
    if (process.env.UPDATE_SNAPSHOTS === '1') writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
    expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(readFileSync(path, 'utf8')));
  });
});
