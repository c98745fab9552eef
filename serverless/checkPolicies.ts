// Asks IAM's own simulator whether whoever calls may do what the commands need.
import { IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { AwsOptions } from './aws.ts';
import { withAws } from './awsErrors.ts';
import type { iamPolicies, PolicyName } from './policies.ts';

export type CheckedAction = { policy: PolicyName; action: string };

/**
 * Each statement with a resource of the kind that it names: asked about every resource there is, the simulator denies what is
 * allowed for some. Throws UserError.
 */
export async function checkPolicies(
  { region, profile }: AwsOptions,
  policies: ReturnType<typeof iamPolicies>,
): Promise<{ principal: string; allowed: CheckedAction[]; denied: CheckedAction[] }> {
  const options = { ...(region === undefined ? {} : { region }), ...(profile === undefined ? {} : { profile }) };
  const sts = new STSClient(options);
  const iam = new IAMClient(options);
  const { Arn = '', Account = '' } = await withAws('Asking who calls', () =>
    sts.send(new GetCallerIdentityCommand({})),
  );
  const principal = roleOf(Arn);
  const place = { region: await sts.config.region(), account: Account };
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
              ResourceArns: [exampleOf(resource, place)],
            }),
          ),
        );
        for (const { EvalActionName = '', EvalDecision } of EvaluationResults)
          if (EvalDecision === 'allowed') granted.add(EvalActionName);
      }
      // Of a bucket and what is in it, an action concerns one.
      for (const action of Action) (granted.has(action) ? allowed : denied).push({ policy, action });
    }
  }
  return { principal, allowed, denied };
}

/** One that the pattern fits: `arn:aws:lambda:*:*:function:render-*` in this account and region. */
function exampleOf(pattern: string, { region, account }: { region: string; account: string }): string {
  if (pattern === '*') return pattern;
  const [arn, partition, service, anyRegion, anyAccount, ...rest] = pattern.split(':');
  const place = [anyRegion === '*' ? region : anyRegion, anyAccount === '*' ? account : anyAccount];
  return [arn, partition, service, ...place, rest.join(':').replaceAll('*', 'example')].join(':');
}

/** Whoever has taken on a role is simulated as the role. */
const roleOf = (arn: string): string =>
  arn.replace(/^arn:(aws[\w-]*):sts::(\d+):assumed-role\/([^/]+)\/.*$/, 'arn:$1:iam::$2:role/$3');
