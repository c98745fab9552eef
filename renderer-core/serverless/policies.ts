// The IAM actions that the commands need, as policies to attach: least privilege for deploying, and for rendering.
import { defaultStackName } from './stack.ts';

export type PolicyName = 'deploy' | 'render';

/** One kind of resource each, so that every action can be asked about where it is used. */
type Statement = { Sid: string; Effect: 'Allow'; Action: string[]; Resource: string };

/** Buckets have no capitals in their names, whatever the stack is called. */
const bucketArn = (stack: string): string => `arn:aws:s3:::${stack.toLowerCase()}-renderbucket-*`;
/** The one resource whose generated name does not begin with the stack's. */
const machineName = 'RenderStateMachine-*';

/** For people and machines that deploy and destroy the stack. CloudFormation acts with the rights of who calls it. */
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
      's3:DeleteBucketPolicy',
      's3:GetBucketPolicy',
      's3:ListBucket',
      's3:PutBucketOwnershipControls',
      's3:PutBucketPolicy',
      's3:PutBucketPublicAccessBlock',
      's3:PutBucketTagging',
      's3:PutEncryptionConfiguration',
      's3:PutLifecycleConfiguration',
    ],
    Resource: bucketArn(stack),
  },
  {
    Sid: 'Code',
    Effect: 'Allow',
    Action: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
    Resource: `${bucketArn(stack)}/code/*`,
  },
  {
    Sid: 'Function',
    Effect: 'Allow',
    Action: [
      'lambda:CreateFunction',
      'lambda:DeleteFunction',
      'lambda:DeleteFunctionConcurrency',
      'lambda:GetFunction',
      'lambda:GetFunctionCodeSigningConfig',
      'lambda:GetFunctionConfiguration',
      'lambda:GetRuntimeManagementConfig',
      'lambda:ListTags',
      'lambda:PutFunctionConcurrency',
      'lambda:TagResource',
      'lambda:UpdateFunctionCode',
      'lambda:UpdateFunctionConfiguration',
    ],
    Resource: `arn:aws:lambda:*:*:function:${stack}-*`,
  },
  {
    Sid: 'StateMachine',
    Effect: 'Allow',
    Action: [
      'states:CreateStateMachine',
      'states:DeleteStateMachine',
      'states:DescribeStateMachine',
      'states:ListTagsForResource',
      'states:TagResource',
      'states:UpdateStateMachine',
    ],
    Resource: `arn:aws:states:*:*:stateMachine:${machineName}`,
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
      'iam:ListAttachedRolePolicies',
      'iam:ListRolePolicies',
      'iam:PassRole',
      'iam:PutRolePolicy',
      'iam:TagRole',
      'iam:UpdateAssumeRolePolicy',
    ],
    Resource: `arn:aws:iam::*:role/${stack}-*`,
  },
  {
    Sid: 'Alarms',
    Effect: 'Allow',
    Action: [
      'cloudwatch:DeleteAlarms',
      'cloudwatch:DescribeAlarms',
      'cloudwatch:ListTagsForResource',
      'cloudwatch:PutMetricAlarm',
      'cloudwatch:TagResource',
    ],
    Resource: `arn:aws:cloudwatch:*:*:alarm:${stack}-*`,
  },
  {
    Sid: 'Logs',
    Effect: 'Allow',
    Action: [
      'logs:CreateLogGroup',
      'logs:DeleteLogGroup',
      'logs:DescribeLogGroups',
      'logs:ListTagsForResource',
      'logs:PutRetentionPolicy',
      'logs:TagResource',
    ],
    // Whoever lists log groups sees all of them.
    Resource: '*',
  },
];

/** For people and machines that render. */
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
    Action: ['s3:ListBucket'],
    Resource: bucketArn(stack),
  },
  {
    Sid: 'Files',
    Effect: 'Allow',
    Action: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
    Resource: `${bucketArn(stack)}/*`,
  },
  {
    Sid: 'Start',
    Effect: 'Allow',
    Action: ['states:StartExecution'],
    Resource: `arn:aws:states:*:*:stateMachine:${machineName}`,
  },
  {
    Sid: 'Renders',
    Effect: 'Allow',
    Action: ['states:DescribeExecution', 'states:GetExecutionHistory'],
    Resource: `arn:aws:states:*:*:execution:${machineName}:*`,
  },
];

/** The policy documents, for a stack of this name. */
export function iamPolicies(
  stack: string = defaultStackName,
): Record<PolicyName, { Version: string; Statement: Statement[] }> {
  const document = (Statement: Statement[]) => ({ Version: '2012-10-17', Statement });
  return { deploy: document(deployStatements(stack)), render: document(renderStatements(stack)) };
}
