// `framework serverless policies`: what the commands have to be allowed, and whether they are.
import { checkPolicies } from '../serverless/checkPolicies.ts';
import { iamPolicies } from '../serverless/policies.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { openAccount } from './serverlessAccount.ts';

/** With `--check` the status is 1 when something is not allowed. */
export async function runPolicies(input: CommandInput, io: CliIo): Promise<number> {
  const { switches } = input;
  const account = openAccount(input, io);
  const policies = iamPolicies(account.stackName);
  if (!switches.has('check')) {
    io.stdout.write(`${JSON.stringify(policies, null, 2)}\n`);
    return 0;
  }
  const { principal, denied, allowed } = await checkPolicies(account.aws, policies);
  if (switches.has('json')) io.stdout.write(`${JSON.stringify({ principal, allowed, denied })}\n`);
  else {
    const colors = colorsFor(io.stdout, io.env);
    io.stdout.write(`${principal}: ${allowed.length} actions are allowed, ${denied.length} are not\n`);
    for (const { policy, action } of denied) io.stdout.write(`  ${colors.red('✗')} ${action} ${colors.dim(policy)}\n`);
  }
  return denied.length > 0 ? 1 : 0;
}
