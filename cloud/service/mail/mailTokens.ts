// The links in mails: each contains a random token that can be used once within an hour. The database has only its hash.
import { randomBytes } from 'node:crypto';
import { secretHash } from '../storage/ids.ts';
import type { MailTokenRow, Session } from '../storage/tables.ts';

export const mailTokenMs = 60 * 60 * 1000;

export type MailPurpose = Pick<MailTokenRow, 'kind' | 'email' | 'name' | 'account_id'>;

/** Returns a new token. Earlier ones for the same purpose stay valid until one of them is used. */
export async function createMailToken(session: Session, purpose: MailPurpose, now: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const times = { created_at: now, expires_at: now + mailTokenMs };
  await session
    .insertInto('mail_tokens')
    .values({ hash: secretHash(token), ...purpose, ...times })
    .execute();
  return token;
}

/** Returns what a token is for, or undefined if it is unknown, used or expired. */
export async function findMailToken(session: Session, token: string, now: number): Promise<MailTokenRow | undefined> {
  return session
    .selectFrom('mail_tokens')
    .selectAll()
    .where('hash', '=', secretHash(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/**
 * Uses a token up, in the transaction that makes its change. Other tokens of the same address and kind are deleted too.
 * Throws MailTokenUsed if another request has used it meanwhile.
 */
export async function useMailToken(session: Session, { hash, kind, email }: MailTokenRow): Promise<void> {
  const { numDeletedRows } = await session.deleteFrom('mail_tokens').where('hash', '=', hash).executeTakeFirstOrThrow();
  if (numDeletedRows !== 1n) throw new MailTokenUsed();
  await session.deleteFrom('mail_tokens').where('kind', '=', kind).where('email', '=', email).execute();
}

/** A password that was changed cannot be reset with a link that was sent before. */
export async function deleteResetTokens(session: Session, accountId: string): Promise<void> {
  await session.deleteFrom('mail_tokens').where('kind', '=', 'reset').where('account_id', '=', accountId).execute();
}

export class MailTokenUsed extends Error {}
