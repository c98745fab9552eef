// Everything that is stored about an account as one JSON document, without secrets: no passwords, keys, tokens or their
// hashes, and no secret for webhooks.
import type { AdapterPayload } from 'oidc-provider';
import { listApiKeys } from '../auth/apiKeys.ts';
import { type AuditContext, audited } from '../auth/auditLog.ts';
import type { ObjectStore } from '../storage/objectStore.ts';
import type { Session, Tables } from '../storage/tables.ts';
import { type AccountFile, accountFiles } from './accountFiles.ts';

export type AccountExport = {
  account: Record<string, unknown>;
  api_keys: object[];
  assets: object[];
  renders: object[];
  ledger: object[];
  webhooks: object[];
  idempotency_keys: object[];
  browsers: object[];
  programs: object[];
  mail_links: object[];
  audit: object[];
  /** `bytes` is null if the file is missing. */
  files: (AccountFile & { bytes: number | null })[];
};

/** All times are Unix milliseconds. The rows are of one moment. Throws if there is no such account. */
export async function exportAccount(
  context: AuditContext & { objects: ObjectStore },
  accountId: string,
): Promise<AccountExport> {
  const { rows, files } = await audited(
    context,
    async (session) => ({ rows: await readRows(session, accountId), files: await accountFiles(session, accountId) }),
    () => ({ accountId, actor: 'operator', address: null, action: 'account_exported' }),
  );
  const sizes = await Promise.all(files.map(({ key }) => context.objects.size(key)));
  return { ...rows, files: files.map((file, index) => ({ ...file, bytes: sizes[index] ?? null })) };
}

async function readRows(session: Session, accountId: string): Promise<Omit<AccountExport, 'files'>> {
  const {
    password_hash: _,
    webhook_secret: __,
    ...account
  } = await session.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
  return {
    account,
    api_keys: await listApiKeys(session, accountId),
    assets: await rowsOf(session, 'assets', accountId),
    renders: (await rowsOf(session, 'renders', accountId)).map(
      ({ lease_owner: _, lease_expires_at: __, variables, size, engine, warnings, ...render }) => ({
        ...render,
        variables: JSON.parse(variables),
        size: JSON.parse(size ?? 'null'),
        engine: JSON.parse(engine ?? 'null'),
        warnings: JSON.parse(warnings ?? 'null'),
      }),
    ),
    ledger: await rowsOf(session, 'ledger', accountId),
    webhooks: await webhooksOf(session, accountId),
    idempotency_keys: (await rowsOf(session, 'idempotency', accountId)).map(({ endpoint, key, created_at }) => ({
      endpoint,
      key,
      created_at,
    })),
    browsers: (await rowsOf(session, 'sessions', accountId)).map(({ created_at, expires_at }) => ({
      created_at,
      expires_at,
    })),
    programs: await programsOf(session, accountId),
    mail_links: (await rowsOf(session, 'mail_tokens', accountId)).map(({ kind, created_at, expires_at }) => ({
      kind,
      created_at,
      expires_at,
    })),
    audit: await session
      .selectFrom('audit_events')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('at')
      .execute(),
  };
}

type DatedTable = 'assets' | 'renders' | 'ledger' | 'webhook_deliveries' | 'idempotency' | 'sessions' | 'mail_tokens';

/** Oldest first. */
function rowsOf<Name extends DatedTable>(session: Session, table: Name, accountId: string) {
  return session
    .selectFrom(table as 'renders')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute() as unknown as Promise<Tables[Name][]>;
}

async function webhooksOf(session: Session, accountId: string): Promise<object[]> {
  const deliveries = await rowsOf(session, 'webhook_deliveries', accountId);
  const attempts = await session
    .selectFrom('webhook_attempts')
    .innerJoin('webhook_deliveries', 'webhook_deliveries.id', 'webhook_attempts.delivery_id')
    .selectAll('webhook_attempts')
    .where('webhook_deliveries.account_id', '=', accountId)
    .orderBy('webhook_attempts.at')
    .execute();
  return deliveries.map(({ lease_owner: _, lease_expires_at: __, attempts: ___, ...delivery }) => ({
    ...delivery,
    attempts: attempts
      .filter(({ delivery_id }) => delivery_id === delivery.id)
      .map(({ at, status_code, error, duration_ms }) => ({ at, status_code, error, duration_ms })),
  }));
}

/** Sign-ins of programs. */
async function programsOf(session: Session, accountId: string): Promise<object[]> {
  const grants = await session
    .selectFrom('oauth_records')
    .select(['payload', 'expires_at'])
    .where('model', '=', 'Grant')
    .where('uid', '=', accountId)
    .orderBy('expires_at')
    .execute();
  return grants.map(({ payload, expires_at }) => {
    const { iat, clientId, openid } = JSON.parse(payload) as AdapterPayload & { openid?: { scope?: string } };
    return {
      client: clientId ?? null,
      scope: openid?.scope ?? null,
      created_at: iat === undefined ? null : iat * 1000,
      expires_at,
    };
  });
}
