// Checks with IAM's policy simulator whether the caller has the permissions that the commands need.
import { GetRoleCommand, IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { AwsOptions } from '../aws.ts';
import { withAws } from '../awsErrors.ts';
import type { iamPolicies, PolicyName } from './policies.ts';

export type CheckedAction = { policy: PolicyName; action: string };

/**
 * Simulates each statement with an example resource, because the simulator denies `*` when an action is allowed for some
 * resources only. Throws UserError.
 */
export async function checkPolicies(
  { region, profile }: AwsOptions,
  policies: ReturnType<typeof iamPolicies>,
): Promise<{ principal: string; allowed: CheckedAction[]; denied: CheckedAction[] }> {
  const options = { ...(region === undefined ? {} : { region }), ...(profile === undefined ? {} : { profile }) };
  const sts = new STSClient(options);
  const iam = new IAMClient(options);
  const { Arn = '', Account = '' } = await withAws('Reading the identity of the caller', () =>
    sts.send(new GetCallerIdentityCommand({})),
  );
  const principal = await principalOf(iam, Arn);
  const account = { region: await sts.config.region(), account: Account };
  const allowed: CheckedAction[] = [];
  const denied: CheckedAction[] = [];
  for (const policy of Object.keys(policies) as PolicyName[]) {
    for (const { Action, Resource } of policies[policy].Statement) {
      const granted = new Set<string>();
      for (const resource of [Resource].flat()) {
        const { EvaluationResults = [] } = await withAws('Simulating the policies', () =>
          iam.send(
            new SimulatePrincipalPolicyCommand({
              PolicySourceArn: principal,
              ActionNames: Action,
              ResourceArns: [exampleOf(resource, account)],
            }),
          ),
        );
        for (const { EvalActionName = '', EvalDecision } of EvaluationResults)
          if (EvalDecision === 'allowed') granted.add(EvalActionName);
      }
      // An action applies either to the bucket or to its objects.
      for (const action of Action) (granted.has(action) ? allowed : denied).push({ policy, action });
    }
  }
  return { principal, allowed, denied };
}

/** An ARN in this account and region that matches the pattern, such as `arn:aws:lambda:*:*:function:render-*`. */
function exampleOf(pattern: string, { region, account }: { region: string; account: string }): string {
  if (pattern === '*') return pattern;
  const [arn, partition, service, anyRegion, anyAccount, ...rest] = pattern.split(':');
  const scope = [anyRegion === '*' ? region : anyRegion, anyAccount === '*' ? account : anyAccount];
  return [arn, partition, service, ...scope, rest.join(':').replaceAll('*', 'example')].join(':');
}

/** The simulator accepts the ARN of a role, but not of its session. */
async function principalOf(iam: IAMClient, arn: string): Promise<string> {
  const [, partition, account, name] = /^arn:(aws[\w-]*):sts::(\d+):assumed-role\/([^/]+)\//.exec(arn) ?? [];
  if (name === undefined) return arn;
  const role = `arn:${partition}:iam::${account}:role/${name}`;
  // Roles of IAM Identity Center have a path, which the ARN of the session does not contain.
  if (!name.startsWith('AWSReservedSSO_')) return role;
  const { Role } = await withAws('Reading the role of the caller', () =>
    iam.send(new GetRoleCommand({ RoleName: name })),
  );
  return Role?.Arn ?? role;
}
