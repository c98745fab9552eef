// The stack as data: one CloudFormation template for the bucket, the function, the state machine, their roles and alarms.
import { intermediatePrefix } from './keys.ts';
import { stateMachineDefinition, taskSeconds } from './stateMachine.ts';

/** Outputs of the stack; the commands read them by these names (contract, "Other resources"). */
export const stackOutputs = ['RenderBucketName', 'RenderStateMachineArn', 'RenderFunctionName'] as const;

/** Contract, "Limits": megabytes of a worker. */
export const defaultMemory = 10_240;

/** Days after which what is only needed during a render is deleted. Results and sites stay. */
const intermediateDays = 7;
const logDays = 30;

/** Alarms at 80 % of the 15 minutes that a chunk may take. */
const slowChunkMs = 0.8 * taskSeconds * 1000;

const ref = (name: string) => ({ Ref: name });
const arn = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });
const join = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });

/** Without a code key only the bucket is made: the code has to be in it before there can be a function. */
const withCode = { Condition: 'HasCode' };

export const template = {
  AWSTemplateFormatVersion: '2010-09-09',
  Description: 'Renders compositions with Step Functions, Lambda and S3.',
  Parameters: {
    CodeKey: { Type: 'String', Default: '', Description: 'Key of the code in the bucket; empty: none yet' },
    MemorySize: {
      Type: 'Number',
      Default: defaultMemory,
      MinValue: 2048,
      MaxValue: 10_240,
      Description: 'Megabytes of a worker; processors come with them',
    },
    ReservedConcurrency: {
      Type: 'Number',
      Default: 0,
      MinValue: 0,
      Description: 'Workers at once; 0: as many as the account has free',
    },
  },
  Conditions: {
    HasCode: { 'Fn::Not': [{ 'Fn::Equals': [ref('CodeKey'), ''] }] },
    HasReservation: { 'Fn::Not': [{ 'Fn::Equals': [ref('ReservedConcurrency'), 0] }] },
  },
  Resources: {
    RenderBucket: {
      Type: 'AWS::S3::Bucket',
      // Results are somebody's work: a stack that goes leaves them.
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
            // Without it, a key that does not exist is answered as forbidden.
            allow(['s3:ListBucket'], [arn('RenderBucket')]),
            // Pages run beside it without the browser's sandbox: whoever breaks out of one changes no code and no project.
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
          policy('Invoke', [allow(['lambda:InvokeFunction'], [arn('RenderFunction')])]),
          // Log delivery of Step Functions cannot be narrowed to a log group (its documentation, "Logging").
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
    RenderStateMachine: {
      ...withCode,
      Type: 'AWS::StepFunctions::StateMachine',
      Properties: {
        StateMachineType: 'STANDARD',
        RoleArn: arn('RenderMachineRole'),
        Definition: stateMachineDefinition,
        DefinitionSubstitutions: { RenderFunctionArn: arn('RenderFunction') },
        LoggingConfiguration: {
          Level: 'ERROR',
          // Variables may be personal data.
          IncludeExecutionData: false,
          Destinations: [{ CloudWatchLogsLogGroup: { LogGroupArn: arn('RenderMachineLogs') } }],
        },
      },
    },
    FailedRenders: alarm('Renders failed', 'AWS/States', 'ExecutionsFailed', 'StateMachineArn', 'RenderStateMachine', {
      Statistic: 'Sum',
      Threshold: 0,
    }),
    ThrottledWorkers: alarm('Workers were refused', 'AWS/Lambda', 'Throttles', 'FunctionName', 'RenderFunction', {
      Statistic: 'Sum',
      Threshold: 100,
    }),
    SlowChunks: alarm('A chunk came near its limit', 'AWS/Lambda', 'Duration', 'FunctionName', 'RenderFunction', {
      Statistic: 'Maximum',
      Threshold: slowChunkMs,
    }),
  },
  Outputs: {
    RenderBucketName: { Value: ref('RenderBucket') },
    RenderStateMachineArn: { ...withCode, Value: ref('RenderStateMachine') },
    RenderFunctionName: { ...withCode, Value: ref('RenderFunction') },
  },
};

function assumedBy(service: string) {
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  };
}

function policy(name: string, statements: unknown[]) {
  return { PolicyName: name, PolicyDocument: { Version: '2012-10-17', Statement: statements } };
}

function allow(actions: string[], resources: unknown[]) {
  return { Effect: 'Allow', Action: actions, Resource: resources };
}

/** In a period of five minutes; without data nothing is wrong. */
function alarm(
  description: string,
  namespace: string,
  metric: string,
  dimension: string,
  resource: string,
  limit: { Statistic: string; Threshold: number },
) {
  return {
    ...withCode,
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription: description,
      Namespace: namespace,
      MetricName: metric,
      Dimensions: [{ Name: dimension, Value: ref(resource) }],
      ...limit,
      Period: 300,
      EvaluationPeriods: 1,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    },
  };
}
