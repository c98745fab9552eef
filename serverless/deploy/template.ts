// The CloudFormation template: bucket, function, state machine, roles and alarms.
import { createHash } from 'node:crypto';
import { intermediatePrefix, keys } from '../keys.ts';
import { webhookResources } from '../webhooks/webhookResources.ts';
import { manyChunksLabel, stateMachineDefinition, taskSeconds } from './stateMachine.ts';
import { alarm, allow, arn, assumedBy, join, logDays, policy, ref, statesArn, withCode } from './templateParts.ts';

/**
 * The agreement between the commands and the deployed stack: input, payloads, keys. Increase it when a stack and commands of
 * different versions would not understand each other.
 */
export const stackProtocol = '4';

/** The alias of the newest version of the function. */
const aliasName = 'live';

/** Days after which intermediate objects are deleted. Results and sites are kept. */
const intermediateDays = 7;

/** An alarm is raised at 80 % of the time limit of a chunk. */
const slowChunkMs = 0.8 * taskSeconds * 1000;

const chunkExecutions = statesArn(
  'execution',
  { 'Fn::GetAtt': ['RenderStateMachine', 'Name'] },
  `/${manyChunksLabel}:*`,
);

export type TemplateOptions = {
  /** Chunks of one render that run at the same time. */
  mapConcurrency: number;
  /** Key of the code. */
  codeKey: string;
  memoryMb: number;
  /** Whether the stack sends webhooks. */
  webhooks?: boolean;
};

/** A version is a resource of its own: another name creates another version. */
const versionName = ({ codeKey, memoryMb }: TemplateOptions): string =>
  `RenderVersion${createHash('sha256').update(`${codeKey} ${memoryMb}`).digest('hex').slice(0, 12)}`;

