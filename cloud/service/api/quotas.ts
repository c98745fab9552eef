// Quotas of accounts (stored bytes, uploads in progress, unfinished renders), and the reserve of the disk.
import { sql } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { type AccountTotals, changeStoredBytes, lockAccount, lockExistingAccount } from '../storage/accountTotals.ts';
import type { AccountRow, Database, Session } from '../storage/tables.ts';
import { ApiError } from './apiErrors.ts';

type Limited = Pick<ServiceContext, 'settings' | 'freeBytes'>;

/** An upload is renewed long before its reservation expires. */
export const reservationMs = 2 * 60_000;

/** Seconds until a client may try again. Uploads end soon. */
const uploadRetrySeconds = 5;

/** Any number that no other lock of the database has. */
const reservationLock = 815_093_127;

export type UploadClaim = {
  id: string;
  accountId: string;
  /** What it may store. */
  bytes: number;
  /** The same upload was already stored under its idempotency key, so it stores nothing new. */
  isRepeated: boolean;
};

/**
 * Reserves what an upload may store, until `releaseUpload`. Throws ApiError `quota_exceeded` or `insufficient_storage`. Of
 * parallel uploads, only those that fit get a reservation.
 */
export async function reserveUpload(context: ServiceContext, claim: UploadClaim): Promise<void> {
  const { database, settings, now } = context;
  const { id, accountId, bytes } = claim;
  await database.transaction().execute(async (session) => {
    // All uploads share the disk. SQLite has one transaction at a time anyway.
    if (settings.databaseUrl !== undefined)
      await sql`select pg_advisory_xact_lock(${reservationLock})`.execute(session);
    const { balance, stored_bytes } = await lockExistingAccount(session, accountId);
    const released = await releaseExpired(session, accountId, now());
    const totals = { balance, stored_bytes: stored_bytes - released };
    if ((await countUploads(session, accountId, now())) >= settings.quotas.uploads) throw tooManyUploads(settings);
    if (!claim.isRepeated) checkStoredBytes(settings, totals, bytes);
    const reserved = await reservedBytes(session);
    // Files are written before their reservation ends, so the free space must be read after the reservations.
    await checkDisk(context, diskBytes(settings, reserved + bytes));
    await session
      .insertInto('uploads')
      .values({ id, account_id: accountId, bytes, expires_at: now() + reservationMs })
      .execute();
    await changeStoredBytes(session, accountId, bytes);
  });
}

/** Until an upload is in the object store, a store on the same disk has a second copy. */
function diskBytes({ objects }: Limited['settings'], bytes: number): number {
  return objects.kind === 'disk' ? 2 * bytes : bytes;
}

