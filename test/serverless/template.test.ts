// The stack by AWS's own offline rules, the state machine by the language's schema, and both as they were looked at last.
import { writeFileSync } from 'node:fs';
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
