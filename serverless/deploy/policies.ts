// IAM policies with the permissions that the commands need: one for deploying and one for rendering.
import { defaultStackName } from './stack.ts';

export type PolicyName = 'deploy' | 'render';

/** China and GovCloud have ARNs of their own. */
export function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

/** CloudFormation converts the stack name to lower case for bucket names. */
const bucketsOf = (stack: string): string => `arn:aws:s3:::${stack.toLowerCase()}-*`;

type Statement = { Sid: string; Effect: 'Allow'; Action: string[]; Resource: string | string[] };

/** For deploying and deleting the stack. CloudFormation uses the permissions of the caller. */
const deployStatements = (stack: string): Statement[] => [
  {
    Sid: 'Stack',
    Effect: 'Allow',
    Action: [
      'cloudformation:CreateChangeSet',
      'cloudformation:DeleteChangeSet',
      'cloudformation:DeleteStack',
      'cloudformation:DescribeChangeSet',
      'cloudformation:DescribeStackEvents',
      'cloudformation:DescribeStacks',
      'cloudformation:ExecuteChangeSet',
    ],
    Resource: `arn:aws:cloudformation:*:*:stack/${stack}/*`,
  },
  {
    Sid: 'Bucket',
    Effect: 'Allow',
    Action: [
      's3:CreateBucket',
      's3:DeleteBucket',
      's3:DeleteBucketPolicy',
      's3:DeleteObject',
      // CloudFormation reads the settings of a bucket that it imports.
      's3:GetAccelerateConfiguration',
      's3:GetAnalyticsConfiguration',
      's3:GetBucketCORS',
      's3:GetBucketLogging',
      's3:GetBucketNotification',
      's3:GetBucketObjectLockConfiguration',
      's3:GetBucketOwnershipControls',
      's3:GetBucketPublicAccessBlock',
      's3:GetBucketTagging',
      's3:GetBucketVersioning',
      's3:GetBucketWebsite',
      's3:GetEncryptionConfiguration',
      's3:GetIntelligentTieringConfiguration',
      's3:GetInventoryConfiguration',
      's3:GetLifecycleConfiguration',
      's3:GetMetricsConfiguration',
      's3:GetReplicationConfiguration',
      's3:GetBucketPolicy',
      's3:GetObject',
      's3:ListBucket',
      's3:PutBucketOwnershipControls',
      's3:PutBucketPolicy',
      's3:PutBucketPublicAccessBlock',
      's3:PutEncryptionConfiguration',
      's3:PutLifecycleConfiguration',
      's3:PutObject',
      's3:AbortMultipartUpload',
    ],
    Resource: [bucketsOf(stack), `${bucketsOf(stack)}/*`],
  },
  {
    Sid: 'Function',
    Effect: 'Allow',
    Action: [
      'lambda:CreateAlias',
      'lambda:CreateFunction',
      'lambda:DeleteAlias',
      'lambda:DeleteFunction',
      'lambda:DeleteFunctionConcurrency',
      'lambda:GetAlias',
      'lambda:GetFunction',
      'lambda:GetFunctionConfiguration',
      'lambda:GetProvisionedConcurrencyConfig',
      'lambda:ListVersionsByFunction',
      'lambda:PublishVersion',
      'lambda:PutFunctionConcurrency',
      'lambda:UpdateAlias',
      'lambda:UpdateFunctionCode',
      'lambda:UpdateFunctionConfiguration',
    ],
    // Versions and the alias have a qualifier.
    Resource: [`arn:aws:lambda:*:*:function:${stack}-*`, `arn:aws:lambda:*:*:function:${stack}-*:*`],
  },
  {
    Sid: 'StateMachine',
    Effect: 'Allow',
    Action: [
      'states:CreateStateMachine',
      'states:DeleteStateMachine',
      'states:DescribeStateMachine',
      'states:UpdateStateMachine',
    ],
    // CloudFormation derives these names from the logical id only, not from the stack name.
    Resource: [
      'arn:aws:states:*:*:stateMachine:RenderStateMachine-*',
      'arn:aws:states:*:*:stateMachine:WebhookStateMachine-*',
    ],
  },
  {
    Sid: 'TestVideo',
    Effect: 'Allow',
    Action: ['states:DescribeExecution', 'states:GetExecutionHistory', 'states:StartExecution', 'states:StopExecution'],
    Resource: [
      'arn:aws:states:*:*:stateMachine:RenderStateMachine-*',
      'arn:aws:states:*:*:execution:RenderStateMachine-*:*',
    ],
  },
  {
    Sid: 'Roles',
    Effect: 'Allow',
    Action: [
      'iam:CreateRole',
      'iam:DeleteRole',
      'iam:DeleteRolePolicy',
      'iam:GetRole',
      'iam:GetRolePolicy',
      'iam:PassRole',
      'iam:PutRolePolicy',
    ],
    Resource: `arn:aws:iam::*:role/${stack}-*`,
  },
  {
    Sid: 'Logs',
    Effect: 'Allow',
    Action: ['logs:CreateLogGroup', 'logs:DeleteLogGroup', 'logs:PutRetentionPolicy'],
    Resource: [
      `arn:aws:logs:*:*:log-group:${stack}-*`,
      `arn:aws:logs:*:*:log-group:/aws/vendedlogs/states/${stack}`,
      `arn:aws:logs:*:*:log-group:/aws/vendedlogs/states/${stack}:*`,
    ],
  },
  {
    Sid: 'Alarms',
    Effect: 'Allow',
    Action: ['cloudwatch:DeleteAlarms', 'cloudwatch:PutMetricAlarm'],
    Resource: `arn:aws:cloudwatch:*:*:alarm:${stack}-*`,
  },
  {
    Sid: 'Webhooks',
    Effect: 'Allow',
    Action: ['events:DeleteRule', 'events:DescribeRule', 'events:PutRule', 'events:PutTargets', 'events:RemoveTargets'],
    Resource: `arn:aws:events:*:*:rule/${stack}-*`,
  },
  {
    // CloudFormation derives this name from the logical id only.
    Sid: 'WebhookSecret',
    Effect: 'Allow',
    Action: [
      'secretsmanager:CreateSecret',
      'secretsmanager:DeleteSecret',
      'secretsmanager:DescribeSecret',
      'secretsmanager:GetSecretValue',
      'secretsmanager:TagResource',
      'secretsmanager:UpdateSecret',
    ],
    Resource: 'arn:aws:secretsmanager:*:*:secret:WebhookSecret-*',
  },
  {
    // Actions that cannot be restricted to a resource. All but the request for more workers only read.
    Sid: 'Lists',
    Effect: 'Allow',
    Action: [
      'cloudwatch:DescribeAlarms',
      'lambda:GetAccountSettings',
      'logs:DescribeLogGroups',
      's3:ListAllMyBuckets',
      'secretsmanager:GetRandomPassword',
      'servicequotas:GetServiceQuota',
      'servicequotas:ListRequestedServiceQuotaChangeHistoryByQuota',
      'servicequotas:RequestServiceQuotaIncrease',
    ],
    Resource: '*',
  },
];

