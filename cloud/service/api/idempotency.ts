// Idempotency keys: what was done once under a key is not done again, its answer is.
import { createHash } from 'node:crypto';
import { ApiError } from './apiErrors.ts';
import type { Session } from './tables.ts';

export const idempotencyMs = 24 * 60 * 60 * 1000;

export type IdempotentRequest = {
  accountId: string;
  /** `POST /v3/assets`. */
  endpoint: string;
  key: string | undefined;
  /** Of what is asked: the same hash is the same request. */
  hash: string;
};

/**
 * Runs `make`, or gives the answer it gave under the same key. To be called in the transaction that `make` writes in: then
 * a process that dies in between leaves neither the thing nor the key, a request with a key in use waits until the one
 * before it is committed, and a refused request, which is rolled back, may be made again under its key.
 * Throws ApiError `idempotency_conflict`, and whatever `make` throws.
 */
export async function once<T>(
  session: Session,
  request: IdempotentRequest,
  now: number,
  make: () => Promise<T>,
): Promise<{ answer: T; replayed: boolean }> {
  const { accountId, endpoint, key, hash } = request;
  if (key === undefined) return { answer: await make(), replayed: false };
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
  if (numInsertedOrUpdatedRows !== 1n) return { answer: await earlierAnswer<T>(session, request), replayed: true };
  const answer = await make();
  await session
    .updateTable('idempotency')
    .set({ status: 200, response: JSON.stringify(answer) })
    .where('account_id', '=', accountId)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key)
    .execute();
  return { answer, replayed: false };
}

async function earlierAnswer<T>(session: Session, { accountId, endpoint, key, hash }: IdempotentRequest): Promise<T> {
  const row = await session
    .selectFrom('idempotency')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key ?? '')
    .executeTakeFirst();
  if (row && row.request_hash !== hash)
    throw new ApiError('idempotency_conflict', `The Idempotency-Key ${key} was used for another request.`, {
      param: 'Idempotency-Key',
    });
  if (!row?.response)
    throw new ApiError('idempotency_conflict', `A request with the Idempotency-Key ${key} is still running.`, {
      param: 'Idempotency-Key',
      retryAfter: 1,
    });
  return JSON.parse(row.response) as T;
}

/** The same for JSON that means the same: the order of fields and the spaces do not count. */
export function jsonHash(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** Called with what is limited in depth. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join()}}`;
}
