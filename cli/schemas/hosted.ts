// Schemas of the output of `auth`, `cloud` and `serve`.
import { z } from 'zod';
import { renderStatuses } from '../../cloud/client/apiTypes.ts';
import { deviceCodeSchema } from '../../cloud/client/auth/deviceCode.ts';
import { cloudEventSchema } from '../../cloud/client/cloudEvents.ts';
import { renderOrder, renderRecord } from '../../cloud/service/api/apiSchemas.ts';
import { errorSchema } from '../../renderer-core/reports/errorJson.ts';
import { count, maybe, path, values, warningEvent } from '../../renderer-core/reports/reportFields.ts';
import { errorEvent } from './errors.ts';

const unixSeconds = z.number().nullable().describe('Unix seconds.');
const unixMs = z.number().nullable().describe('Unix milliseconds.');
const user = z
  .object({ user_id: maybe(z.string()), email: maybe(z.string()), name: maybe(z.string().nullable()) })
  .describe('The user of the credential.');
const source = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('environment'), name: z.string() }),
  z.object({ kind: z.literal('file'), path: path('Absolute path.') }),
]);
const kind = z.enum(['api_key', 'oauth']);

export const authStatus = z.object({
  signedIn: z.boolean().describe('Whether the service accepted the credential; with --stored, whether one is stored.'),
  apiUrl: z.string(),
  file: path('Absolute path of the credentials file, which may not exist.'),
  kind: kind.nullable(),
  source: source.nullable(),
  credential: z.string().nullable().describe('First characters of the credential.'),
  expiresAt: unixSeconds,
  scope: z.string().nullable(),
  user: user.nullable(),
  billing: z.object({ plan: z.string(), credits_remaining: z.number(), resets_at: unixSeconds }).nullable(),
  error: errorSchema.nullable(),
});
export const authLogin = z.object({
  signedIn: z.literal(true),
  kind,
  apiUrl: z.string(),
  source,
  user: user.nullable(),
});
export const signInEvents = z.union([
  z.object({ type: z.literal('url'), url: z.string() }).describe('Address of the sign-in page.'),
  z.object({ type: z.literal('code'), ...deviceCodeSchema.shape }),
  warningEvent,
  errorEvent,
]);
export const authRefresh = z.object({ refreshed: z.literal(true), expiresAt: unixSeconds });
export const authLogout = z.object({
  signedOut: z.boolean().describe('Whether a credential was stored.'),
  warnings: z.array(z.string()),
});

const record = renderRecord.shape;
const downloaded = {
  output: z.string().nullable().describe('Absolute path of the video; null if the command did not wait.'),
  bytes: z.number().nullable(),
};

/** Loose, because newer services may add fields. */
export const cloudRecord = z.looseObject(record);
export const cloudDownload = z.looseObject({ ...record, ...downloaded }).describe('With --output or --wait.');
export const cloudPage = z.object({
  data: z.array(cloudRecord),
  has_more: z.boolean(),
  next_token: z.string().nullable().describe('Value of --token for the next page.'),
});
export const cloudDelete = z.object({ render_id: z.string(), deleted: z.literal(true) });

export const cloudRender = z.looseObject({ ...record, ...downloaded, asset_id: z.string().nullable() });
export const cloudOrdered = z
  .object({ render_id: z.string(), status: z.enum(renderStatuses), asset_id: z.string().nullable(), ...downloaded })
  .describe('With --no-wait.');
export const cloudPlan = z
  .object({
    files: z
      .array(z.object({ path: z.string(), bytes: count('Size.') }))
      .nullable()
      .describe('Files that would be uploaded.'),
    archive: z.object({ bytes: count('Size.'), sha256: z.string() }).nullable(),
    order: z.object({
      ...renderOrder.shape,
      project: z.union([
        z.object({ type: z.literal('asset_id'), asset_id: z.string().nullable() }),
        z.object({ type: z.literal('url'), url: z.string() }),
      ]),
      variables: maybe(values),
    }),
    idempotency_key: z.string(),
    warnings: z.array(z.string()),
  })
  .describe('With --dry-run.');

export const cloudEvents = z.union([cloudEventSchema, errorEvent]);

