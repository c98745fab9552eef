// Deliveries of webhooks in the database: taking those that are due, and writing down what came of each attempt.
import { newId } from './ids.ts';
import type { Database, Session, WebhookAttemptRow, WebhookDeliveryRow } from './tables.ts';
import type { WebhookAnswer } from './webhookRequest.ts';
import { webhookWait } from './webhookSchedule.ts';

/** A delivery that this instance alone may attempt, until `until`. */
export type Claim = { delivery: WebhookDeliveryRow; attemptId: string; owner: string; until: number };

/** What an attempt says until its end is known: for good, when the process was killed. */
const unfinished = 'no result: the attempt is under way, or the service ended during it';

/** Those that nobody attempts and that wait the longest; none of the accounts and targets of which enough is in hand. */
export function dueDeliveries(
  database: Database,
  { now, limit, full }: { now: number; limit: number; full: { accounts: string[]; targets: string[] } },
): Promise<WebhookDeliveryRow[]> {
  return database
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', now)
    .where(({ eb, or }) => or([eb('lease_expires_at', 'is', null), eb('lease_expires_at', '<=', now)]))
    .$if(full.accounts.length > 0, (query) => query.where('account_id', 'not in', full.accounts))
    .$if(full.targets.length > 0, (query) => query.where('target', 'not in', full.targets))
    .orderBy('next_attempt_at')
    .limit(limit)
    .execute();
}

/** Undefined when another instance was faster. The attempt is written down before it is made: none is ever unknown. */
export function claimDelivery(
  database: Database,
  delivery: WebhookDeliveryRow,
  { now, owner, leaseMs }: { now: number; owner: string; leaseMs: number },
): Promise<Claim | undefined> {
  const until = now + leaseMs;
  return database.transaction().execute(async (session) => {
    const { numUpdatedRows } = await session
      .updateTable('webhook_deliveries')
      .set(({ eb }) => ({ lease_owner: owner, lease_expires_at: until, attempts: eb('attempts', '+', 1) }))
      .where('id', '=', delivery.id)
      .where('status', '=', 'pending')
      .where('next_attempt_at', '<=', now)
      .where(({ eb, or }) => or([eb('lease_expires_at', 'is', null), eb('lease_expires_at', '<=', now)]))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) return undefined;
    const attemptId = newId('wha');
    const attempt = { id: attemptId, delivery_id: delivery.id, at: now, status_code: null, duration_ms: 0 };
    await session
      .insertInto('webhook_attempts')
      .values({ ...attempt, error: unfinished })
      .execute();
    return { delivery: { ...delivery, attempts: delivery.attempts + 1 }, attemptId, owner, until };
  });
}

/** Any 2xx ends it, and 410 says that nobody will ever be there; everything else is tried again until the waits are over. */
export function finishAttempt(
  database: Database,
  claim: Claim,
  { answer, durationMs, now }: { answer: WebhookAnswer; durationMs: number; now: number },
): Promise<WebhookDeliveryRow['status']> {
  const { delivery, attemptId } = claim;
  return database.transaction().execute(async (session) => {
    await session
      .updateTable('webhook_attempts')
      .set({ status_code: answer.statusCode, error: answer.error, duration_ms: durationMs })
      .where('id', '=', attemptId)
      .execute();
    const code = answer.statusCode ?? 0;
    if (code >= 200 && code < 300) return end(session, delivery.id);
    const wait = code === 410 ? undefined : webhookWait(delivery.attempts, Math.random());
    return tryLater(session, claim, wait === undefined ? undefined : now + wait);
  });
}

/** True whoever holds it now: it was heard. */
async function end(session: Session, id: string): Promise<'delivered'> {
  await session
    .updateTable('webhook_deliveries')
    .set({ status: 'delivered', next_attempt_at: null, lease_owner: null, lease_expires_at: null })
    .where('id', '=', id)
    .execute();
  return 'delivered';
}

/** Changes nothing when the claim ran out and somebody else has it, or when it was made due again meanwhile. */
async function tryLater(session: Session, claim: Claim, at: number | undefined): Promise<'pending' | 'failed'> {
  const status = at === undefined ? 'failed' : 'pending';
  await session
    .updateTable('webhook_deliveries')
    .set({ status, next_attempt_at: at ?? null, lease_owner: null, lease_expires_at: null })
    .where('id', '=', claim.delivery.id)
    .where('status', '=', 'pending')
    .where('lease_owner', '=', claim.owner)
    .where('lease_expires_at', '=', claim.until)
    .execute();
  return status;
}

export type DeliveryFilter = {
  render?: string | undefined;
  status?: WebhookDeliveryRow['status'] | undefined;
  limit: number;
};

export type DeliveryWithAttempts = { delivery: WebhookDeliveryRow; attempts: WebhookAttemptRow[] };

/** Newest first; attempts in the order they were made. */
export async function listDeliveries(
  database: Database,
  { render, status, limit }: DeliveryFilter,
): Promise<DeliveryWithAttempts[]> {
  let query = database.selectFrom('webhook_deliveries').selectAll();
  if (render !== undefined) query = query.where('render_id', '=', render);
  if (status !== undefined) query = query.where('status', '=', status);
  const deliveries = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  if (deliveries.length === 0) return [];
  const ids = deliveries.map(({ id }) => id);
  const attempts = await database
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', 'in', ids)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return deliveries.map((delivery) => ({
    delivery,
    attempts: attempts.filter(({ delivery_id }) => delivery_id === delivery.id),
  }));
}

/** Due now, whatever became of it, with all the waits before it again. False when there is none of that id. */
export async function redeliver(database: Database, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', attempts: 0, next_attempt_at: now, lease_owner: null, lease_expires_at: null })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