/** For rendering. */
const renderStatements = (stack: string): Statement[] => [
  {
    Sid: 'Stack',
    Effect: 'Allow',
    Action: ['cloudformation:DescribeStacks'],
    Resource: `arn:aws:cloudformation:*:*:stack/${stack}/*`,
  },
  {
    Sid: 'Bucket',
    Effect: 'Allow',
    Action: ['s3:GetObject', 's3:ListBucket'],
    Resource: [bucketsOf(stack), `${bucketsOf(stack)}/*`],
  },
  {
    // Excludes the code of the function, which runs with other permissions.
    Sid: 'Sites',
    Effect: 'Allow',
    Action: ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:PutObject'],
    Resource: `${bucketsOf(stack)}/sites/*`,
  },
  {
    Sid: 'Renders',
    Effect: 'Allow',
    Action: [
      'states:DescribeExecution',
      'states:GetExecutionHistory',
      'states:ListExecutions',
      'states:ListMapRuns',
      'states:RedriveExecution',
      'states:StartExecution',
      'states:StopExecution',
    ],
    Resource: [
      'arn:aws:states:*:*:stateMachine:RenderStateMachine-*',
      // Also those of the chunks, which have a slash and a label after the name.
      'arn:aws:states:*:*:execution:RenderStateMachine-*:*',
    ],
  },
  {
    Sid: 'ChunksOfRenders',
    Effect: 'Allow',
    Action: ['states:ListExecutions'],
    Resource: 'arn:aws:states:*:*:mapRun:RenderStateMachine-*/*:*',
  },
];

/** The policy documents for a stack with this name. `partition`: see `partitionOf`. */
export function iamPolicies(
  stack: string = defaultStackName,
  partition = 'aws',
): Record<PolicyName, { Version: string; Statement: Statement[] }> {
  const inPartition = (arn: string): string => arn.replace(/^arn:aws:/, `arn:${partition}:`);
  const document = (statements: Statement[]) => ({
    Version: '2012-10-17',
    Statement: statements.map((one) => ({
      ...one,
      Resource: Array.isArray(one.Resource) ? one.Resource.map(inPartition) : inPartition(one.Resource),
    })),
  });
  return { deploy: document(deployStatements(stack)), render: document(renderStatements(stack)) };
}
