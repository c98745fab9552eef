// The caller and its permissions: doubles of AWS STS and of IAM's policy simulator.
import { runSimulation } from '@cloud-copilot/iam-simulate';

type Json = Record<string, unknown>;

const account = '000000000000';
const principal = `arn:aws:iam::${account}:user/tester`;

/** Returns the response; undefined for actions of other services. `policies`: all policies of the caller. */
export function identityCall(action: string, fields: Json, policies: Json[]): Promise<Json> | undefined {
  if (action === 'GetCallerIdentity') return Promise.resolve({ Arn: principal, UserId: 'TESTER', Account: account });
  return action === 'SimulatePrincipalPolicy' ? simulate(fields, policies) : undefined;
}

async function simulate({ ActionNames, ResourceArns }: Json, policies: Json[]): Promise<Json> {
  const [resource = '*'] = (ResourceArns ?? []) as string[];
  const rows = (ActionNames as string[]).map(async (EvalActionName) => ({
    EvalActionName,
    EvalResourceName: resource,
    // Actions of other resource types are not allowed for this one.
    EvalDecision: (await isAllowed(EvalActionName, resource, policies).catch(() => false)) ? 'allowed' : 'implicitDeny',
  }));
  return { IsTruncated: false, EvaluationResults: await Promise.all(rows) };
}

/** Whether these policies allow the action. Throws if the action does not apply to the resource. */
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
  if (result.resultType === 'error' && result.errors.message === 'multiple.resource.types')
    return isListed(action, resource, policies);
  if (result.resultType === 'error') throw new Error(`${action} on ${resource}: ${JSON.stringify(result.errors)}`);
  return result.overallResult === 'Allowed';
}

/** For actions that the simulator cannot decide: versions and aliases of a function have ARNs of the same form. */
export function isListed(action: string, resource: string, policies: Json[]): boolean {
  type Statement = { Action: string[]; Resource: string | string[] };
  const statements = policies.flatMap((policy) => policy.Statement as Statement[]);
  const matches = (pattern: string) =>
    new RegExp(
      `^${pattern
        .split('*')
        .map((part) => part.replaceAll('.', '\\.'))
        .join('.*')}$`,
    ).test(resource);
  return statements.some(({ Action, Resource }) => Action.includes(action) && [Resource].flat().some(matches));
}
