// The AWS account, region and stack of the serverless commands, with their clients.

import { UserError } from '../../../renderer-core/errors.ts';
import { given } from '../../../renderer-core/model/variables/given.ts';
import {
  type AwsOptions,
  cloudFormationClient,
  lambdaClient,
  pathStyleFrom,
  s3Client,
  stepFunctionsClient,
} from '../../../serverless/aws.ts';
import { type Bucket, openBucket } from '../../../serverless/bucket.ts';
import { defaultStackName, renderStack, type StackOutputs, stackOutputs } from '../../../serverless/deploy/stack.ts';
import { executionArnOf } from '../../../serverless/renders/execution.ts';
import type { CliIo, CommandInput } from '../../command.ts';

export type Account = {
  stackName: string;
  aws: AwsOptions;
  cloudFormation: ReturnType<typeof cloudFormationClient>;
  stepFunctions: ReturnType<typeof stepFunctionsClient>;
  lambda: ReturnType<typeof lambdaClient>;
  s3: ReturnType<typeof s3Client>;
  /** Empty if none is configured. */
  region(): Promise<string>;
  bucket(name: string): Bucket;
  /** Throws UserError `stack_not_found`. */
  outputs(): Promise<StackOutputs>;
  /** The stack for renders. Throws UserError `stack_not_found` or `stack_incompatible`. */
  renderStack(): Promise<StackOutputs>;
};

/** Creates the clients without sending requests. */
export function openAccount({ values }: CommandInput, io: CliIo): Account {
  const aws: AwsOptions = {
    pathStyle: pathStyleFrom(io.env),
    ...given({ region: values.get('region'), profile: values.get('profile') }),
  };
  const stackName = values.get('stack-name') ?? defaultStackName;
  const cloudFormation = cloudFormationClient(aws);
  const s3 = s3Client(aws);
  return {
    stackName,
    aws,
    cloudFormation,
    stepFunctions: stepFunctionsClient(aws),
    lambda: lambdaClient(aws),
    s3,
    region: () => cloudFormation.config.region().catch(() => ''),
    bucket: (name) => openBucket(s3, name, io.signal),
    outputs: () => stackOutputs(cloudFormation, stackName),
    renderStack: () => renderStack(cloudFormation, stackName),
  };
}

/** The ARN of the render that the command names by its id or ARN. Throws UserError `usage` or `stack_not_found`. */
export async function executionOf({ positionals }: CommandInput, account: Account, command: string): Promise<string> {
  const [id] = positionals;
  if (id === undefined) {
    throw new UserError('usage', 'the render id is missing', {
      hint: `Usage: framework serverless ${command} <render id or execution ARN>`,
    });
  }
  if (id.startsWith('arn:')) return id;
  return executionArnOf((await account.outputs()).stateMachineArn, id);
}
