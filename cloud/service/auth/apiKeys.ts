// API keys. A key is shown once, when it is created, and stored as a hash.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { newId, secretHash } from '../storage/ids.ts';
import type { ApiKeyRow, Database, Session } from '../storage/tables.ts';

export type ApiKeyInfo = Omit<ApiKeyRow, 'hash' | 'account_id'>;

/** `key` is `fk_` followed by 256 random bits. Only its hash is stored. */
export async function createApiKey(
  session: Session,
  { accountId, name }: { accountId: string; name: string },
  now: number,
): Promise<{ key: string; info: ApiKeyInfo }> {
  const key = `fk_${randomBytes(32).toString('base64url')}`;
  const info: ApiKeyInfo = {
    id: newId('key'),
    name,
    prefix: key.slice(0, 11),
    created_at: now,
    last_used_at: null,
    revoked_at: null,
  };
  await session
    .insertInto('api_keys')
    .values({ ...info, account_id: accountId, hash: secretHash(key) })
    .execute();
  return { key, info };
}

/** Newest first, including revoked keys. */
export async function listApiKeys(session: Session, accountId: string): Promise<ApiKeyInfo[]> {
  return session
    .selectFrom('api_keys')
    .select(['id', 'name', 'prefix', 'created_at', 'last_used_at', 'revoked_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Returns the key's name, or undefined if the account has no such key or it was already revoked. */
export async function revokeApiKey(
  session: Session,
  accountId: string,
  id: string,
  now: number,
): Promise<string | undefined> {
  const row = await session
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/** Returns the number of revoked keys. */
export async function revokeAllApiKeys(session: Session, accountId: string, now: number): Promise<number> {
  const { numUpdatedRows } = await session
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

const usedAgainMs = 60_000;

/** Returns the ID of the key's account, or undefined if the key is unknown or revoked. */
export async function accountOfKey(database: Database, key: string, now: number): Promise<string | undefined> {
  const hash = secretHash(key);
  const row = await database.selectFrom('api_keys').selectAll().where('hash', '=', hash).executeTakeFirst();
  // The lookup by index is not constant-time, but compares only hashes.
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash)) || row.revoked_at !== null) return undefined;
  if (row.last_used_at === null || now - row.last_used_at >= usedAgainMs)
    await database.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', row.id).execute();
  return row.account_id;
}
