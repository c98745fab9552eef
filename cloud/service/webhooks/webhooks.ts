// Webhooks: what is to be told to whom when a render ends, and telling it until it is heard.
import type { ServiceContext, ServicePart } from './context.ts';
import { newId } from './ids.ts';
import type { RenderRow, Session } from './tables.ts';
import { createWebhookSender, type WebhookLimits } from './webhookSender.ts';

/** To be called in the transaction that ends the render: does nothing when nobody asked to be called back. */
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
    // A render ends once, and once is told.
    .onConflict((conflict) => conflict.column('render_id').doNothing())
    .execute();
}

function targetOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** What other instances write is found at the next look. */
const lookMs = 1000;

/** `limits` are for tests: waiting is what they are about. */
export async function startWebhooks(
  context: ServiceContext,
  limits: Partial<WebhookLimits> = {},
): Promise<ServicePart> {
  let isClosed = false;
  let isWanted = false;
  let looking: Promise<void> | undefined;
  const sender = createWebhookSender(context, { ...limits, onRoom: () => wake() });
  const look = async (): Promise<void> => {
    while (isWanted && !isClosed) {
      isWanted = false;
      await sender
        .begin()
        .catch((error: unknown) => context.log('error', 'webhooks could not be looked for', { error: String(error) }));
    }
  };
  const wake = (): void => {
    isWanted = true;
    looking ??= look().finally(() => {
      looking = undefined;
    });
  };
  const timer = setInterval(wake, lookMs);
  timer.unref();
  wake();
  return {
    wake,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await looking;
      await sender.idle();
    },
  };
}
