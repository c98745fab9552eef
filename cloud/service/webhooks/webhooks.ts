// Webhooks: queued when a render ends, and sent until the receiver accepts them.
import type { ServiceContext, ServicePart } from '../context.ts';
import { newId } from '../storage/ids.ts';
import type { RenderRow, Session } from '../storage/tables.ts';
import { createWebhookSender } from './webhookSender.ts';

/** Must be called in the transaction that ends the render. Does nothing if the render has no callback URL. */
export async function enqueueWebhook(session: Session, render: RenderRow, now: number): Promise<void> {
  const { callback_url: url, status } = render;
  if (url === null || (status !== 'completed' && status !== 'failed')) return;
  await session
    .insertInto('webhook_deliveries')
    .values({
      id: newId('whd'),
      account_id: render.account_id,
      render_id: render.id,
      url,
      target: targetOf(url),
      type: `render.${status}`,
      status: 'pending',
      attempts: 0,
      next_attempt_at: now,
      lease_owner: null,
      lease_expires_at: null,
      created_at: now,
    })
    // A render ends once and sends one webhook.
    .onConflict((conflict) => conflict.column('render_id').doNothing())
    .execute();
}

function targetOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** Polling also finds the webhooks that other instances have queued. */
const pollMs = 1000;

export async function startWebhooks(context: ServiceContext): Promise<ServicePart> {
  let isClosed = false;
  let isWoken = false;
  let polling: Promise<void> | undefined;
  const sender = createWebhookSender(context, { onAttemptEnd: () => wake() });
  const poll = async (): Promise<void> => {
    while (isWoken && !isClosed) {
      isWoken = false;
      await sender
        .sendDue()
        .catch((error: unknown) => context.log('error', 'webhooks could not be sent', { error: String(error) }));
    }
  };
  const wake = (): void => {
    isWoken = true;
    polling ??= poll().finally(() => {
      polling = undefined;
    });
  };
  const timer = setInterval(wake, pollMs);
  timer.unref();
  wake();
  return {
    wake,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await polling;
      await sender.idle();
    },
  };
}