export const serveStarted = z.object({
  url: z.string(),
  dataDir: path('Folder of files and the SQLite database.'),
  database: z.enum(['sqlite', 'postgresql']),
});
export const serveAccount = z.object({ user_id: z.string(), email: z.string(), credits: z.number() });
export const serveKey = z.object({ id: z.string(), key: z.string().describe('Shown only once.'), name: z.string() });
export const serveKeys = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('The first characters of the key.'),
    created_at: z.number().describe('Unix milliseconds.'),
    last_used_at: unixMs,
    revoked_at: unixMs,
  }),
);
export const serveRevoked = z.object({ id: z.string(), revoked: z.literal(true) });
export const serveAllRevoked = z.object({ revoked_keys: count('Number of revoked keys.') }).describe('With --all.');
const allowedHosts = z
  .array(z.string())
  .nullable()
  .describe('Hosts from which pages of the account may load files; null: those of the service.');
export const serveAccounts = z.array(
  z.object({
    user_id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    plan: z.string(),
    credits: z.number(),
    renders: count('Number of renders in its list.'),
    created_at: z.number().describe('Unix milliseconds.'),
    suspended_at: unixMs,
    allowed_hosts: allowedHosts,
  }),
);
export const serveSuspended = z.object({ user_id: z.string(), email: z.string(), suspended: z.boolean() });
export const serveHosts = z.object({ user_id: z.string(), email: z.string(), allowed_hosts: allowedHosts });
export const servePassword = z.object({
  user_id: z.string(),
  email: z.string(),
  changed: z.literal(true),
  revoked_keys: count('Number of revoked API keys.'),
});
const rows = z.array(z.record(z.string(), z.unknown()));
export const serveExport = z.object({
  account: z.record(z.string(), z.unknown()),
  api_keys: rows,
  assets: rows,
  renders: rows,
  ledger: rows.describe('Changes of the credits.'),
  webhooks: rows.describe('Deliveries with their attempts.'),
  idempotency_keys: rows,
  browsers: rows.describe('Sign-ins on the web pages.'),
  programs: rows.describe('Sign-ins of programs.'),
  mail_links: rows.describe('Links that were sent by mail and are still valid.'),
  audit: rows,
  files: z.array(
    z.object({
      key: z.string(),
      kind: z.enum(['project', 'video', 'thumbnail']),
      asset: z.string().nullable(),
      render: z.string().nullable(),
      bytes: z.number().nullable().describe('null if the file is missing.'),
    }),
  ),
});
export const serveDeleted = z.object({
  user_id: z.string(),
  email: z.string(),
  deleted: z.literal(true),
  files: count('Number of deleted files.'),
  renders: count('Number of deleted renders.'),
});
export const serveRotated = z.object({ rotated: z.literal(true) });

const time = z.string().nullable().describe('ISO 8601, UTC.');
export const serveWebhooks = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      render_id: z.string(),
      type: z.string(),
      status: z.enum(['pending', 'delivered', 'failed']),
      url: z.string(),
      created_at: time,
      next_attempt_at: time,
      attempts: z.array(
        z.object({
          at: time,
          status_code: z.number().nullable(),
          error: z.string().nullable(),
          duration_ms: z.number(),
        }),
      ),
    }),
  ),
});
export const serveRedelivered = z
  .object({ id: z.string(), status: z.literal('pending') })
  .describe('With --redeliver.');

const backup = {
  created_at: z.string().describe('When the backup was written; ISO 8601, UTC.'),
  version: z.string().describe('Version of framework that wrote the backup.'),
  database: z.enum(['sqlite', 'postgresql']),
  schema: z.string().describe('The last migration of the database.'),
  objects: z.enum(['disk', 'bucket']).describe('bucket: projects and videos are in a bucket and not in the backup.'),
  files: count('Number of files of the backup.'),
  bytes: count('Their size.'),
  missing: z.array(z.string()).describe('Files that the database names, but that the service did not have.'),
};
export const serveBackup = z.object({ backup: path('Folder of the backup.'), ...backup });
export const serveRestored = z.object({
  backup: path('Folder of the backup.'),
  data_dir: path('Folder of the service.'),
  previous: path('Folder with the data of before; null if there was none.').nullable(),
  ...backup,
});
