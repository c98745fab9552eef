// Webhook deliveries in the database: leasing those that are due, and recording the result of each attempt.

import type { WebhookResponse } from '../../../webhooks/postWebhook.ts';
import { newId } from '../storage/ids.ts';
import type { Database, Session, WebhookAttemptRow, WebhookDeliveryRow } from '../storage/tables.ts';
import { webhookWait } from './webhookSchedule.ts';

/** A delivery that only this instance may attempt, until `expiresAt` (Unix milliseconds). */
export type DeliveryLease = { delivery: WebhookDeliveryRow; attemptId: string; owner: string; expiresAt: number };

/** The error of an attempt until its result is known. It remains if the process was killed. */
const noResultYet = 'no result: the attempt is in progress, or the service stopped during it';

/**
 * Returns pending deliveries without a lease, the longest due first, except those of accounts and targets at their
 * limit.
 */
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

/**
 * Returns undefined if another instance was faster. The attempt is recorded before it is made, so none goes unrecorded.
 */
export function leaseDelivery(
  database: Database,
  delivery: WebhookDeliveryRow,
  { now, owner, leaseMs }: { now: number; owner: string; leaseMs: number },
): Promise<DeliveryLease | undefined> {
  const expiresAt = now + leaseMs;
  return database.transaction().execute(async (session) => {
    const { numUpdatedRows } = await session
      .updateTable('webhook_deliveries')
      .set(({ eb }) => ({ lease_owner: owner, lease_expires_at: expiresAt, attempts: eb('attempts', '+', 1) }))
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
      .values({ ...attempt, error: noResultYet })
      .execute();
    return { delivery: { ...delivery, attempts: delivery.attempts + 1 }, attemptId, owner, expiresAt };
  });
}

/**
 * Any 2xx status ends the delivery successfully, and 410 ends it as failed. Everything else is retried until the last
 * wait.
 */
export function finishAttempt(
  database: Database,
  lease: DeliveryLease,
  { response, durationMs, now, random }: { response: WebhookResponse; durationMs: number; now: number; random: number },
): Promise<WebhookDeliveryRow['status']> {
  const { delivery, attemptId } = lease;
  return database.transaction().execute(async (session) => {
    await session
      .updateTable('webhook_attempts')
      .set({ status_code: response.statusCode, error: response.error, duration_ms: durationMs })
      .where('id', '=', attemptId)
      .execute();
    const code = response.statusCode ?? 0;
    if (code >= 200 && code < 300) return markDelivered(session, delivery.id);
    const wait = code === 410 ? undefined : webhookWait(delivery.attempts, random);
    return retryLater(session, lease, wait === undefined ? undefined : now + wait);
  });
}

/** Applies even if the lease has expired: the receiver has got the message. */
async function markDelivered(session: Session, id: string): Promise<'delivered'> {
  await session
    .updateTable('webhook_deliveries')
    .set({ status: 'delivered', next_attempt_at: null, lease_owner: null, lease_expires_at: null })
    .where('id', '=', id)
    .execute();
  return 'delivered';
}

/** Changes nothing if the lease has expired and another instance has it, or if the delivery was resent meanwhile. */
async function retryLater(
  session: Session,
  lease: DeliveryLease,
  at: number | undefined,
): Promise<'pending' | 'failed'> {
  const status = at === undefined ? 'failed' : 'pending';
  await session
    .updateTable('webhook_deliveries')
    .set({ status, next_attempt_at: at ?? null, lease_owner: null, lease_expires_at: null })
    .where('id', '=', lease.delivery.id)
    .where('status', '=', 'pending')
    .where('lease_owner', '=', lease.owner)
    .where('lease_expires_at', '=', lease.expiresAt)
    .execute();
  return status;
}

export type DeliveryFilter = {
  render?: string | undefined;
  status?: WebhookDeliveryRow['status'] | undefined;
  limit: number;
};

export type DeliveryWithAttempts = { delivery: WebhookDeliveryRow; attempts: WebhookAttemptRow[] };

/** Newest first; attempts from first to last. */
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

/**
 * Makes a delivery due now, whatever its status, with all retries. Returns false if there is no delivery with this ID.
 */
export async function redeliver(database: Database, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', attempts: 0, next_attempt_at: now, lease_owner: null, lease_expires_at: null })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
