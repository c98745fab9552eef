// What a webhook says, and the signature that shows who said it (Standard Webhooks).
import { Webhook } from 'standardwebhooks';
import type { ServiceContext } from './context.ts';
import type { RenderRow, WebhookDeliveryRow } from './tables.ts';

/** The body, as JSON. `video_url` and `thumbnail_url` are signed anew for each attempt. */
export type WebhookBody = {
  type: WebhookDeliveryRow['type'];
  /** When the render ended, ISO 8601. */
  timestamp: string;
  data: {
    render_id: string;
    status: 'completed' | 'failed';
    callback_id: string | null;
    video_url: string | null;
    thumbnail_url: string | null;
    /** Seconds. */
    duration: number | null;
    failure_code: string | null;
    failure_message: string | null;
  };
};

export type WebhookMessage = { headers: Record<string, string>; body: string };

/** `secret` begins with `whsec_`. Throws when that is not so, or when no URL can be signed. */
export async function webhookMessage(
  context: Pick<ServiceContext, 'objects' | 'settings' | 'now'>,
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
  context: Pick<ServiceContext, 'objects' | 'settings' | 'now'>,
  { type, created_at }: Pick<WebhookDeliveryRow, 'type' | 'created_at'>,
  render: RenderRow,
): Promise<WebhookBody> {
  const isDone = type === 'render.completed';
  const url = (key: string | null) => (isDone && key !== null ? signedUrl(context, render, key) : null);
  return {
    type,
    timestamp: new Date(render.completed_at ?? created_at).toISOString(),
    data: {
      render_id: render.id,
      status: isDone ? 'completed' : 'failed',
      callback_id: render.callback_id,
      video_url: await url(render.video_key),
      thumbnail_url: await url(render.thumbnail_key),
      duration: render.duration,
      failure_code: render.failure_code,
      failure_message: render.failure_message,
    },
  };
}

const contentTypes: Record<string, string> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

function signedUrl(
  { objects, settings, now }: Pick<ServiceContext, 'objects' | 'settings' | 'now'>,
  render: RenderRow,
  key: string,
): Promise<string> {
  const extension = key.slice(key.lastIndexOf('.') + 1);
  return objects.signedUrl(key, {
    expiresAt: now() + settings.urlLifetime * 1000,
    filename: `${render.id}.${extension}`,
    contentType: contentTypes[extension] ?? 'application/octet-stream',
  });
}
