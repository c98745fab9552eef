// Permissions of the printed policies and of the function's role, evaluated like IAM does.
import { runSimulation } from '@cloud-copilot/iam-simulate';
import { describe, expect, test } from 'vitest';
import { iamPolicies, type PolicyName, partitionOf } from '../../../serverless/deploy/policies.ts';
import { renderTemplate } from '../../../serverless/deploy/template.ts';
import { evaluate } from '../../aws/intrinsics.ts';

const account = '123456789012';
const bucket = 'arn:aws:s3:::mystack-renderbucket-1abc';

const template = renderTemplate({ mapConcurrency: 40, codeKey: 'code/ab.zip', memoryMb: 4096 });
const scope = {
  ...{
    parameters: {},
    conditions: {},
    refs: { RenderStateMachine: `arn:aws:states:us-east-1:${account}:stateMachine:RenderStateMachine-1` },
  },
  attributes: {
    RenderBucket: { Arn: bucket },
    RenderFunction: { Arn: `arn:aws:lambda:us-east-1:${account}:function:render` },
    RenderStateMachine: { Name: 'RenderStateMachine-1' },
  },
  pseudo: { 'AWS::Partition': 'aws', 'AWS::Region': 'us-east-1', 'AWS::AccountId': account },
};

async function decision(policy: object, action: string, resource: string): Promise<string> {
  const principal = `arn:aws:iam::${account}:role/somebody`;
  const request = { principal, action, resource: { resource, accountId: account }, contextVariables: {} };
  const simulation = {
    request,
    identityPolicies: [{ name: 'printed', policy }],
    serviceControlPolicies: [],
    resourceControlPolicies: [],
  };
  const result = await runSimulation(simulation as never, {});
  return 'overallResult' in result ? String(result.overallResult) : JSON.stringify(result);
}

describe('the policies for a stack called MyStack', () => {
  test.each<[PolicyName, string, string, string]>([
    ['render', 's3:PutObject', `${bucket}/sites/files/ab`, 'Allowed'],
    ['render', 's3:GetObject', `${bucket}/videos/a.mp4`, 'Allowed'],
    ['render', 's3:PutObject', `${bucket}/code/ab.zip`, 'ImplicitlyDenied'],
    ['render', 's3:GetObject', 'arn:aws:s3:::elsewhere/a.mp4', 'ImplicitlyDenied'],
    [
      'render',
      'states:ListMapRuns',
      `arn:aws:states:us-east-1:${account}:execution:RenderStateMachine-1:r-1`,
      'Allowed',
    ],
    [
      'render',
      'states:DescribeExecution',
      `arn:aws:states:us-east-1:${account}:execution:RenderStateMachine-1/Chunks:2e0e`,
      'Allowed',
    ],
    [
      'render',
      'states:ListExecutions',
      `arn:aws:states:us-east-1:${account}:mapRun:RenderStateMachine-1/Chunks:3f1a`,
      'Allowed',
    ],
    ['deploy', 's3:PutObject', `${bucket}/code/ab.zip`, 'Allowed'],
    ['deploy', 's3:CreateBucket', bucket, 'Allowed'],
    [
      'deploy',
      'states:UpdateStateMachine',
      `arn:aws:states:us-east-1:${account}:stateMachine:RenderStateMachine-1`,
      'Allowed',
    ],
    [
      'deploy',
      'states:DeleteStateMachine',
      `arn:aws:states:us-east-1:${account}:stateMachine:payments`,
      'ImplicitlyDenied',
    ],
    ['deploy', 'logs:DeleteLogGroup', `arn:aws:logs:us-east-1:${account}:log-group:MyStack-Logs-1`, 'Allowed'],
    [
      'deploy',
      'logs:CreateLogGroup',
      `arn:aws:logs:us-east-1:${account}:log-group:/aws/vendedlogs/states/MyStack`,
      'Allowed',
    ],
    ['deploy', 'logs:DeleteLogGroup', `arn:aws:logs:us-east-1:${account}:log-group:audit`, 'ImplicitlyDenied'],
    [
      'deploy',
      'cloudwatch:PutMetricAlarm',
      `arn:aws:cloudwatch:us-east-1:${account}:alarm:MyStack-FailedRenders-1`,
      'Allowed',
    ],
    [
      'deploy',
      'lambda:PublishVersion',
      `arn:aws:lambda:us-east-1:${account}:function:MyStack-RenderFunction-1`,
      'Allowed',
    ],
    ['deploy', 'lambda:GetAccountSettings', '*', 'Allowed'],
    ['render', 'lambda:GetAccountSettings', '*', 'ImplicitlyDenied'],
    ['deploy', 'cloudwatch:DeleteAlarms', `arn:aws:cloudwatch:us-east-1:${account}:alarm:billing`, 'ImplicitlyDenied'],
  ])('decides for the policy %s about %s on %s: %s', async (name, action, resource, expected) => {
    expect(await decision(iamPolicies('MyStack')[name], action, resource)).toBe(expected);
  });
});

