// The part of the stack that sends webhooks: a rule for ended renders, a state machine that tries again, and a function with the secret.
import {
  alarm,
  allow,
  arn,
  assumedBy,
  join,
  logDays,
  policy,
  ref,
  statesArn,
  withCode,
} from '../deploy/templateParts.ts';
import { attemptSeconds, endedRenders, webhookMachineDefinition } from './webhookMachine.ts';

const renderMachine = { 'Fn::GetAtt': ['RenderStateMachine', 'Name'] };
const executionsOfRenders = statesArn('execution', renderMachine, ':*');
const executionsOfChunks = statesArn('execution', renderMachine, '/*');
const mapRunsOfRenders = statesArn('mapRun', renderMachine, '/*');

export const webhookResources = {
  WebhookSecret: {
    ...withCode,
    Type: 'AWS::SecretsManager::Secret',
    Properties: {
      Description: 'Signs webhooks. The command framework serverless webhook-secret shows it.',
      // Letters and digits only, so that it is base64.
      GenerateSecretString: { PasswordLength: 32, ExcludePunctuation: true },
    },
  },
  WebhookFunctionLogs: {
    ...withCode,
    Type: 'AWS::Logs::LogGroup',
    DeletionPolicy: 'Delete',
    UpdateReplacePolicy: 'Delete',
    Properties: { RetentionInDays: logDays },
  },
  WebhookFunctionRole: {
    ...withCode,
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: assumedBy('lambda.amazonaws.com'),
      Policies: [
        policy('Secret', [allow(['secretsmanager:GetSecretValue'], [ref('WebhookSecret')])]),
        policy('Renders', [
          allow(
            ['states:DescribeExecution', 'states:GetExecutionHistory', 'states:ListMapRuns'],
            [executionsOfRenders],
          ),
          // The chunk that failed.
          allow(['states:DescribeExecution'], [executionsOfChunks]),
          allow(['states:ListExecutions'], [mapRunsOfRenders]),
          // The URL of the video is signed with the permissions of this role.
          allow(['s3:GetObject'], [join(arn('RenderBucket'), '/*')]),
          allow(['s3:ListBucket'], [arn('RenderBucket')]),
        ]),
        policy('Logs', [allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [arn('WebhookFunctionLogs')])]),
      ],
    },
  },
  WebhookFunction: {
    ...withCode,
    Type: 'AWS::Lambda::Function',
    Properties: {
      Description: 'Sends the webhook of a render that has ended.',
      Runtime: 'nodejs22.x',
      Architectures: ['x86_64'],
      Handler: 'webhook.handler',
      Role: arn('WebhookFunctionRole'),
      Code: { S3Bucket: ref('RenderBucket'), S3Key: ref('CodeKey') },
      MemorySize: 512,
      Timeout: attemptSeconds,
      Environment: { Variables: { WEBHOOK_SECRET_ARN: ref('WebhookSecret') } },
      LoggingConfig: { LogGroup: ref('WebhookFunctionLogs'), LogFormat: 'JSON' },
    },
  },
  WebhookMachineRole: {
    ...withCode,
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: assumedBy('states.amazonaws.com'),
      Policies: [policy('Invoke', [allow(['lambda:InvokeFunction'], [arn('WebhookFunction')])])],
    },
  },
  WebhookStateMachine: {
    ...withCode,
    Type: 'AWS::StepFunctions::StateMachine',
    Properties: {
      StateMachineType: 'STANDARD',
      RoleArn: arn('WebhookMachineRole'),
      Definition: webhookMachineDefinition,
      DefinitionSubstitutions: { WebhookFunctionArn: arn('WebhookFunction') },
    },
  },
  WebhookRuleRole: {
    ...withCode,
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: assumedBy('events.amazonaws.com'),
      Policies: [policy('Start', [allow(['states:StartExecution'], [ref('WebhookStateMachine')])])],
    },
  },
  WebhookRule: {
    ...withCode,
    Type: 'AWS::Events::Rule',
    Properties: {
      Description: 'Renders with a callback URL that have ended',
      EventPattern: endedRenders(ref('RenderStateMachine')),
      Targets: [{ Id: 'Webhook', Arn: ref('WebhookStateMachine'), RoleArn: arn('WebhookRuleRole') }],
    },
  },
  FailedWebhooks: alarm('Webhooks failed', 'AWS/States', 'ExecutionsFailed', 'StateMachineArn', 'WebhookStateMachine', {
    Statistic: 'Sum',
    Threshold: 0,
  }),
};
