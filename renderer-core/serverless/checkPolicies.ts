// Asks IAM's own simulator whether whoever calls may do what the commands need.
import { IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { AwsOptions } from './aws.ts';
import { withAws } from './awsErrors.ts';
import type { iamPolicies, PolicyName } from './policies.ts';

export type CheckedAction = { policy: PolicyName; action: string };

/** The simulator takes so many actions at once. */
const actionsAtOnce = 50;

export async function checkPolicies(
  { region, profile }: AwsOptions,
  policies: ReturnType<typeof iamPolicies>,
): Promise<{ principal: string; allowed: CheckedAction[]; denied: CheckedAction[] }> {
  const options = { ...(region === undefined ? {} : { region }), ...(profile === undefined ? {} : { profile }) };
  const sts = new STSClient(options);
  const iam = new IAMClient(options);
  const { Arn = '' } = await withAws('Asking who calls', () => sts.send(new GetCallerIdentityCommand({})));
  const principal = roleOf(Arn);
  const allowed: CheckedAction[] = [];
  const denied: CheckedAction[] = [];
  for (const [policy, { Statement }] of Object.entries(policies) as [
    PolicyName,
    { Statement: { Action: string[] }[] },
  ][]) {
    const actions = Statement.flatMap(({ Action }) => Action);
    for (let from = 0; from < actions.length; from += actionsAtOnce) {
      const ActionNames = actions.slice(from, from + actionsAtOnce);
      const { EvaluationResults = [] } = await withAws('Simulating the policies', () =>
        iam.send(new SimulatePrincipalPolicyCommand({ PolicySourceArn: principal, ActionNames })),
      );
      for (const { EvalActionName: action = '', EvalDecision } of EvaluationResults)
        (EvalDecision === 'allowed' ? allowed : denied).push({ policy, action });
    }
  }
  return { principal, allowed, denied };
}

/** Whoever has taken on a role is simulated as the role. */
const roleOf = (arn: string): string =>
  arn.replace(/^arn:(aws[\w-]*):sts::(\d+):assumed-role\/([^/]+)\/.*$/, 'arn:$1:iam::$2:role/$3');
