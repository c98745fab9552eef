// `framework serverless webhook-secret`: shows the secret that signs webhooks.
import { secretOf } from '../../../serverless/deploy/stack.ts';
import { secretsClient, webhookSecret } from '../../../serverless/webhooks/webhookSecret.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { openAccount } from './serverlessAccount.ts';

/** Returns 0; throws UserError. */
export async function runWebhookSecret(input: CommandInput, io: CliIo): Promise<number> {
  const account = openAccount(input, io);
  const arn = secretOf(await account.outputs(), account.stackName);
  const client = secretsClient(account.aws);
  try {
    const secret = await webhookSecret(client, arn);
    io.stdout.write(input.flags.has('json') ? `${JSON.stringify({ secret, arn })}\n` : `${secret}\n`);
    return 0;
  } finally {
    client.destroy();
  }
}
