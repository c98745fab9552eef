// What the operator does with accounts: list, suspend and resume them. Each change is in the audit log.
import { allowedHostsOf } from '../auth/accounts.ts';
import { type AuditContext, audited } from '../auth/auditLog.ts';
import { toCredits } from '../storage/ledger.ts';
import type { AccountRow, Database } from '../storage/tables.ts';

export type ListedAccount = {
  user_id: string;
  email: string;
  name: string | null;
  plan: string;
  credits: number;
  renders: number;
  /** Unix milliseconds. */
  created_at: number;
  suspended_at: number | null;
  /** The hosts from which its pages may load files; null: those of the service. */
  allowed_hosts: string[] | null;
};

/** Oldest first. `renders`: those in the account's list. */
export async function listAccounts(database: Database): Promise<ListedAccount[]> {
  const rows = await database
    .selectFrom('accounts')
    .select(['id', 'email', 'name', 'plan', 'created_at', 'suspended_at', 'balance', 'allowed_hosts'])
    .select((column) => [
      column
        .selectFrom('renders')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('renders.account_id', '=', 'accounts.id')
        .where('renders.deleted_at', 'is', null)
        .as('renders'),
    ])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, balance, renders, allowed_hosts, ...account }) => ({
    user_id: id,
    ...account,
    allowed_hosts: allowedHostsOf({ allowed_hosts }) ?? null,
    credits: toCredits(balance),
    renders: Number(renders ?? 0),
  }));
}

/**
 * Rejects the account's requests and sign-ins from now on. Its queued renders wait until it is resumed; running ones are
 * completed. Returns false if it was already suspended.
 */
export function suspendAccount(context: AuditContext, { id }: AccountRow): Promise<boolean> {
  return setSuspended(context, id, context.now());
}

/** Returns false if it was not suspended. Keys and signed-in programs are valid again. */
export function resumeAccount(context: AuditContext, { id }: AccountRow): Promise<boolean> {
  return setSuspended(context, id, null);
}

async function setSuspended(context: AuditContext, accountId: string, at: number | null): Promise<boolean> {
  return audited(
    context,
    async (session) => {
      const { numUpdatedRows } = await session
        .updateTable('accounts')
        .set({ suspended_at: at })
        .where('id', '=', accountId)
        .where('suspended_at', at === null ? 'is not' : 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    (isChanged) =>
      isChanged
        ? {
            accountId,
            actor: 'operator',
            address: null,
            action: at === null ? 'account_resumed' : 'account_suspended',
          }
        : undefined,
  );
}

/** For renders that start from now on. Undefined: only the hosts of the service count. */
export async function setAllowedHosts(
  context: AuditContext,
  { id }: AccountRow,
  hosts: readonly string[] | undefined,
): Promise<void> {
  await audited(
    context,
    (session) =>
      session
        .updateTable('accounts')
        .set({ allowed_hosts: hosts === undefined ? null : JSON.stringify(hosts) })
        .where('id', '=', id)
        .execute(),
    () => ({
      accountId: id,
      ...{ actor: 'operator', address: null, action: 'allowed_hosts_changed' },
      detail: hosts === undefined ? 'all of the service' : hosts.join(', ') || 'none',
    }),
  );
}
