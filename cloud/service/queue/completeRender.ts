// Ends a render exactly once: its row, the ledger and the webhook are written in one transaction.
import { changeStoredBytes } from '../storage/accountTotals.ts';
import type { Database, RenderRow } from '../storage/tables.ts';
import { enqueueWebhook } from '../webhooks/webhooks.ts';
import { addEntry, chargeTime, creditsForTime, releaseHold } from './credits.ts';
import { type Lease, workerMs } from './leases.ts';
import type { RenderFailure } from './renderFailure.ts';
import { addWorkerTime } from './workerTime.ts';

export type RenderOutcome = {
  video_key: string;
  video_bytes: number;
  thumbnail_key: string | null;
  /** Seconds. */
  duration: number;
  /** Frames per second of the finished video. */
  fps: number;
  aspect_ratio: string;
  resolution: string;
  /** See `RenderRow`. */
  engine: string;
  /** JSON array of strings. */
  warnings: string;
  credits: number;
};

/** Returns false, without changing anything, if the render was deleted, has ended or is leased to another process. */
export async function completeRender(
  database: Database,
  lease: Lease,
  outcome: RenderOutcome,
  now: number,
): Promise<boolean> {
  return database.transaction().execute(async (session) => {
    const row = await session
      .updateTable('renders')
      .set({ ...outcome, ...noLease, status: 'completed', progress: 1, completed_at: now })
      .where('id', '=', lease.render.id)
      .where('lease_owner', '=', lease.owner)
      .where('status', '=', 'rendering')
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!row) return false;
    await releaseHold(session, row.id);
    const { account_id: account, id: render } = row;
    await addEntry(session, { account, render, kind: 'charge', credits: outcome.credits, now });
    await addWorkerTime(session, account, workerMs(lease, now), now);
    await changeStoredBytes(session, account, outcome.video_bytes);
    await enqueueWebhook(session, row, now);
    return true;
  });
}

/**
 * Charges worker time where `creditsForTime` does, and returns the charged credits. Returns undefined if the render has ended or
 * is leased to another process. A deleted render sends no webhook.
 */
export async function failRender(
  database: Database,
  lease: Lease,
  { code, message }: RenderFailure,
  now: number,
): Promise<{ credits: number } | undefined> {
  return database.transaction().execute(async (session) => {
    const row: RenderRow | undefined = await session
      .updateTable('renders')
      .set({ ...noLease, status: 'failed', failure_code: code, failure_message: message, completed_at: now })
      .where('id', '=', lease.render.id)
      .where('lease_owner', '=', lease.owner)
      .where('status', '=', 'rendering')
      .returningAll()
      .executeTakeFirst();
    if (!row) return undefined;
    const ms = workerMs(lease, now);
    const credits = await chargeTime(session, row, creditsForTime(code, ms), now);
    if (credits > 0) await session.updateTable('renders').set({ credits }).where('id', '=', row.id).execute();
    await addWorkerTime(session, row.account_id, ms, now);
    if (row.deleted_at === null) await enqueueWebhook(session, row, now);
    return { credits };
  });
}

const noLease = { lease_owner: null, lease_expires_at: null };
