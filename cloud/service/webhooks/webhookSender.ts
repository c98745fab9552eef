// Sends the webhooks that are due, many at once, but few to one target and for one account.
import type { ServiceContext } from './context.ts';
import type { WebhookDeliveryRow } from './tables.ts';
import { type Claim, claimDelivery, dueDeliveries, finishAttempt } from './webhookDeliveries.ts';
import { webhookMessage } from './webhookMessage.ts';
import { postWebhook, type WebhookAnswer } from './webhookRequest.ts';

export type WebhookLimits = {
  /** At once, in this process. */
  total: number;
  perAccount: number;
  /** Of one host and port: a receiver that is slow fills its own places and no others. */
  perTarget: number;
  /** For one attempt. */
  timeoutMs: number;
};

export type WebhookSender = {
  /** Takes what is due, as far as there is room, and begins to send it. */
  begin(): Promise<void>;
  /** When everything that was begun has ended. */
  idle(): Promise<void>;
};

const usualLimits: WebhookLimits = { total: 40, perAccount: 8, perTarget: 4, timeoutMs: 15_000 };
/** An attempt is over long before its lease, so that nobody else takes what is still being sent. */
const leaseFactor = 2;

/** `onRoom` is called when an attempt has ended. */
export function createWebhookSender(
  context: ServiceContext,
  { onRoom, ...given }: Partial<WebhookLimits> & { onRoom?: () => void } = {},
): WebhookSender {
  const limits = { ...usualLimits, ...given };
  const { database, now, instance } = context;
  const inHand = new Map<WebhookDeliveryRow, Promise<void>>();
  const full = () => ({
    accounts: reached(inHand.keys(), ({ account_id }) => account_id, limits.perAccount),
    targets: reached(inHand.keys(), ({ target }) => target, limits.perTarget),
  });
  const hasRoom = ({ account_id, target }: WebhookDeliveryRow): boolean => {
    const { accounts, targets } = full();
    return inHand.size < limits.total && !accounts.includes(account_id) && !targets.includes(target);
  };
  const send = (claim: Claim): void => {
    const { delivery } = claim;
    const ended = attempt(context, claim, limits.timeoutMs).finally(() => {
      inHand.delete(delivery);
      onRoom?.();
    });
    inHand.set(delivery, ended);
  };
  return {
    async begin() {
      for (let begun = 1; begun > 0 && inHand.size < limits.total; ) {
        begun = 0;
        const limit = limits.total - inHand.size;
        for (const delivery of await dueDeliveries(database, { now: now(), limit, full: full() })) {
          if (!hasRoom(delivery)) continue;
          const lease = { now: now(), owner: instance, leaseMs: leaseFactor * limits.timeoutMs };
          const claim = await claimDelivery(database, delivery, lease);
          if (!claim) continue;
          send(claim);
          begun++;
        }
      }
    },
    async idle() {
      await Promise.all(inHand.values());
    },
  };
}

/** Which of them have `most` or more. */
function reached(rows: Iterable<WebhookDeliveryRow>, keyOf: (row: WebhookDeliveryRow) => string, most: number) {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= most).map(([key]) => key);
}

/** Never throws: what cannot be written down is attempted again when the lease has run out. */
async function attempt(context: ServiceContext, claim: Claim, timeoutMs: number): Promise<void> {
  const { delivery } = claim;
  const facts = { delivery: delivery.id, render: delivery.render_id, attempt: delivery.attempts };
  try {
    const begun = performance.now();
    const answer = await sendOnce(context, delivery, timeoutMs);
    const durationMs = Math.round(performance.now() - begun);
    const now = context.now();
    const status = await finishAttempt(context.database, claim, { answer, durationMs, now });
    const level = status === 'failed' ? 'warn' : 'info';
    context.log(level, 'webhook attempted', { ...facts, status, statusCode: answer.statusCode, durationMs });
  } catch (error) {
    context.log('error', 'webhook could not be recorded', { ...facts, error: String(error) });
  }
}

async function sendOnce(
  context: ServiceContext,
  delivery: WebhookDeliveryRow,
  timeoutMs: number,
): Promise<WebhookAnswer> {
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
