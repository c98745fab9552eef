// The body of a webhook, and its signature (Standard Webhooks).
import { Webhook } from 'standardwebhooks';
import type { RenderRecord } from '../../client/apiTypes.ts';
import { renderRecordOf } from '../api/renderRequests.ts';
import type { ServiceContext } from '../context.ts';
import type { RenderRow, WebhookDeliveryRow } from '../storage/tables.ts';

/** The JSON body. `video_url` and `thumbnail_url` are signed again for each attempt. */
export type WebhookBody = {
  type: WebhookDeliveryRow['type'];
  /** When the render ended, in ISO 8601. */
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

/** `secret` must begin with `whsec_`. Throws if it does not, or if a URL cannot be signed. */
export async function webhookMessage(
  context: ServiceContext,
  delivery: Pick<WebhookDeliveryRow, 'id' | 'type' | 'created_at'>,
  render: RenderRow,
  secret: string,
): Promise<WebhookMessage> {
  const body = JSON.stringify(await bodyOf(context, delivery, render));
  // The header has whole seconds.
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
  // Files of a deleted render are not handed out any more.
  const urls = render.deleted_at === null ? { video_url, thumbnail_url } : { video_url: null, thumbnail_url: null };
  return {
    type,
    timestamp: new Date(render.completed_at ?? created_at).toISOString(),
    data: { render_id, status, callback_id, ...urls, duration, failure_code, failure_message },
  };
}
