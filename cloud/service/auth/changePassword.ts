// Sets a new password, which ends all other access to the account, because another person may know the old one.
import { deleteResetTokens } from '../mail/mailTokens.ts';
import type { Session } from '../storage/tables.ts';
import { hashPassword } from './accounts.ts';
import { revokeAllApiKeys } from './apiKeys.ts';
import { type AuditContext, type AuditEntry, audited } from './auditLog.ts';

export type PasswordChange = {
  accountId: string;
  /** Must have been checked with `passwordProblem`. */
  password: string;
  keepsKeys: boolean;
  by: Pick<AuditEntry, 'actor' | 'address'>;
};

/**
 * Signs out browsers and programs, deletes links to reset the password, and revokes the API keys unless they are kept. Returns
 * the number of revoked keys.
 */
export async function changePassword(
  context: AuditContext,
  { accountId, password, keepsKeys, by }: PasswordChange,
  also: (session: Session) => Promise<unknown> = async () => undefined,
): Promise<number> {
  // Before the transaction, because it takes long.
  const hash = await hashPassword(password);
  return audited(
    context,
    async (session) => {
      await also(session);
      await session.updateTable('accounts').set({ password_hash: hash }).where('id', '=', accountId).execute();
      await endSignIns(session, accountId);
      await deleteResetTokens(session, accountId);
      return keepsKeys ? 0 : revokeAllApiKeys(session, accountId, context.now());
    },
    (revoked) => ({
      accountId,
      ...by,
      action: 'password_changed',
      detail: keepsKeys ? 'API keys kept' : `API keys revoked: ${revoked}`,
    }),
  );
}

/** Signs out all browsers and programs. */
export async function endSignIns(session: Session, accountId: string): Promise<void> {
  await session.deleteFrom('sessions').where('account_id', '=', accountId).execute();
  // Tokens are invalid without their grant: see `accountOf`.
  await session.deleteFrom('oauth_records').where('model', '=', 'Grant').where('uid', '=', accountId).execute();
}
