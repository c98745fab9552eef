// The message of a webhook about a render of this service.
import { type SignedWebhook, signedWebhook, type WebhookBody } from '../../../webhooks/signedWebhook.ts';
import { renderRecordOf } from '../api/renderRequests.ts';
import type { ServiceContext } from '../context.ts';
import type { RenderRow, WebhookDeliveryRow } from '../storage/tables.ts';

/** `secret` must begin with `whsec_`. Throws if it does not, or if a URL cannot be signed. */
export async function webhookMessage(
  context: ServiceContext,
  delivery: Pick<WebhookDeliveryRow, 'id' | 'type' | 'created_at'>,
  render: RenderRow,
  secret: string,
): Promise<SignedWebhook> {
  const body = await bodyOf(context, delivery, render);
  return signedWebhook(body, { id: delivery.id, secret, now: context.now() });
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
