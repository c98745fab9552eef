// Idempotency keys: a request that was done under a key is not done again, its response is repeated.
import { createHash } from 'node:crypto';
import type { Session } from '../storage/tables.ts';
import { ApiError } from './apiErrors.ts';

export const idempotencyMs = 24 * 60 * 60 * 1000;

export type IdempotentRequest = {
  accountId: string;
  /** For example `POST /v3/assets`. */
  endpoint: string;
  key: string | undefined;
  /** Identifies the request: requests with the same hash are the same. */
  hash: string;
};

/**
 * Runs `action`, or returns the result that it had under the same key. Must be called in the transaction that `action`
 * writes in: if the process dies, neither the result nor the key is stored; a second request with the key waits until
 * the first is committed; and a rejected request, which is rolled back, can be repeated with its key. Throws ApiError
 * `idempotency_conflict`, and whatever `action` throws.
 */
export async function withIdempotencyKey<T>(
  session: Session,
  request: IdempotentRequest,
  now: number,
  action: () => Promise<T>,
): Promise<{ result: T; replayed: boolean }> {
  const { accountId, endpoint, key, hash } = request;
  if (key === undefined) return { result: await action(), replayed: false };
  await session
    .deleteFrom('idempotency')
    .where('account_id', '=', accountId)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key)
    .where('created_at', '<=', now - idempotencyMs)
    .execute();
  const { numInsertedOrUpdatedRows } = await session
    .insertInto('idempotency')
    .values({
      account_id: accountId,
      endpoint,
      key,
      request_hash: hash,
      status: null,
      response: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'endpoint', 'key']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return { result: await earlierResult<T>(session, request), replayed: true };
  const result = await action();
  await session
    .updateTable('idempotency')
    .set({ status: 200, response: JSON.stringify(result) })
    .where('account_id', '=', accountId)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key)
    .execute();
  return { result, replayed: false };
}

/** Whether a request with this key has already been done. */
export async function wasDone(
  session: Session,
  { accountId, endpoint, key }: Omit<IdempotentRequest, 'hash'>,
  now: number,
): Promise<boolean> {
  if (key === undefined) return false;
  const row = await session
    .selectFrom('idempotency')
    .select('key')
    .where('account_id', '=', accountId)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key)
    .where('created_at', '>', now - idempotencyMs)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Forgets the results with a text, such as the ID of something that is deleted in the same transaction: a repeated request is
 * then done again.
 */
export async function forgetResults(
  session: Session,
  { accountId, endpoint }: Pick<IdempotentRequest, 'accountId' | 'endpoint'>,
  text: string,
  now: number,
): Promise<void> {
  await session
    .deleteFrom('idempotency')
    .where('account_id', '=', accountId)
    .where('endpoint', '=', endpoint)
    .where('response', 'like', `%${text}%`)
    // Other transactions delete older ones, and wait for locks of this one.
    .where('created_at', '>', now - idempotencyMs)
    .execute();
}

async function earlierResult<T>(session: Session, { accountId, endpoint, key, hash }: IdempotentRequest): Promise<T> {
  const row = await session
    .selectFrom('idempotency')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key ?? '')
    .executeTakeFirst();
  if (row && row.request_hash !== hash)
    throw new ApiError('idempotency_conflict', `Idempotency-Key ${key} was already used for a different request.`, {
      param: 'Idempotency-Key',
    });
  if (!row?.response)
    throw new ApiError('idempotency_conflict', `A request with Idempotency-Key ${key} is still in progress.`, {
      param: 'Idempotency-Key',
      retryAfter: 1,
    });
  return JSON.parse(row.response) as T;
}

/** Returns the same hash for JSON values that are equal, regardless of whitespace and the order of fields. */
export function jsonHash(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** Recursive: the depth of `value` must be limited. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields)
    .filter((name) => fields[name] !== undefined)
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(fields[name])}`).join()}}`;
}
