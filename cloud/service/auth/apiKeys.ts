// API keys: shown once when they are made, kept as a hash.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { newId, secretHash } from './ids.ts';
import type { ApiKeyRow, Database, Session } from './tables.ts';

export type ApiKeyInfo = Omit<ApiKeyRow, 'hash' | 'account_id'>;

/** `key` is `fk_` and 256 random bits: nobody can look it up again. */
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

/** Newest first, revoked ones too. */
export async function listApiKeys(session: Session, accountId: string): Promise<ApiKeyInfo[]> {
  return session
    .selectFrom('api_keys')
    .select(['id', 'name', 'prefix', 'created_at', 'last_used_at', 'revoked_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** False when the account has no such key, or it was revoked before. */
export async function revokeApiKey(session: Session, accountId: string, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await session
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

const usedAgainMs = 60_000;

/** The account whose key it is; undefined for an unknown or revoked one. */
export async function accountOfKey(database: Database, key: string, now: number): Promise<string | undefined> {
  const hash = secretHash(key);
  const row = await database.selectFrom('api_keys').selectAll().where('hash', '=', hash).executeTakeFirst();
  // The index may compare byte by byte, but only hashes; this makes sure that it is the whole of it.
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash)) || row.revoked_at !== null) return undefined;
  if (row.last_used_at === null || now - row.last_used_at >= usedAgainMs)
    await database.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', row.id).execute();
  return row.account_id;
}
