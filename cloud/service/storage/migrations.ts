// Database migrations. Steps are only ever added, because a database does not repeat the ones it has done.
import { type ColumnDefinitionBuilder, type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';

const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();
const primary = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.primaryKey().notNull();

/** Applied in the order of their names. */
export const migrations: Record<string, Migration> = {
  '001-begin': { up: begin },
  '002-served-accounts': { up: indexServedAccounts },
  '003-warnings': { up: addWarnings },
  '004-size': { up: addSize },
  '006-render-time': { up: addRenderTime },
  '007-balance': { up: addBalance },
  '008-asset-use': { up: addAssetUse },
  '009-audit': { up: addAudit },
  '010-suspended': { up: addSuspended },
  '011-mail': { up: addMail },
  '012-limit-counts': { up: addLimitCounts },
  '013-asset-variables': { up: addAssetVariables },
  '014-allowed-hosts': { up: addAllowedHosts },
  '015-engine': { up: addEngine },
};

// Untyped, because steps must not change when the types of the tables do.
async function begin(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema
    .createTable('accounts')
    .addColumn('id', 'text', primary)
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text')
    .addColumn('password_hash', 'text', required)
    .addColumn('plan', 'text', required)
    .addColumn('webhook_secret', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute();
  await schema
    .createTable('api_keys')
    .addColumn('id', 'text', primary)
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', required)
    .addColumn('prefix', 'text', required)
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await schema
    .createTable('assets')
    .addColumn('id', 'text', primary)
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('sha256', 'text', required)
    .addColumn('size_bytes', 'bigint', required)
    .addColumn('object_key', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('deleted_at', 'bigint')
    .execute();
  await schema
    .createTable('renders')
    .addColumn('id', 'text', primary)
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('status', 'text', required)
    .addColumn('progress', 'double precision', required)
    .addColumn('title', 'text')
    .addColumn('callback_id', 'text')
    .addColumn('callback_url', 'text')
    .addColumn('asset_id', 'text', (column) => column.references('assets.id'))
    .addColumn('project_url', 'text')
    .addColumn('composition', 'text', required)
    .addColumn('fps', 'double precision')
    .addColumn('quality', 'text', required)
    .addColumn('format', 'text', required)
    .addColumn('resolution', 'text', required)
    .addColumn('aspect_ratio', 'text')
    .addColumn('variables', 'text', required)
    .addColumn('strict_variables', 'integer', required)
    .addColumn('video_key', 'text')
    .addColumn('video_bytes', 'bigint')
    .addColumn('thumbnail_key', 'text')
    .addColumn('duration', 'double precision')
    .addColumn('credits', 'double precision')
    .addColumn('failure_code', 'text')
    .addColumn('failure_message', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('started_at', 'bigint')
    .addColumn('completed_at', 'bigint')
    .addColumn('deleted_at', 'bigint')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_expires_at', 'bigint')
    .addColumn('attempts', 'integer', required)
    .execute();
  await schema.createIndex('renders_of_account').on('renders').columns(['account_id', 'created_at', 'id']).execute();
  await schema.createIndex('renders_by_status').on('renders').columns(['status', 'created_at']).execute();
  await schema
    .createTable('ledger')
    .addColumn('id', 'text', primary)
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('amount', 'double precision', required)
    .addColumn('kind', 'text', required)
    .addColumn('render_id', 'text', (column) => column.references('renders.id'))
    .addColumn('note', 'text')
    .addColumn('created_at', 'bigint', required)
    .addUniqueConstraint('ledger_once', ['render_id', 'kind'])
    .execute();
  await schema.createIndex('ledger_of_account').on('ledger').columns(['account_id']).execute();
  await schema
    .createTable('idempotency')
    .addColumn('account_id', 'text', required)
    .addColumn('endpoint', 'text', required)
    .addColumn('key', 'text', required)
    .addColumn('request_hash', 'text', required)
    .addColumn('status', 'integer')
    .addColumn('response', 'text')
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('idempotency_once', ['account_id', 'endpoint', 'key'])
    .execute();
  await schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'text', primary)
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('render_id', 'text', (column) => column.notNull().unique().references('renders.id'))
    .addColumn('url', 'text', required)
    .addColumn('target', 'text', required)
    .addColumn('type', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('attempts', 'integer', required)
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_expires_at', 'bigint')
    .addColumn('created_at', 'bigint', required)
    .execute();
  await schema.createIndex('webhooks_due').on('webhook_deliveries').columns(['status', 'next_attempt_at']).execute();
  await schema
    .createTable('webhook_attempts')
    .addColumn('id', 'text', primary)
    .addColumn('delivery_id', 'text', (column) => column.notNull().references('webhook_deliveries.id'))
    .addColumn('at', 'bigint', required)
    .addColumn('status_code', 'integer')
    .addColumn('error', 'text')
    .addColumn('duration_ms', 'bigint', required)
    .execute();
  await schema.createIndex('attempts_of_webhook').on('webhook_attempts').columns(['delivery_id', 'at']).execute();
  await schema
    .createTable('oauth_records')
    .addColumn('model', 'text', required)
    .addColumn('id', 'text', required)
    .addColumn('payload', 'text', required)
    .addColumn('grant_id', 'text')
    .addColumn('user_code', 'text')
    .addColumn('uid', 'text')
    .addColumn('expires_at', 'bigint')
    .addColumn('consumed_at', 'bigint')
    .addPrimaryKeyConstraint('oauth_record', ['model', 'id'])
    .execute();
  await schema.createIndex('oauth_by_grant').on('oauth_records').columns(['grant_id']).execute();
  await schema.createIndex('oauth_by_user_code').on('oauth_records').columns(['user_code']).execute();
  await schema.createIndex('oauth_by_uid').on('oauth_records').columns(['uid']).execute();
  await schema
    .createTable('sessions')
    .addColumn('hash', 'text', primary)
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute();
  await schema.createTable('secrets').addColumn('name', 'text', primary).addColumn('value', 'text', required).execute();
}

/** Each lease looks up when an account was last served. */
async function indexServedAccounts({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('renders_served').on('renders').columns(['account_id', 'started_at']).execute();
}

async function addWarnings({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('renders').addColumn('warnings', 'text').execute();
}

async function addSize({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('renders').addColumn('size', 'text').execute();
}

async function addRenderTime({ schema }: Kysely<unknown>): Promise<void> {
  for (const name of ['worker_deaths', 'interruptions'])
    await schema
      .alterTable('renders')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  await schema.alterTable('renders').addColumn('segments', 'text').execute();
  await schema
    .createTable('worker_time')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('period', 'bigint', required)
    .addColumn('ms', 'bigint', required)
    .addPrimaryKeyConstraint('worker_time_once', ['account_id', 'period'])
    .execute();
}

const zero = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().defaultTo(0);

async function addBalance(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('accounts').addColumn('balance', 'bigint', zero).execute();
  await sql`update accounts set balance = coalesce(
    (select round(sum(amount) * 10000) from ledger where ledger.account_id = accounts.id), 0)`.execute(database);
}

/** What an account uses: its stored bytes, its uploads, its unfinished renders, and which assets its renders used. */
async function addAssetUse(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema
    .createTable('uploads')
    .addColumn('id', 'text', primary)
    .addColumn('account_id', 'text', required)
    .addColumn('bytes', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute();
  await schema.createIndex('uploads_of_account').on('uploads').columns(['account_id']).execute();
  await schema.createIndex('assets_of_account').on('assets').columns(['account_id', 'size_bytes']).execute();
  await schema.createIndex('renders_of_account_by_status').on('renders').columns(['account_id', 'status']).execute();
  await schema.createIndex('renders_of_asset').on('renders').columns(['asset_id', 'status']).execute();
  await schema.alterTable('assets').addColumn('used_at', 'bigint').execute();
  await sql`update assets set used_at =
    (select max(created_at) from renders where renders.asset_id = assets.id)`.execute(database);
  await schema.alterTable('accounts').addColumn('stored_bytes', 'bigint', zero).execute();
  await sql`update accounts set stored_bytes =
    coalesce((select sum(size_bytes) from assets
      where assets.account_id = accounts.id and assets.deleted_at is null), 0) +
    coalesce((select sum(video_bytes) from renders
      where renders.account_id = accounts.id and renders.video_key is not null and renders.deleted_at is null), 0)`.execute(
    database,
  );
}

/** The log has no reference to the account, so that its deletion stays in it. */
async function addAudit({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('audit_events')
    .addColumn('id', 'text', primary)
    .addColumn('account_id', 'text')
    .addColumn('at', 'bigint', required)
    .addColumn('actor', 'text', required)
    .addColumn('address', 'text')
    .addColumn('action', 'text', required)
    .addColumn('detail', 'text')
    .execute();
  await schema.createIndex('audit_of_account').on('audit_events').columns(['account_id', 'at', 'id']).execute();
  await schema.createIndex('audit_by_time').on('audit_events').columns(['at']).execute();
}

async function addSuspended({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('accounts').addColumn('suspended_at', 'bigint').execute();
}

async function addMail({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('mail_tokens')
    .addColumn('hash', 'text', primary)
    .addColumn('kind', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('name', 'text')
    .addColumn('account_id', 'text', (column) => column.references('accounts.id'))
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute();
}

async function addLimitCounts(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('limit_counts')
    .addColumn('key', 'text', primary)
    .addColumn('failures', 'integer', required)
    .addColumn('free_at', 'double precision', required)
    .addColumn('last_at', 'bigint', required)
    .execute();
  await database.schema.createIndex('limit_counts_by_time').on('limit_counts').columns(['last_at']).execute();
  // Every request writes, and a lost count does no harm.
  if (database.getExecutor().adapter instanceof PostgresAdapter)
    await sql`alter table limit_counts set unlogged`.execute(database);
}

async function addAssetVariables({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('assets').addColumn('variables', 'text').execute();
}

async function addAllowedHosts({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('accounts').addColumn('allowed_hosts', 'text').execute();
}

async function addEngine({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('renders').addColumn('engine', 'text').execute();
}
