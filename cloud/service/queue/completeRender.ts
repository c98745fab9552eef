// How a render ends, once: its row, the ledger and the webhook change together or not at all.
import type { Claim } from './claims.ts';
import { addEntry, releaseHold } from './credits.ts';
import type { Database, RenderRow } from './tables.ts';
import { enqueueWebhook } from './webhooks.ts';

export type RenderFailure = { code: string; message: string };

export type RenderOutcome = {
  video_key: string;
  video_bytes: number;
  thumbnail_key: string | null;
  /** Seconds. */
  duration: number;
  /** As rendered. */
  fps: number;
  aspect_ratio: string;
  /** JSON array of texts. */
  warnings: string;
  credits: number;
};

/** False: the render has been deleted, has ended, or is another process's. Then nothing has changed. */
export async function completeRender(
  database: Database,
  claim: Claim,
  outcome: RenderOutcome,
  now: number,
): Promise<boolean> {
  return database.transaction().execute(async (session) => {
    const row = await session
      .updateTable('renders')
      .set({ ...outcome, ...ended, status: 'completed', progress: 1, completed_at: now })
      .where('id', '=', claim.render.id)
      .where('lease_owner', '=', claim.lease)
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

/** False as with `completeRender`. Nobody is told of a render that has been deleted. */
export async function failRender(
  database: Database,
  claim: Claim,
  { code, message }: RenderFailure,
  now: number,
): Promise<boolean> {
  return database.transaction().execute(async (session) => {
    const row: RenderRow | undefined = await session
      .updateTable('renders')
      .set({ ...ended, status: 'failed', failure_code: code, failure_message: message, completed_at: now })
      .where('id', '=', claim.render.id)
      .where('lease_owner', '=', claim.lease)
      .where('status', '=', 'rendering')
      .returningAll()
      .executeTakeFirst();
    if (!row) return false;
    await releaseHold(session, row.id);
    if (row.deleted_at === null) await enqueueWebhook(session, row, now);
    return true;
  });
}

const ended = { lease_owner: null, lease_expires_at: null };
