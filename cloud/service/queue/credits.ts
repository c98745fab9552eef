// What renders cost, and the ledger: held when a render's length is known, charged when it is completed, else given back.
import { balanceOf } from './accounts.ts';
import type { Claim } from './claims.ts';
import { newId } from './ids.ts';
import type { Database, Session } from './tables.ts';

/** Credits for a second of video. */
const prices: Record<string, number> = { '1080p': 1, '4k': 1.5 };

/** Credits for so many seconds, rounded up to a hundredth. */
export function creditsFor(seconds: number, resolution: string): number {
  // What binary fractions add to a product is no video.
  return Math.ceil(seconds * (prices[resolution] ?? 1) * 100 - 1e-6) / 100;
}

/** Holds `credits` for the claimed render. 'short': the account has fewer; 'lost': the render is no longer ours. */
export function holdCredits(
  database: Database,
  { render, lease }: Claim,
  credits: number,
  now: number,
): Promise<{ kind: 'held' | 'lost' } | { kind: 'short'; balance: number }> {
  return database.transaction().execute(async (session) => {
    // Two renders of one account must not both see the same credits: the second waits here for the first.
    await session
      .updateTable('accounts')
      .set((column) => ({ plan: column.ref('plan') }))
      .where('id', '=', render.account_id)
      .execute();
    const ours = await session
      .selectFrom('renders')
      .select('id')
      .where('id', '=', render.id)
      .where('lease_owner', '=', lease)
      .where('status', '=', 'rendering')
      .executeTakeFirst();
    if (!ours) return { kind: 'lost' };
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