test.each([
  ['eu-central-1', 'aws'],
  ['us-gov-west-1', 'aws-us-gov'],
  ['cn-north-1', 'aws-cn'],
])('names resources in the partition of the region %s: %s', (region, partition) => {
  const { deploy, render } = iamPolicies('MyStack', partitionOf(region));
  const resources = [...deploy.Statement, ...render.Statement].flatMap(({ Resource }) => Resource);
  const found = new Set(resources.filter((arn) => arn !== '*').map((arn) => arn.split(':')[1]));
  expect([...found]).toEqual([partition]);
});

test.each([
  ['s3:GetObject', `${bucket}/sites/files/ab`, 'Allowed'],
  ['s3:PutObject', `${bucket}/intermediate/r-1/plan.json`, 'Allowed'],
  ['s3:PutObject', `${bucket}/videos/a.mp4`, 'Allowed'],
  // Objects that a page could change to attack other renders if it broke out of the browser.
  ['s3:PutObject', `${bucket}/code/ab.zip`, 'ExplicitlyDenied'],
  ['s3:PutObject', `${bucket}/sites/files/ab`, 'ExplicitlyDenied'],
  ['s3:DeleteObject', `${bucket}/videos/a.mp4`, 'ImplicitlyDenied'],
])('grants the function %s on %s: %s', async (action, resource, expected) => {
  const [files] = template.Resources.RenderFunctionRole.Properties.Policies;
  expect(await decision(evaluate(files?.PolicyDocument, scope) as object, action, resource)).toBe(expected);
});

const ofMachines = `arn:aws:states:us-east-1:${account}`;

test.each([
  ['states:StartExecution', `${ofMachines}:stateMachine:RenderStateMachine-1`, 'Allowed'],
  ['states:StartExecution', `${ofMachines}:stateMachine:payments`, 'ImplicitlyDenied'],
  ['states:StopExecution', `${ofMachines}:execution:RenderStateMachine-1/Chunks:2e0e`, 'Allowed'],
  ['states:RedriveExecution', `${ofMachines}:execution:RenderStateMachine-1/Chunks:2e0e`, 'Allowed'],
  // A render is redriven by the user, not by its chunks.
  ['states:RedriveExecution', `${ofMachines}:execution:RenderStateMachine-1:r-1`, 'ImplicitlyDenied'],
  ['s3:GetObject', `${bucket}/intermediate/r-1/chunks.json`, 'Allowed'],
  ['s3:GetObject', `${bucket}/videos/a.mp4`, 'ImplicitlyDenied'],
])('grants the state machine %s on %s: %s', async (action, resource, expected) => {
  const { RenderMachineRole, RenderMachineChunks } = template.Resources;
  const documents = [...RenderMachineRole.Properties.Policies, RenderMachineChunks.Properties].map(
    ({ PolicyDocument }) => evaluate(PolicyDocument, scope) as { Statement: object[] },
  );
  const policy = { Version: '2012-10-17', Statement: documents.flatMap(({ Statement }) => Statement) };
  expect(await decision(policy, action, resource)).toBe(expected);
});
