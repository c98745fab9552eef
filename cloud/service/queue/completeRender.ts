// Ends a render exactly once: its row, the ledger and the webhook are written in one transaction.

import type { Database, RenderRow } from '../storage/tables.ts';
import { enqueueWebhook } from '../webhooks/webhooks.ts';
import { addEntry, releaseHold } from './credits.ts';
import type { Lease } from './leases.ts';
import type { RenderFailure } from './renderFailure.ts';

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
    await enqueueWebhook(session, row, now);
    return true;
  });
}

/** Returns false if the render has ended or is leased to another process. A deleted render sends no webhook. */
export async function failRender(
  database: Database,
  lease: Lease,
  { code, message }: RenderFailure,
  now: number,
): Promise<boolean> {
  return database.transaction().execute(async (session) => {
    const row: RenderRow | undefined = await session
      .updateTable('renders')
      .set({ ...noLease, status: 'failed', failure_code: code, failure_message: message, completed_at: now })
      .where('id', '=', lease.render.id)
      .where('lease_owner', '=', lease.owner)
      .where('status', '=', 'rendering')
      .returningAll()
      .executeTakeFirst();
    if (!row) return false;
    await releaseHold(session, row.id);
    if (row.deleted_at === null) await enqueueWebhook(session, row, now);
    return true;
  });
}

const noLease = { lease_owner: null, lease_expires_at: null };
