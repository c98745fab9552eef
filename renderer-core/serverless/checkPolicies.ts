// Asks IAM's own simulator whether whoever calls may do what the commands need.
import { IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { AwsOptions } from './aws.ts';
import { withAws } from './awsErrors.ts';
import type { iamPolicies, PolicyName } from './policies.ts';

export type CheckedAction = { policy: PolicyName; action: string };

type PolicyDocument = ReturnType<typeof iamPolicies>[PolicyName];

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
  const account = Arn.split(':')[4] ?? '';
  const home = typeof iam.config.region === 'function' ? await iam.config.region() : iam.config.region;
  for (const [policy, { Statement }] of Object.entries(policies) as [PolicyName, PolicyDocument][]) {
    for (const { Action: ActionNames, Resource } of Statement) {
      const ResourceArns = [exampleOf(Resource, home, account)];
      const { EvaluationResults = [] } = await withAws('Simulating the policies', () =>
        iam.send(new SimulatePrincipalPolicyCommand({ PolicySourceArn: principal, ActionNames, ResourceArns })),
      );
      for (const { EvalActionName: action = '', EvalDecision } of EvaluationResults)
        (EvalDecision === 'allowed' ? allowed : denied).push({ policy, action });
    }
  }
  return { principal, allowed, denied };
}

/** A resource that the pattern means: without one, the simulator asks about `*`, which narrow policies never allow. */
function exampleOf(pattern: string, region: string, account: string): string {
  if (pattern === '*') return '*';
  const [arn, partition, service, ...rest] = pattern.split(':');
  const [where = '', who = '', ...name] = rest;
  const place = [where === '*' ? region : where, who === '*' ? account : who];
  return [arn, partition, service, ...place, ...name.map((part) => part.replaceAll('*', 'example'))].join(':');
}

/** Whoever has taken on a role is simulated as the role. */
const roleOf = (arn: string): string =>
  arn.replace(/^arn:(aws[\w-]*):sts::(\d+):assumed-role\/([^/]+)\/.*$/, 'arn:$1:iam::$2:role/$3');