export const renderTemplate = (options: TemplateOptions) => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Description: 'Renders compositions with Step Functions, Lambda and S3.',
  Parameters: {
    CodeKey: {
      Type: 'String',
      Default: '',
      Description: 'Key of the code in the bucket. Empty before the first upload',
    },
    MemorySize: {
      Type: 'Number',
      Default: 4096,
      MinValue: 2048,
      MaxValue: 10_240,
      Description: 'Memory of a worker in MB. The number of processors grows with it',
    },
    ReservedConcurrency: {
      Type: 'Number',
      Default: 0,
      MinValue: 0,
      Description: 'Maximum number of concurrent workers. 0 means no limit other than that of the account',
    },
  },
  Conditions: {
    HasCode: { 'Fn::Not': [{ 'Fn::Equals': [ref('CodeKey'), ''] }] },
    HasReservation: { 'Fn::Not': [{ 'Fn::Equals': [ref('ReservedConcurrency'), 0] }] },
  },
  Resources: {
    RenderBucket: {
      Type: 'AWS::S3::Bucket',
      // Deleting the stack must not delete results.
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        LifecycleConfiguration: {
          Rules: [
            {
              Id: 'ExpireIntermediates',
              Status: 'Enabled',
              Prefix: intermediatePrefix,
              ExpirationInDays: intermediateDays,
            },
            { Id: 'AbortUploads', Status: 'Enabled', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } },
          ],
        },
      },
    },
    RenderBucketPolicy: {
      Type: 'AWS::S3::BucketPolicy',
      Properties: {
        Bucket: ref('RenderBucket'),
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Sid: 'OnlyEncryptedConnections',
              Effect: 'Deny',
              Principal: '*',
              Action: 's3:*',
              Resource: [arn('RenderBucket'), join(arn('RenderBucket'), '/*')],
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            },
          ],
        },
      },
    },
    RenderFunctionLogs: {
      ...withCode,
      Type: 'AWS::Logs::LogGroup',
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
      Properties: { RetentionInDays: logDays },
    },
    RenderFunctionRole: {
      ...withCode,
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: assumedBy('lambda.amazonaws.com'),
        Policies: [
          policy('Files', [
            allow(['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'], [join(arn('RenderBucket'), '/*')]),
            // Without this permission, S3 answers 403 instead of 404 for a missing key.
            allow(['s3:ListBucket'], [arn('RenderBucket')]),
            // The browser runs without its sandbox. A page that breaks out must not change code or projects.
            {
              Effect: 'Deny',
              Action: ['s3:PutObject'],
              Resource: ['code', 'sites'].map((folder) => join(arn('RenderBucket'), `/${folder}/*`)),
            },
          ]),
          policy('Logs', [allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [arn('RenderFunctionLogs')])]),
        ],
      },
    },
    RenderFunction: {
      ...withCode,
      Type: 'AWS::Lambda::Function',
      Properties: {
        Description: 'Plans a render, renders a chunk of it, or puts the chunks together.',
        Runtime: 'nodejs22.x',
        Architectures: ['x86_64'],
        Handler: 'handler.handler',
        Role: arn('RenderFunctionRole'),
        Code: { S3Bucket: ref('RenderBucket'), S3Key: ref('CodeKey') },
        MemorySize: ref('MemorySize'),
        Timeout: taskSeconds,
        EphemeralStorage: { Size: 10_240 },
        ReservedConcurrentExecutions: {
          'Fn::If': ['HasReservation', ref('ReservedConcurrency'), ref('AWS::NoValue')],
        },
        LoggingConfig: { LogGroup: ref('RenderFunctionLogs'), LogFormat: 'JSON' },
      },
    },
    // Running renders keep the version that they started with, so earlier ones are not deleted.
    [versionName(options)]: {
      ...withCode,
      Type: 'AWS::Lambda::Version',
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { FunctionName: ref('RenderFunction') },
    },
    RenderFunctionAlias: {
      ...withCode,
      Type: 'AWS::Lambda::Alias',
      Properties: {
        FunctionName: ref('RenderFunction'),
        Name: aliasName,
        FunctionVersion: { 'Fn::GetAtt': [versionName(options), 'Version'] },
      },
    },
    RenderMachineLogs: {
      ...withCode,
      Type: 'AWS::Logs::LogGroup',
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
      Properties: { LogGroupName: join('/aws/vendedlogs/states/', ref('AWS::StackName')), RetentionInDays: logDays },
    },
    RenderMachineRole: {
      ...withCode,
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: assumedBy('states.amazonaws.com'),
        Policies: [
          // All versions: a render may have started before the last deployment.
          policy('Invoke', [allow(['lambda:InvokeFunction'], [join(arn('RenderFunction'), ':*')])]),
          policy('Items', [allow(['s3:GetObject'], [join(arn('RenderBucket'), `/${keys.chunks('*')}`)])]),
          // The log delivery of Step Functions cannot be restricted to a log group.
          policy('Logs', [
            allow(
              [
                'logs:CreateLogDelivery',
                'logs:GetLogDelivery',
                'logs:UpdateLogDelivery',
                'logs:DeleteLogDelivery',
                'logs:ListLogDeliveries',
                'logs:PutResourcePolicy',
                'logs:DescribeResourcePolicies',
                'logs:DescribeLogGroups',
              ],
              ['*'],
            ),
          ]),
        ],
      },
    },
    // Not in the role: a role that names the state machine, which names the role, would be a circular reference.
    RenderMachineChunks: {
      ...withCode,
      Type: 'AWS::IAM::RolePolicy',
      Properties: {
        RoleName: ref('RenderMachineRole'),
        PolicyName: 'Chunks',
        PolicyDocument: {
          Version: '2012-10-17',
          // A distributed Map starts each chunk as an execution of the same state machine.
          Statement: [
            allow(['states:StartExecution'], [ref('RenderStateMachine')]),
            allow(['states:DescribeExecution', 'states:RedriveExecution', 'states:StopExecution'], [chunkExecutions]),
          ],
        },
      },
    },
    RenderStateMachine: {
      ...withCode,
      Type: 'AWS::StepFunctions::StateMachine',
      Properties: {
        StateMachineType: 'STANDARD',
        RoleArn: arn('RenderMachineRole'),
        Definition: stateMachineDefinition(options.mapConcurrency),
        DefinitionSubstitutions: { RenderFunctionArn: ref(versionName(options)) },
        LoggingConfiguration: {
          Level: 'ERROR',
          // Variables may contain personal data.
          IncludeExecutionData: false,
          Destinations: [{ CloudWatchLogsLogGroup: { LogGroupArn: arn('RenderMachineLogs') } }],
        },
      },
    },
    ...(options.webhooks ? webhookResources : {}),
    FailedRenders: alarm('Renders failed', 'AWS/States', 'ExecutionsFailed', 'StateMachineArn', 'RenderStateMachine', {
      Statistic: 'Sum',
      Threshold: 0,
    }),
    ThrottledWorkers: alarm('Lambda throttled workers', 'AWS/Lambda', 'Throttles', 'FunctionName', 'RenderFunction', {
      Statistic: 'Sum',
      Threshold: 100,
    }),
    SlowChunks: alarm(
      'A chunk almost reached the time limit of its worker',
      'AWS/Lambda',
      'Duration',
      'FunctionName',
      'RenderFunction',
      {
        Statistic: 'Maximum',
        Threshold: slowChunkMs,
      },
    ),
  },
  Outputs: {
    RenderBucketName: { Value: ref('RenderBucket') },
    RenderStateMachineArn: { ...withCode, Value: ref('RenderStateMachine') },
    RenderFunctionName: { ...withCode, Value: ref('RenderFunction') },
    RenderFunctionAlias: { ...withCode, Value: ref('RenderFunctionAlias') },
    ...(options.webhooks ? { WebhookSecretArn: { ...withCode, Value: ref('WebhookSecret') } } : {}),
    RenderProtocol: { ...withCode, Value: stackProtocol },
  },
});