async function countUploads(session: Session, accountId: string, now: number): Promise<number> {
  const { count } = await session
    .selectFrom('uploads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function reservedBytes(session: Session): Promise<number> {
  const { bytes } = await session
    .selectFrom('uploads')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** Keeps the reservation of an upload that is still in progress. */
export async function renewUpload(
  { database, now }: Pick<ServiceContext, 'database' | 'now'>,
  id: string,
): Promise<void> {
  await database
    .updateTable('uploads')
    .set({ expires_at: now() + reservationMs })
    .where('id', '=', id)
    .execute();
}

/** Does nothing if the upload was already released. Must be called in a transaction. */
export async function releaseUpload(
  session: Session,
  { id, accountId }: Pick<UploadClaim, 'id' | 'accountId'>,
): Promise<void> {
  await lockAccount(session, accountId);
  const released = await session.deleteFrom('uploads').where('id', '=', id).returning('bytes').executeTakeFirst();
  if (released) await changeStoredBytes(session, accountId, -released.bytes);
}

/** Returns the released bytes. */
async function releaseExpired(session: Session, accountId: string, now: number): Promise<number> {
  const expired = await session
    .deleteFrom('uploads')
    .where('account_id', '=', accountId)
    .where('expires_at', '<=', now)
    .returning('bytes')
    .execute();
  const released = expired.reduce((sum, { bytes }) => sum + bytes, 0);
  await changeStoredBytes(session, accountId, -released);
  return released;
}

/** Releases the uploads of killed processes. */
export async function releaseExpiredUploads(database: Database, now: number): Promise<void> {
  const expired = await database
    .selectFrom('uploads')
    .select('account_id')
    .distinct()
    .where('expires_at', '<=', now)
    .execute();
  for (const { account_id: account } of expired)
    await database.transaction().execute(async (session) => {
      await lockAccount(session, account);
      await releaseExpired(session, account, now);
    });
}

/**
 * Checks whether an account may submit another render. `totals` are those of its locked row. Throws ApiError
 * `quota_exceeded` or `insufficient_storage`.
 */
export async function checkRenderQuota(
  session: Session,
  context: Limited & Pick<ServiceContext, 'now'>,
  accountId: string,
  totals: AccountTotals,
): Promise<void> {
  const { settings } = context;
  await checkFreeFailures(session, accountId, context.now());
  const max = settings.quotas.renders;
  if ((await countUnfinished(session, accountId)) >= max) {
    const message = `The account has ${max} queued and running renders, and must not have more. Wait until some have ended, or delete some with DELETE /v3/framework/renders/{id}.`;
    throw new ApiError('quota_exceeded', message);
  }
  // A video has at least one byte. How many it has is only known when it is rendered.
  checkStoredBytes(settings, totals, 1);
  await checkDisk(context, 0);
}

/** Renders of one account that may fail within an hour without a charge: each of them was work. */
export const freeFailures = { most: 20, ms: 60 * 60 * 1000 };

/** They ended before they were work. */
const idleFailures = ['render_deleted', 'insufficient_credits', 'quota_exceeded'];

/** Throws ApiError `quota_exceeded` if too many renders of the account have failed without a charge. */
export async function checkFreeFailures(session: Session, accountId: string, now: number): Promise<void> {
  const { most, ms } = freeFailures;
  const last = await session
    .selectFrom('renders')
    .select('completed_at')
    .where('account_id', '=', accountId)
    .where('status', '=', 'failed')
    .where('credits', 'is', null)
    .where('completed_at', '>', now - ms)
    .where('failure_code', 'not in', idleFailures)
    .orderBy('completed_at', 'desc')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return;
  const retryAfter = Math.ceil(((last.completed_at ?? now) + ms - now) / 1000);
  const message = `${most} renders of this account have failed within an hour without a charge. Find the mistake with framework render on your own machine, and try again in ${Math.ceil(retryAfter / 60)} min.`;
  throw new ApiError('quota_exceeded', message, { retryAfter });
}

async function countUnfinished(session: Session, accountId: string): Promise<number> {
  const { count } = await session
    .selectFrom('renders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('status', 'in', ['queued', 'rendering'])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export type QuotaUse = { used: number; limit: number };

/** In the order in which pages show them. */
export type AccountUse = { stored_bytes: QuotaUse; uploads: QuotaUse; renders: QuotaUse };

export async function useOf(
  { database, settings, now }: Pick<ServiceContext, 'database' | 'settings' | 'now'>,
  { id, stored_bytes }: Pick<AccountRow, 'id' | 'stored_bytes'>,
): Promise<AccountUse> {
  const { storedBytes, uploads, renders } = settings.quotas;
  return {
    stored_bytes: { used: stored_bytes, limit: storedBytes },
    uploads: { used: await countUploads(database, id, now()), limit: uploads },
    renders: { used: await countUnfinished(database, id), limit: renders },
  };
}

/** Throws ApiError `insufficient_storage` if `bytes` more would use up the reserve of the disk. */
async function checkDisk({ settings, freeBytes }: Limited, bytes: number): Promise<void> {
  if ((await freeBytes()) - bytes >= settings.reservedDiskBytes) return;
  const message = 'The disk of the service is almost full. Its operator must free space; try again later.';
  throw new ApiError('insufficient_storage', message);
}

/** Rounded up. */
const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024).toLocaleString('en-US')} MB`;

function checkStoredBytes({ quotas }: Limited['settings'], totals: AccountTotals, bytes: number): void {
  if (totals.stored_bytes + bytes <= quotas.storedBytes) return;
  const stored = `The account stores ${megabytes(totals.stored_bytes)} of at most ${megabytes(quotas.storedBytes)}`;
  const needed = bytes > 1 ? `, and this upload may have ${megabytes(bytes)}` : '';
  const message = `${stored}${needed}. Delete renders with DELETE /v3/framework/renders/{id}, or projects with DELETE /v3/assets/{id}.`;
  throw new ApiError('quota_exceeded', message);
}

function tooManyUploads({ quotas: { uploads } }: Limited['settings']): ApiError {
  const count = uploads === 1 ? 'An upload' : `${uploads} uploads`;
  const message = `${count} of this account ${uploads === 1 ? 'is' : 'are'} in progress, and there must not be more. Wait until one has ended.`;
  return new ApiError('quota_exceeded', message, { retryAfter: uploadRetrySeconds });
}
