// Replaces the service's own keys, for example after a backup of the database was lost.
import { type AuditContext, audited } from '../auth/auditLog.ts';
import { newSecrets } from '../auth/secrets.ts';

/**
 * Replaces the keys that sign URLs of files, cookies and tokens. There is no time in which both are valid, because the
 * reason may be that the old keys are known to others. Services read them when they start.
 */
export async function rotateSigningKeys(context: AuditContext): Promise<void> {
  const secrets = await newSecrets();
  await audited(
    context,
    async (session) => {
      for (const [name, value] of Object.entries(secrets)) {
        await session
          .insertInto('secrets')
          .values({ name, value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute();
      }
    },
    () => ({ accountId: null, actor: 'operator', address: null, action: 'signing_keys_rotated' }),
  );
}
