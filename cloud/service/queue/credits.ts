// The price of renders, and their ledger entries: a hold once the length is known, then a charge or a release.
import { balanceOf } from '../auth/accounts.ts';
import { newId } from '../storage/ids.ts';
import type { Database, Session } from '../storage/tables.ts';
import type { Lease } from './leases.ts';

/** Credits per second of video, by resolution. */
const prices: Record<string, number> = { '1080p': 1, '4k': 1.5 };

/** Returns the price of a video in credits, rounded up to a hundredth. */
export function creditsFor(seconds: number, resolution: string): number {
  // Without the small correction, rounding errors of the product would be charged.
  return Math.ceil(seconds * (prices[resolution] ?? 1) * 100 - 1e-6) / 100;
}

/** Holds `credits` for a leased render. 'short': the account has fewer; 'lost': the lease was lost. */
export function holdCredits(
  database: Database,
  { render, owner }: Lease,
  credits: number,
  now: number,
): Promise<{ kind: 'held' | 'lost' } | { kind: 'short'; balance: number }> {
  return database.transaction().execute(async (session) => {
    // Locks the account's row, so that two renders of one account cannot both use the same credits.
    await session
      .updateTable('accounts')
      .set((column) => ({ plan: column.ref('plan') }))
      .where('id', '=', render.account_id)
      .execute();
    const leased = await session
      .selectFrom('renders')
      .select('id')
      .where('id', '=', render.id)
      .where('lease_owner', '=', owner)
      .where('status', '=', 'rendering')
      .executeTakeFirst();
    if (!leased) return { kind: 'lost' };
    await releaseHold(session, render.id);
    const balance = await balanceOf(session, render.account_id);
    if (balance + 1e-9 < credits) return { kind: 'short', balance };
    await addEntry(session, { account: render.account_id, render: render.id, kind: 'hold', credits, now });
    return { kind: 'held' };
  });
}

export async function releaseHold(session: Session, render: string): Promise<void> {
  await session.deleteFrom('ledger').where('render_id', '=', render).where('kind', '=', 'hold').execute();
}

type Entry = { account: string; render: string; kind: 'hold' | 'charge'; credits: number; now: number };

export async function addEntry(session: Session, { account, render, kind, credits, now }: Entry): Promise<void> {
  await session
    .insertInto('ledger')
    .values({
      id: newId('led'),
      account_id: account,
      amount: -credits,
      kind,
      render_id: render,
      note: null,
      created_at: now,
    })
    .execute();
}
