// The price of renders, and their ledger entries: a hold once the length is known, then a charge or a release.
import { balanceOf } from '../auth/accounts.ts';
import { lockAccount } from '../storage/accountTotals.ts';
import { addLedgerRow, deleteHold } from '../storage/ledger.ts';
import type { Database, RenderRow, Session } from '../storage/tables.ts';
import type { Lease } from './leases.ts';

/**
 * Holds `credits` for a leased render. 'short': the account has fewer; 'lost': the lease was lost. Throws RangeError unless
 * the price is above 0.
 */
export async function holdCredits(
  database: Database,
  { render, owner }: Lease,
  credits: number,
  now: number,
): Promise<{ kind: 'held' | 'lost' } | { kind: 'short'; balance: number }> {
  if (!(credits > 0 && Number.isFinite(credits))) throw new RangeError(`A render cannot cost ${credits} credits`);
  return database.transaction().execute(async (session) => {
    // Locks the render: if it was requeued and deleted meanwhile, its hold would stay forever.
    const leased = await session
      .updateTable('renders')
      .set({ lease_owner: owner })
      .where('id', '=', render.id)
      .where('lease_owner', '=', owner)
      .where('status', '=', 'rendering')
      .returning('id')
      .executeTakeFirst();
    if (!leased) return { kind: 'lost' };
    // Two renders of one account cannot both use the same credits.
    await lockAccount(session, render.account_id);
    await releaseHold(session, render.id);
    const balance = await balanceOf(session, render.account_id);
    if (balance < credits) return { kind: 'short', balance };
    await addEntry(session, { account: render.account_id, render: render.id, kind: 'hold', credits, now });
    return { kind: 'held' };
  });
}

/** Worker time that one credit pays for. */
const creditMs = 10_000;

/** Free worker time of a render that ended without a video for another reason than its time. */
const freeMs = 60_000;

/** Failures of the service, which are free. */
const ownFailures: ReadonlySet<string> = new Set(['internal_error', 'render_interrupted']);

/** Returns the price of `ms` of worker time for a render that ended without a video. */
export function creditsForTime(failureCode: string, ms: number): number {
  if (ownFailures.has(failureCode)) return 0;
  const charged = failureCode === 'render_timeout' ? ms : ms - freeMs;
  return Math.ceil(Math.max(0, charged) / creditMs);
}

/**
 * Replaces the hold of a render that ended without a video by a charge for its worker time. The charge is at most what was
 * held, or what the account has if nothing was. Returns the charged credits.
 */
export async function chargeTime(
  session: Session,
  { id, account_id: account }: Pick<RenderRow, 'id' | 'account_id'>,
  price: number,
  now: number,
): Promise<number> {
  if (price > 0) await lockAccount(session, account);
  const held = await heldFor(session, id);
  await releaseHold(session, id);
  if (price === 0) return 0;
  const credits = Math.min(price, held ?? Math.max(0, await balanceOf(session, account)));
  if (credits > 0) await addEntry(session, { account, render: id, kind: 'charge', credits, now });
  return credits;
}

/** The credits that are held for a render. */
export async function heldFor(session: Session, render: string): Promise<number | undefined> {
  const row = await session
    .selectFrom('ledger')
    .select('amount')
    .where('render_id', '=', render)
    .where('kind', '=', 'hold')
    .executeTakeFirst();
  return row && -row.amount;
}

/** Must be called in a transaction. */
export const releaseHold = deleteHold;

type Entry = { account: string; render: string; kind: 'hold' | 'charge'; credits: number; now: number };

/** Must be called in a transaction. */
export async function addEntry(session: Session, { account, render, kind, credits, now }: Entry): Promise<void> {
  const row = { account_id: account, amount: -credits, kind, render_id: render, note: null, created_at: now };
  await addLedgerRow(session, row);
}
