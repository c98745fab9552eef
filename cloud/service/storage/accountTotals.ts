// The totals on an account's row: the balance of its credits, and the bytes that it stores. They are changed in the same
// transaction as the rows that they sum up.
import type { AccountRow, Session } from './tables.ts';

export type AccountTotals = Pick<AccountRow, 'balance' | 'stored_bytes'>;

/**
 * Locks the account's row until the end of the transaction, so that two requests cannot both use the same credits or the
 * same space. Where a transaction locks several rows, the order is render, account, asset.
 */
export async function lockAccount(session: Session, accountId: string): Promise<AccountTotals> {
  const totals = await session
    .updateTable('accounts')
    .set((column) => ({ plan: column.ref('plan') }))
    .where('id', '=', accountId)
    .returning(['balance', 'stored_bytes'])
    .executeTakeFirst();
  // An account that was deleted has nothing.
  return totals ?? { balance: 0, stored_bytes: 0 };
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
