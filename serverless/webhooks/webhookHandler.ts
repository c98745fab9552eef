// The Lambda handler that sends webhooks. It has a role of its own: renders must not be able to read the secret.
import { postWebhook } from '../../webhooks/postWebhook.ts';
import { pathStyleFrom, s3Client, stepFunctionsClient } from '../aws.ts';
import { openBucket } from '../bucket.ts';
import { refusedError } from '../deploy/stateMachine.ts';
import { type WebhookTask, webhookOf } from './webhook.ts';
import { secretsClient, webhookSecret } from './webhookSecret.ts';

/** For the whole request. The function has more time, which it needs to start. */
const timeoutMs = 20_000;

const client = stepFunctionsClient();
const s3 = s3Client({ pathStyle: pathStyleFrom(process.env) });
const secrets = secretsClient();

/** Throws unless the receiver accepts the webhook; the state machine tries again, except after an error named `Framework.Refused`. */
export async function handler(task: WebhookTask): Promise<{ sent: boolean }> {
  const message = await webhookOf(task, { client, open: (name) => openBucket(s3, name), secret, now: Date.now });
  if (!message) return { sent: false };
  const allowPrivate = process.env.FRAMEWORK_PRIVATE_WEBHOOKS === '1';
  const { statusCode, error } = await postWebhook({ ...message, allowPrivate, timeoutMs });
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { sent: true };
  const reason = `The receiver has not accepted the webhook: ${error ?? `status ${statusCode}`}`;
  // The receiver does not want it any more.
  throw Object.assign(new Error(reason), { name: statusCode === 410 ? refusedError : 'Framework.WebhookFailed' });
}

/** Read for each webhook, because it may have been replaced. */
const secret = () => webhookSecret(secrets, process.env.WEBHOOK_SECRET_ARN ?? '');
