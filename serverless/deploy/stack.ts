// Reads the deployed stack and its outputs.
import { type CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { UserError } from '../../renderer-core/errors.ts';
import { withAws } from '../awsErrors.ts';
import { stackProtocol } from './template.ts';

export const defaultStackName = 'framework-render';

/** `protocol`: that of the deployed version, see `stackProtocol`; undefined in versions before it existed. */
export type StackOutputs = {
  bucketName: string;
  stateMachineArn: string;
  functionName: string;
  /** The secret that signs webhooks; undefined if the stack sends none. */
  webhookSecretArn: string | undefined;
  protocol: string | undefined;
};

/** Undefined when the stack does not exist. */
export async function findStack(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
  return withAws(`Reading the stack ${name}`, async () => {
    try {
      const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
      return Stacks?.[0];
    } catch (error) {
      if (/does not exist/.test((error as Error).message)) return undefined;
      throw error;
    }
  });
}

export const outputOf = (stack: Stack | undefined, key: string): string | undefined =>
  stack?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue;

export const parameterOf = (stack: Stack | undefined, key: string): string | undefined =>
  stack?.Parameters?.find(({ ParameterKey }) => ParameterKey === key)?.ParameterValue;

/** Throws UserError `stack_not_found`. */
export async function stackOutputs(client: CloudFormationClient, name: string): Promise<StackOutputs> {
  const stack = await findStack(client, name);
  const bucketName = outputOf(stack, 'RenderBucketName');
  const stateMachineArn = outputOf(stack, 'RenderStateMachineArn');
  const functionName = outputOf(stack, 'RenderFunctionName');
  if (bucketName !== undefined && stateMachineArn !== undefined && functionName !== undefined)
    return {
      ...{ bucketName, stateMachineArn, functionName },
      webhookSecretArn: outputOf(stack, 'WebhookSecretArn'),
      protocol: outputOf(stack, 'RenderProtocol'),
    };
  throw new UserError('stack_not_found', `The stack ${name} is not deployed in this account and region`, {
    hint: 'Run framework serverless deploy, or check --stack-name and --region.',
  });
}

/** The stack for renders. Throws UserError `stack_not_found`, or `stack_incompatible` for the stack of another version. */
export async function renderStack(client: CloudFormationClient, name: string): Promise<StackOutputs> {
  const outputs = await stackOutputs(client, name);
  if (outputs.protocol === stackProtocol) return outputs;
  throw new UserError('stack_incompatible', `The stack ${name} was deployed by another version of framework`, {
    hint: 'Run framework serverless deploy with this version, or use the version that has deployed the stack.',
  });
}

/** The ARN of the secret that signs webhooks. Throws UserError `usage` if the stack sends none. */
export function secretOf({ webhookSecretArn }: StackOutputs, name: string): string {
  if (webhookSecretArn !== undefined) return webhookSecretArn;
  throw new UserError('usage', `The stack ${name} sends no webhooks`, {
    hint: 'Run framework serverless deploy --webhooks.',
  });
}
