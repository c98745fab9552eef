// The ledger of credits. Each change of a row also changes the balance of its account.
import { changeBalance } from './accountTotals.ts';
import { newId } from './ids.ts';
import type { LedgerRow, Session } from './tables.ts';

/** Balances are whole numbers, so that sums have no rounding errors. */
const unitsPerCredit = 1e4;

export const toUnits = (credits: number): number => Math.round(credits * unitsPerCredit);
export const toCredits = (units: number): number => units / unitsPerCredit;

/** Must be called in a transaction. */
export async function addLedgerRow(session: Session, row: Omit<LedgerRow, 'id'>): Promise<void> {
  const units = toUnits(row.amount);
  await session
    .insertInto('ledger')
    .values({ ...row, id: newId('led'), amount: toCredits(units) })
    .execute();
  await changeBalance(session, row.account_id, units);
}

/** Releases the credits that are held for a render, if any. Must be called in a transaction. */
export async function deleteHold(session: Session, render: string): Promise<void> {
  const held = await session
    .deleteFrom('ledger')
    .where('render_id', '=', render)
    .where('kind', '=', 'hold')
    .returning(['account_id', 'amount'])
    .executeTakeFirst();
  if (held) await changeBalance(session, held.account_id, -toUnits(held.amount));
}
