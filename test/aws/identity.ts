// Who calls, and what they may: AWS STS, and IAM's simulator of policies over an interpreter of them.
import { runSimulation } from '@cloud-copilot/iam-simulate';

type Json = Record<string, unknown>;

const account = '000000000000';
const principal = `arn:aws:iam::${account}:user/tester`;

/** What the action answers; undefined for other services' actions. `policies` are all that the caller has. */
export function identityCall(action: string, fields: Json, policies: Json[]): Promise<Json> | undefined {
  if (action === 'GetCallerIdentity') return Promise.resolve({ Arn: principal, UserId: 'TESTER', Account: account });
  return action === 'SimulatePrincipalPolicy' ? simulate(fields, policies) : undefined;
}

async function simulate({ ActionNames, ResourceArns }: Json, policies: Json[]): Promise<Json> {
  const [resource = '*'] = (ResourceArns ?? []) as string[];
  const rows = (ActionNames as string[]).map(async (EvalActionName) => ({
    EvalActionName,
    EvalResourceName: resource,
    // An action of another kind of resource is allowed for none of this kind.
    EvalDecision: (await isAllowed(EvalActionName, resource, policies).catch(() => false)) ? 'allowed' : 'implicitDeny',
  }));
  return { IsTruncated: false, EvaluationResults: await Promise.all(rows) };
}

/** Whether these policies, and no others, allow it. Throws when the action is not one of that resource. */
export async function isAllowed(action: string, resource: string, policies: Json[]): Promise<boolean> {
  const result = await runSimulation(
    {
      request: { principal, action, resource: { resource, accountId: account }, contextVariables: {} },
      identityPolicies: policies.map((policy, index) => ({ name: `policy-${index}`, policy })),
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (result.resultType === 'error') throw new Error(`${action} on ${resource}: ${JSON.stringify(result.errors)}`);
  return result.overallResult === 'Allowed';
}
