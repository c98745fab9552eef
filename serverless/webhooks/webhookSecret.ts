// The secret that signs webhooks. It is made with the stack, and only the function that sends webhooks may read it.
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type AwsOptions, clientOptions } from '../aws.ts';
import { withAws } from '../awsErrors.ts';

// In a file of its own: only two bundles need this client.
export const secretsClient = (options: AwsOptions = {}): SecretsManagerClient =>
  new SecretsManagerClient(clientOptions(options));

/** Begins with `whsec_`, as Standard Webhooks wants it. AWS generates what follows: 32 letters and digits, which are valid base64. */
export async function webhookSecret(client: SecretsManagerClient, arn: string): Promise<string> {
  const { SecretString = '' } = await withAws('Reading the secret of the webhooks', () =>
    client.send(new GetSecretValueCommand({ SecretId: arn })),
  );
  return `whsec_${SecretString.replace(/^whsec_/, '')}`;
}
