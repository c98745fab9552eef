// What `auth` and `cloud` print, and what operators get from `serve`.
import { z } from 'zod';
import type { DeviceCode } from '../cloud/deviceSignIn.ts';
import type { CloudEvent } from '../cloud/events.ts';
import { renderOrder, renderRecord, statuses } from '../service/schemas.ts';
import { count, error, errorEvent, maybe, of, path, stageEvent, values, warningEvent } from './shared.ts';

const unixSeconds = z.number().nullable().describe('Unix seconds.');
const unixMs = z.number().nullable().describe('Unix milliseconds.');
const who = z
  .object({ user_id: maybe(z.string()), email: maybe(z.string()), name: maybe(z.string().nullable()) })
  .describe('Whose the credential is.');
const source = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('environment'), name: z.string() }),
  z.object({ kind: z.literal('file'), path: path('Absolute.') }),
]);
const kind = z.enum(['api_key', 'oauth']);

export const authStatus = z.object({
  signedIn: z.boolean().describe('The service has accepted the credential just now.'),
  apiUrl: z.string(),
  file: path('Absolute path of the credentials file, whether it is there or not.'),
  kind: kind.nullable(),
  source: source.nullable(),
  credential: z.string().nullable().describe('The first characters.'),
  expiresAt: unixSeconds,
  scope: z.string().nullable(),
  user: who.nullable(),
  billing: z.object({ plan: z.string(), credits_remaining: z.number(), resets_at: unixSeconds }).nullable(),
  error: error.nullable(),
});
export const authLogin = z.object({
  signedIn: z.literal(true),
  kind,
  apiUrl: z.string(),
  source,
  user: who.nullable(),
});
export const signInEvents = z.union([
  z.object({ type: z.literal('url'), url: z.string() }).describe('Of the page to sign in on.'),
  of<Omit<DeviceCode, 'completeUrl'>>()(
    z.object({
      type: z.literal('code'),
      userCode: z.string().describe('To be typed on that page.'),
      url: z.string(),
      completeUrl: maybe(z.string().describe('Of the page with the code in it.')),
      expiresIn: count('Seconds.'),
    }),
  ),
  warningEvent,
  errorEvent,
]);
export const authRefresh = z.object({ refreshed: z.literal(true), expiresAt: unixSeconds });
export const authLogout = z.object({
  signedOut: z.boolean().describe('Whether there was a credential.'),
  warnings: z.array(z.string()),
});

const record = renderRecord.shape;
const downloaded = {
  output: z.string().nullable().describe('Absolute path of the video; null where it was not waited for.'),
  bytes: z.number().nullable(),
};

/** Fields that a newer service adds are passed on. */
export const cloudRecord = z.looseObject(record);
export const cloudDownload = z.looseObject({ ...record, ...downloaded }).describe('With --output or --wait.');
export const cloudPage = z.object({
  data: z.array(cloudRecord),
  has_more: z.boolean(),
  next_token: z.string().nullable().describe('What --token takes for the next page.'),
});
export const cloudDelete = z.object({ render_id: z.string(), deleted: z.literal(true) });

export const cloudRender = z.looseObject({ ...record, ...downloaded, asset_id: z.string().nullable() });
export const cloudOrdered = z
  .object({ render_id: z.string(), status: z.enum(statuses), asset_id: z.string().nullable(), ...downloaded })
  .describe('With --no-wait.');
export const cloudPlan = z
  .object({
    files: z
      .array(z.object({ path: z.string(), bytes: count('Size.') }))
      .nullable()
      .describe('What would be uploaded.'),
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
  .describe('Of --dry-run.');

const status = z.enum(statuses);
const transfer = z.enum(['upload', 'download']);

export const cloudEvents = z.union([
  of<CloudEvent>()(
    z.discriminatedUnion('type', [
      stageEvent(['check', 'pack', 'upload', 'submit', 'wait', 'download']),
      warningEvent,
      z.object({ type: z.literal('bytes'), stage: transfer, done: count('Bytes.'), total: z.number().nullable() }),
      z.object({ type: z.literal('submitted'), renderId: z.string(), status }),
      z.object({
        type: z.literal('status'),
        renderId: z.string(),
        status,
        progress: z.number().describe('From 0 to 1.'),
        elapsedMs: count('Milliseconds.'),
      }),
      z.object({
        type: z.literal('retry'),
        stage: z.enum(['wait', 'download']),
        message: z.string(),
        inMs: count('Milliseconds.'),
      }),
      z.object({ type: z.literal('done'), renderId: z.string(), status, output: z.string().nullable() }),
    ]),
  ),
  errorEvent,
]);

export const serveStarted = z.object({
  url: z.string(),
  dataDir: path('Folder of files and, with SQLite, of the database.'),
  database: z.enum(['sqlite', 'postgresql']),
});
export const serveAccount = z.object({ user_id: z.string(), email: z.string(), credits: z.number() });
export const serveKey = z.object({ id: z.string(), key: z.string().describe('Not shown again.'), name: z.string() });
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
export const serveRedelivered = z.object({ id: z.string(), status: z.literal('pending') }).describe('Of --redeliver.');
