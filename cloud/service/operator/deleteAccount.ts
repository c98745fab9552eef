// Deletes an account with everything that is stored about it: rows and files.
import { type AuditContext, audited } from '../auth/auditLog.ts';
import { endSignIns } from '../auth/changePassword.ts';
import { segmentKeys } from '../queue/renderSegments.ts';
import type { ObjectStore } from '../storage/objectStore.ts';
import type { Database, Session, Tables } from '../storage/tables.ts';
import { suspendAccount } from './accountCommands.ts';
import { accountFiles } from './accountFiles.ts';

export type DeletedAccount = { files: number; renders: number };

export type DeletionOptions = {
  /** Called between two looks at the renders that are still running. */
  pause(): Promise<void>;
};

/**
 * Cancels the account's renders, waits until running ones have stopped, and deletes its files and rows. If it is
 * interrupted, the account stays suspended, and calling it again completes the deletion.
 */
export async function deleteAccount(
  context: AuditContext & { objects: ObjectStore },
  accountId: string,
  { pause }: DeletionOptions,
): Promise<DeletedAccount> {
  const { database, objects, now } = context;
  const account = await database
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  await suspendAccount(context, account);
  const unfinished = await unfinishedFiles(database, accountId);
  await cancelRenders(database, accountId, now());
  // A worker that is still running could store a video after the deletion. It notices the cancellation within seconds;
  // the lease of a process that was killed expires.
  while (await hasRunning(database, accountId, now())) await pause();
  const files = await accountFiles(database, accountId);
  for (const key of [...files.map((file) => file.key), ...unfinished]) await objects.delete(key);
  const renders = await audited(
    context,
    (session) => deleteRows(session, accountId),
    () => ({ accountId, actor: 'operator', address: null, action: 'account_deleted' }),
  );
  return { files: files.length, renders };
}

/** Does what a client does that deletes each of its renders. */
async function cancelRenders(database: Database, accountId: string, now: number): Promise<void> {
  await database.transaction().execute(async (session) => {
    await endSignIns(session, accountId);
    await session
      .updateTable('renders')
      .set({ deleted_at: now })
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .execute();
    await session
      .updateTable('renders')
      .set({
        status: 'failed',
        failure_code: 'render_deleted',
        failure_message: 'The render was deleted before it started.',
        completed_at: now,
      })
      .where('account_id', '=', accountId)
      .where('status', '=', 'queued')
      .execute();
  });
}

/** What workers may have stored of renders that have not ended, and their finished segments. */
async function unfinishedFiles(database: Database, accountId: string): Promise<string[]> {
  const renders = await database
    .selectFrom('renders')
    .select(['id', 'format', 'status', 'segments'])
    .where('account_id', '=', accountId)
    .where(({ eb, or }) => or([eb('status', '=', 'rendering'), eb('segments', 'is not', null)]))
    .execute();
  return renders.flatMap((render) => {
    const { id, format, status } = render;
    const written = status === 'rendering' ? [`videos/${id}.${format}`, `thumbnails/${id}.jpg`] : [];
    return [...written, ...segmentKeys(render)];
  });
}

async function hasRunning(database: Database, accountId: string, now: number): Promise<boolean> {
  const running = await database
    .selectFrom('renders')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'rendering')
    .where('lease_expires_at', '>', now)
    .executeTakeFirst();
  return running !== undefined;
}

/** In an order in which no row refers to a deleted one. All have a column `account_id`. */
const tables = [
  'webhook_deliveries',
  'ledger',
  'renders',
  'assets',
  'idempotency',
  'sessions',
  'api_keys',
  'mail_tokens',
  'uploads',
  'worker_time',
  'audit_events',
] as const satisfies (keyof Tables)[];

/** Returns the number of deleted renders. */
async function deleteRows(session: Session, accountId: string): Promise<number> {
  const { count } = await session
    .selectFrom('renders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  await session
    .deleteFrom('webhook_attempts')
    .where('delivery_id', 'in', (query) =>
      query.selectFrom('webhook_deliveries').select('id').where('account_id', '=', accountId),
    )
    .execute();
  for (const table of tables) await session.deleteFrom(table).where('account_id', '=', accountId).execute();
  // Codes and tokens are only valid together with their grant, which is deleted already, and expire. They contain the ID
  // of the account as JSON.
  await session.deleteFrom('oauth_records').where('payload', 'like', `%"accountId":"${accountId}"%`).execute();
  await session.deleteFrom('accounts').where('id', '=', accountId).execute();
  return Number(count);
}
