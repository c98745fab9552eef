// What a webhook says, and the signature that shows who said it (Standard Webhooks).
import { Webhook } from 'standardwebhooks';
import type { RenderRecord } from '../cloud/apiTypes.ts';
import type { ServiceContext } from './context.ts';
import { renderRecordOf } from './renders.ts';
import type { RenderRow, WebhookDeliveryRow } from './tables.ts';

/** The body, as JSON. `video_url` and `thumbnail_url` are signed anew for each attempt. */
export type WebhookBody = {
  type: WebhookDeliveryRow['type'];
  /** When the render ended, ISO 8601. */
  timestamp: string;
  data: Pick<
    RenderRecord,
    | 'render_id'
    | 'status'
    | 'callback_id'
    | 'video_url'
    | 'thumbnail_url'
    | 'duration'
    | 'failure_code'
    | 'failure_message'
  >;
};

export type WebhookMessage = { headers: Record<string, string>; body: string };

/** `secret` begins with `whsec_`. Throws when that is not so, or when no URL can be signed. */
export async function webhookMessage(
  context: ServiceContext,
  delivery: Pick<WebhookDeliveryRow, 'id' | 'type' | 'created_at'>,
  render: RenderRow,
  secret: string,
): Promise<WebhookMessage> {
  const body = JSON.stringify(await bodyOf(context, delivery, render));
  // Whole seconds, as they stand in the header.
  const at = Math.floor(context.now() / 1000);
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'framework-webhooks/1',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(at),
      'webhook-signature': new Webhook(secret).sign(delivery.id, new Date(at * 1000), body),
    },
    body,
  };
}

async function bodyOf(
  context: ServiceContext,
  { type, created_at }: Pick<WebhookDeliveryRow, 'type' | 'created_at'>,
  render: RenderRow,
): Promise<WebhookBody> {
  const { render_id, status, callback_id, video_url, thumbnail_url, duration, failure_code, failure_message } =
    await renderRecordOf(context, render);
  // What its owner has deleted since is not handed out any more.
  const urls = render.deleted_at === null ? { video_url, thumbnail_url } : { video_url: null, thumbnail_url: null };
  return {
    type,
    timestamp: new Date(render.completed_at ?? created_at).toISOString(),
    data: { render_id, status, callback_id, ...urls, duration, failure_code, failure_message },
  };
}
