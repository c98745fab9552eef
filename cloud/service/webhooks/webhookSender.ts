// Sends webhooks that are due: many at once, but few to the same target or for the same account.

import { postWebhook, type WebhookResponse } from '../../../webhooks/postWebhook.ts';
import { type SignedWebhook, signedWebhook, type WebhookBody } from '../../../webhooks/signedWebhook.ts';
import { renderRecordOf } from '../api/renderRequests.ts';
import type { ServiceContext } from '../context.ts';
import type { RenderRow, WebhookDeliveryRow } from '../storage/tables.ts';
import { type DeliveryLease, dueDeliveries, finishAttempt, leaseDelivery } from './webhookDeliveries.ts';

export type WebhookLimits = {
  /** Maximum number of attempts at once in this process. */
  total: number;
  perAccount: number;
  /** Per host and port, so that a slow receiver only delays its own webhooks. */
  perTarget: number;
  /** The time limit of one attempt. */
  timeoutMs: number;
};

export type WebhookSender = {
  /** Starts sending the webhooks that are due, up to the limits. */
  sendDue(): Promise<void>;
  /** Resolves when all started attempts have ended. */
  idle(): Promise<void>;
};

const defaultLimits: WebhookLimits = { total: 40, perAccount: 8, perTarget: 4, timeoutMs: 15_000 };
/** The lease is longer than an attempt, so no other instance sends a webhook that is still being sent. */
const leaseFactor = 2;

/** `onAttemptEnd` is called after each attempt, when another webhook can be sent. */
export function createWebhookSender(
  context: ServiceContext,
  { onAttemptEnd, ...customLimits }: Partial<WebhookLimits> & { onAttemptEnd?: () => void } = {},
): WebhookSender {
  const limits = { ...defaultLimits, ...customLimits };
  const { database, now, instance } = context;
  const inProgress = new Map<WebhookDeliveryRow, Promise<void>>();
  const full = () => ({
    accounts: keysAtLimit(inProgress.keys(), ({ account_id }) => account_id, limits.perAccount),
    targets: keysAtLimit(inProgress.keys(), ({ target }) => target, limits.perTarget),
  });
  const hasCapacity = ({ account_id, target }: WebhookDeliveryRow): boolean => {
    const { accounts, targets } = full();
    return inProgress.size < limits.total && !accounts.includes(account_id) && !targets.includes(target);
  };
  const send = (lease: DeliveryLease): void => {
    const { delivery } = lease;
    const ended = attempt(context, lease, limits.timeoutMs).finally(() => {
      inProgress.delete(delivery);
      onAttemptEnd?.();
    });
    inProgress.set(delivery, ended);
  };
  return {
    async sendDue() {
      for (let started = 1; started > 0 && inProgress.size < limits.total; ) {
        started = 0;
        const limit = limits.total - inProgress.size;
        for (const delivery of await dueDeliveries(database, { now: now(), limit, full: full() })) {
          if (!hasCapacity(delivery)) continue;
          const terms = { now: now(), owner: instance, leaseMs: leaseFactor * limits.timeoutMs };
          const lease = await leaseDelivery(database, delivery, terms);
          if (!lease) continue;
          send(lease);
          started++;
        }
      }
    },
    async idle() {
      await Promise.all(inProgress.values());
    },
  };
}

/** Returns the keys that occur in `max` or more rows. */
function keysAtLimit(rows: Iterable<WebhookDeliveryRow>, keyOf: (row: WebhookDeliveryRow) => string, max: number) {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= max).map(([key]) => key);
}

/** Never throws. An attempt whose result cannot be stored is repeated when its lease has expired. */
async function attempt(context: ServiceContext, lease: DeliveryLease, timeoutMs: number): Promise<void> {
  const { delivery } = lease;
  const facts = { delivery: delivery.id, render: delivery.render_id, attempt: delivery.attempts };
  try {
    const started = context.now();
    const response = await sendOnce(context, delivery, timeoutMs);
    const now = context.now();
    const durationMs = Math.max(0, now - started);
    const status = await finishAttempt(context.database, lease, {
      response,
      durationMs,
      now,
      random: context.random(),
    });
    context.metrics.webhookAttempted(status);
    const level = status === 'failed' ? 'warn' : 'info';
    context.log(level, 'webhook attempted', { ...facts, status, statusCode: response.statusCode, durationMs });
  } catch (error) {
    context.log('error', 'webhook could not be recorded', { ...facts, error: String(error) });
  }
}

async function sendOnce(
  context: ServiceContext,
  delivery: WebhookDeliveryRow,
  timeoutMs: number,
): Promise<WebhookResponse> {
  const { database, settings, log } = context;
  try {
    const [render, account] = await Promise.all([
      database.selectFrom('renders').selectAll().where('id', '=', delivery.render_id).executeTakeFirstOrThrow(),
      database
        .selectFrom('accounts')
        .select('webhook_secret')
        .where('id', '=', delivery.account_id)
        .executeTakeFirstOrThrow(),
    ]);
    const message = await webhookMessage(context, delivery, render, account.webhook_secret);
    return await postWebhook({
      ...message,
      url: delivery.url,
      allowPrivate: settings.allowPrivateTargets,
      timeoutMs,
    });
  } catch (error) {
    log('error', 'webhook could not be built', { delivery: delivery.id, error: (error as Error).name });
    return { statusCode: null, error: 'the service could not build the message' };
  }
}

/** `secret` must begin with `whsec_`. Throws if it does not, or if a URL cannot be signed. */
async function webhookMessage(
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
