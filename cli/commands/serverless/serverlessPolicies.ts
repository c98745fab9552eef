// `framework serverless policies`: prints the IAM policies that the commands need, or checks the current credentials.
import { checkPolicies } from '../../../serverless/deploy/checkPolicies.ts';
import { iamPolicies, partitionOf } from '../../../serverless/deploy/policies.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { colorsFor } from '../../output/colors.ts';
import { openAccount } from './serverlessAccount.ts';

/** With `--check`, the exit status is 1 if an action is not allowed. */
export async function runPolicies(input: CommandInput, io: CliIo): Promise<number> {
  const { flags } = input;
  const account = openAccount(input, io);
  const policies = iamPolicies(account.stackName, partitionOf(await account.region()));
  if (!flags.has('check')) {
    io.stdout.write(`${JSON.stringify(policies, null, 2)}\n`);
    return 0;
  }
  const { principal, denied, allowed } = await checkPolicies(account.aws, policies);
  if (flags.has('json')) io.stdout.write(`${JSON.stringify({ principal, allowed, denied })}\n`);
  else {
    const colors = colorsFor(io.stdout, io.env);
    io.stdout.write(`${principal}: ${allowed.length} actions allowed, ${denied.length} denied\n`);
    for (const { policy, action } of denied) io.stdout.write(`  ${colors.red('✗')} ${action} ${colors.dim(policy)}\n`);
  }
  return denied.length > 0 ? 1 : 0;
}
