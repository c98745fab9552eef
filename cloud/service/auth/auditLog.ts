// The audit log: who did what to an account, from which address. It is in a table and in the service's log, and never
// contains secrets.
import type { ServiceContext } from '../context.ts';
import { newId } from '../storage/ids.ts';
import type { AuditEventRow, Session } from '../storage/tables.ts';

/** The actions, and how the account page shows them. */
export const auditActions = {
  account_created: 'Account created',
  account_suspended: 'Account suspended',
  account_resumed: 'Account resumed',
  account_exported: 'Account exported',
  account_deleted: 'Account deleted',
  signed_in: 'Signed in',
  sign_in_failed: 'Failed sign-in',
  password_changed: 'Password changed',
  password_change_failed: 'Failed password change',
  password_reset_requested: 'Password reset requested',
  key_created: 'API key created',
  key_revoked: 'API key revoked',
  consent_granted: 'Program allowed',
  consent_revoked: 'Program signed out',
  webhook_secret_replaced: 'Webhook secret replaced',
  credits_changed: 'Credits changed',
  allowed_hosts_changed: 'Allowed hosts changed',
  signing_keys_rotated: 'Signing keys rotated',
} as const;

export type AuditAction = keyof typeof auditActions;

export type AuditEntry = {
  /** Null if there is no such account, or if the action concerns the whole service. */
  accountId: string | null;
  /** `unknown`: the person did not sign in. */
  actor: AuditEventRow['actor'];
  /** The address of the client; null for commands of the operator. */
  address: string | null;
  action: AuditAction;
  /** Never a secret, nor text of a person who did not sign in. */
  detail?: string | undefined;
};

export type AuditContext = Pick<ServiceContext, 'database' | 'now' | 'log'>;

/** Records and logs something that changed nothing, such as a failed sign-in. */
export async function audit(context: AuditContext, entry: AuditEntry): Promise<void> {
  await insert(context.database, entry, context.now());
  writeLog(context, entry);
}

/**
 * Makes a change and records it in one transaction, so that no change is without its entry. `entryOf` returns undefined
 * if nothing was changed.
 */
export async function audited<T>(
  context: AuditContext,
  change: (session: Session) => Promise<T>,
  entryOf: (result: T) => AuditEntry | undefined,
): Promise<T> {
  const { result, entry } = await context.database.transaction().execute(async (session) => {
    const changed = await change(session);
    const made = entryOf(changed);
    if (made !== undefined) await insert(session, made, context.now());
    return { result: changed, entry: made };
  });
  if (entry !== undefined) writeLog(context, entry);
  return result;
}

async function insert(session: Session, entry: AuditEntry, at: number): Promise<void> {
  const { accountId, actor, address, action, detail = null } = entry;
  await session
    .insertInto('audit_events')
    .values({ id: newId('aud'), account_id: accountId, at, actor, address, action, detail })
    .execute();
}

function writeLog({ log }: AuditContext, { accountId, actor, address, action, detail }: AuditEntry): void {
  log('info', 'audit', { account: accountId, actor, address, action, ...(detail === undefined ? {} : { detail }) });
}

/** Newest first. */
export function auditEvents(
  session: Session,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<AuditEventRow[]> {
  return session
    .selectFrom('audit_events')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}
