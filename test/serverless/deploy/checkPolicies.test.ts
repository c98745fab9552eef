// Checking the printed policies with IAM's simulator.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { runSimulation } from '@cloud-copilot/iam-simulate';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkPolicies } from '../../../serverless/deploy/checkPolicies.ts';
import { iamPolicies } from '../../../serverless/deploy/policies.ts';
import { isListed } from '../../aws/identity.ts';
import { listenInTest } from '../../support/servers/listen.ts';

const account = '123456789012';

/** STS and the simulator of IAM for a role with `attached`; without a resource it is asked about `*`, as IAM's own. */
async function iamWith(attached: object[], role = 'ci', path = ''): Promise<void> {
  const decide = async (action: string, resource: string): Promise<string> => {
    const request = {
      principal: `arn:aws:iam::${account}:role/ci`,
      action,
      resource: { resource, accountId: account },
      contextVariables: {},
    };
    const policies = {
      identityPolicies: attached.map((policy, index) => ({ name: `p${index}`, policy })),
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    };
    const result = await runSimulation({ request, ...policies } as never, {});
    if (result.resultType === 'error' && result.errors.message === 'multiple.resource.types')
      return isListed(action, resource, attached as Record<string, unknown>[]) ? 'allowed' : 'implicitDeny';
    return 'overallResult' in result && result.overallResult === 'Allowed' ? 'allowed' : 'implicitDeny';
  };
  const server = createServer(async (request, response) => {
    const fields = new URLSearchParams(await text(request));
    const many = (name: string) =>
      [...fields].filter(([key]) => key.startsWith(`${name}.member.`)).map(([, value]) => value);
    response.setHeader('content-type', 'text/xml');
    if (fields.get('Action') === 'GetCallerIdentity') {
      const arn = `arn:aws:sts::${account}:assumed-role/${role}/session`;
      response.end(
        `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${arn}</Arn><Account>${account}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
      );
      return;
    }
    if (fields.get('Action') === 'GetRole') {
      const name = fields.get('RoleName');
      const arn = `arn:aws:iam::${account}:role/${path}${name}`;
      response.end(`<GetRoleResponse><GetRoleResult><Role><Arn>${arn}</Arn></Role></GetRoleResult></GetRoleResponse>`);
      return;
    }
    const [resource = '*'] = many('ResourceArns');
    const members = await Promise.all(
      many('ActionNames').map(async (action) => {
        const decision = await decide(action, resource);
        return `<member><EvalActionName>${action}</EvalActionName><EvalDecision>${decision}</EvalDecision></member>`;
      }),
    );
    response.end(
      `<SimulatePrincipalPolicyResponse><SimulatePrincipalPolicyResult><EvaluationResults>${members.join('')}</EvaluationResults></SimulatePrincipalPolicyResult></SimulatePrincipalPolicyResponse>`,
    );
  });
  const endpoint = await listenInTest(server);
  for (const [name, value] of Object.entries({
    AWS_ENDPOINT_URL_IAM: endpoint,
    AWS_ENDPOINT_URL_STS: endpoint,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  }))
    vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test('allows everything with both policies', async () => {
  const policies = iamPolicies('render');
  await iamWith(Object.values(policies));
  const { principal, allowed, denied } = await checkPolicies({ region: 'eu-west-1' }, policies);
  expect(principal).toBe(`arn:aws:iam::${account}:role/ci`);
  expect(denied).toEqual([]);
  expect(allowed).toContainEqual({ policy: 'deploy', action: 'lambda:CreateFunction' });
});

test('lists the permissions for deploying that a caller with the render policy lacks', async () => {
  const policies = iamPolicies('render');
  await iamWith([policies.render]);
  const { denied } = await checkPolicies({ region: 'eu-west-1' }, policies);
  expect(new Set(denied.map(({ policy }) => policy))).toEqual(new Set(['deploy']));
  expect(denied).toContainEqual({ policy: 'deploy', action: 'iam:PassRole' });
});

test('finds the path of a role of IAM Identity Center', async () => {
  const policies = iamPolicies('render');
  const role = 'AWSReservedSSO_Developers_0123456789abcdef';
  await iamWith(Object.values(policies), role, 'aws-reserved/sso.amazonaws.com/eu-west-1/');
  const { principal } = await checkPolicies({ region: 'eu-west-1' }, policies);
  expect(principal).toBe(`arn:aws:iam::${account}:role/aws-reserved/sso.amazonaws.com/eu-west-1/${role}`);
});
