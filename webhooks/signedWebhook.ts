// The body of a webhook, which the hosted and the serverless service share, and its signature (Standard Webhooks).
import { Webhook } from 'standardwebhooks';

/** The JSON body. URLs are signed again for each attempt. */
export type WebhookBody = {
  type: 'render.completed' | 'render.failed';
  /** When the render ended, in ISO 8601. */
  timestamp: string;
  data: {
    render_id: string;
    status: string;
    callback_id: string | null;
    video_url: string | null;
    thumbnail_url: string | null;
    /** Seconds. */
    duration: number | null;
    failure_code: string | null;
    failure_message: string | null;
  };
};

export type SignedWebhook = { headers: Record<string, string>; body: string };

/**
 * `id` is the same for all attempts; `now` is in Unix milliseconds. `secret` must begin with `whsec_`. Throws if it does not.
 */
export function signedWebhook(
  content: WebhookBody,
  { id, secret, now }: { id: string; secret: string; now: number },
): SignedWebhook {
  const body = JSON.stringify(content);
  // The header has whole seconds.
  const at = Math.floor(now / 1000);
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'framework-webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': new Webhook(secret).sign(id, new Date(at * 1000), body),
    },
    body,
  };
}
