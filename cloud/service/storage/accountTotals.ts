// The totals on an account's row: the balance of its credits, and the bytes that it stores. They are changed in the same
// transaction as the rows that they sum up.
import { ApiError } from '../api/apiErrors.ts';
import type { AccountRow, Session } from './tables.ts';

export type AccountTotals = Pick<AccountRow, 'balance' | 'stored_bytes'>;

/**
 * Locks the account's row until the end of the transaction, so that two requests cannot both use the same credits or the
 * same space. Where a transaction locks several rows, the order is render, account, asset.
 */
export async function lockAccount(session: Session, accountId: string): Promise<AccountTotals> {
  // An account that was deleted has nothing.
  return (await lockedRow(session, accountId)) ?? { balance: 0, stored_bytes: 0 };
}

/** For requests that store something for the account. Throws ApiError `authentication_failed` if it was deleted meanwhile. */
export async function lockExistingAccount(session: Session, accountId: string): Promise<AccountTotals> {
  const totals = await lockedRow(session, accountId);
  if (totals) return totals;
  throw new ApiError('authentication_failed', 'The account was deleted.');
}

async function lockedRow(session: Session, accountId: string): Promise<AccountTotals | undefined> {
  return session
    .updateTable('accounts')
    .set((column) => ({ plan: column.ref('plan') }))
    .where('id', '=', accountId)
    .returning(['balance', 'stored_bytes'])
    .executeTakeFirst();
}

/** `units`: see `AccountRow.balance`. */
export async function changeBalance(session: Session, accountId: string, units: number): Promise<void> {
  await session
    .updateTable('accounts')
    .set((column) => ({ balance: column('balance', '+', units) }))
    .where('id', '=', accountId)
    .execute();
}

export async function changeStoredBytes(session: Session, accountId: string, bytes: number): Promise<void> {
  if (bytes === 0) return;
  await session
    .updateTable('accounts')
    .set((column) => ({ stored_bytes: column('stored_bytes', '+', bytes) }))
    .where('id', '=', accountId)
    .execute();
}
