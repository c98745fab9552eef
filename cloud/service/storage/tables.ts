// The tables of the service's database, as Kysely types. Timestamps are Unix milliseconds, JSON is stored as text. Only
// types that SQLite and PostgreSQL have in common are used.
import type { Kysely, Transaction } from 'kysely';

export type Database = Kysely<Tables>;
/** A connection with or without a transaction. */
export type Session = Kysely<Tables> | Transaction<Tables>;

export type Tables = {
  accounts: AccountRow;
  api_keys: ApiKeyRow;
  assets: AssetRow;
  renders: RenderRow;
  ledger: LedgerRow;
  idempotency: IdempotencyRow;
  webhook_deliveries: WebhookDeliveryRow;
  webhook_attempts: WebhookAttemptRow;
  oauth_records: OauthRecordRow;
  sessions: SessionRow;
  secrets: SecretRow;
};

export type AccountRow = {
  id: string;
  /** In lower case, unique. */
  email: string;
  name: string | null;
  /** scrypt, with its parameters and salt. */
  password_hash: string;
  plan: string;
  /** `whsec_…`, signs webhooks. */
  webhook_secret: string;
  created_at: number;
};

export type ApiKeyRow = {
  id: string;
  account_id: string;
  name: string;
  /** The first characters of the key, shown in lists. */
  prefix: string;
  /** SHA-256 of the key in hex, unique. */
  hash: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
};

export type AssetRow = {
  id: string;
  account_id: string;
  sha256: string;
  size_bytes: number;
  object_key: string;
  created_at: number;
  deleted_at: number | null;
};

export type RenderRow = {
  id: string;
  account_id: string;
  status: 'queued' | 'rendering' | 'completed' | 'failed';
  /** 0 to 1. */
  progress: number;
  title: string | null;
  callback_id: string | null;
  callback_url: string | null;
  /** Either `asset_id` or `project_url` is set. */
  asset_id: string | null;
  project_url: string | null;
  composition: string;
  /** As requested, null for the composition's own (or 30). Replaced by the actual value when the render completes. */
  fps: number | null;
  quality: string;
  format: string;
  /** As requested, or the default; that of the video when the render completes. */
  resolution: string;
  /** JSON object with `width`, `height`, `fit` and `background`, as far as requested; null if none of them is. */
  size: string | null;
  /** As requested, null for the composition's own. Replaced by the actual value when the render completes. */
  aspect_ratio: string | null;
  /** JSON object. */
  variables: string;
  /** 0 or 1. */
  strict_variables: number;
  video_key: string | null;
  video_bytes: number | null;
  thumbnail_key: string | null;
  /** Seconds. */
  duration: number | null;
  /** Null until the render completes. */
  credits: number | null;
  failure_code: string | null;
  failure_message: string | null;
  /** JSON array of strings; null until the render completes. */
  warnings: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
  deleted_at: number | null;
  /** The process that renders it, when its lease expires, and how often the render was started. */
  lease_owner: string | null;
  lease_expires_at: number | null;
  attempts: number;
};

/** A change of an account's credits. The balance is the sum of all rows. */
export type LedgerRow = {
  id: string;
  account_id: string;
  /** Positive: credits granted. Negative: credits held or charged. */
  amount: number;
  /** A `hold` becomes a `charge` when the render completes, and is deleted when it fails. */
  kind: 'grant' | 'hold' | 'charge';
  /** Unique together with `kind`, so that a render is charged only once. */
  render_id: string | null;
  note: string | null;
  created_at: number;
};

export type IdempotencyRow = {
  account_id: string;
  /** For example `POST /v3/assets`. */
  endpoint: string;
  key: string;
  /** SHA-256 of the request's body in hex. */
  request_hash: string;
  /** Null while the first request is still running. */
  status: number | null;
  response: string | null;
  created_at: number;
};

export type WebhookDeliveryRow = {
  /** Also the `webhook-id` header, the same for every attempt. */
  id: string;
  account_id: string;
  render_id: string;
  url: string;
  /** Host and port of the URL. Limits apply per target, so that a slow one does not delay others. */
  target: string;
  type: 'render.completed' | 'render.failed';
  /** `pending` until a 2xx response, or until the last attempt has failed. */
  status: 'pending' | 'delivered' | 'failed';
  /** Started since the delivery was created or resent. All attempts are in `webhook_attempts`. */
  attempts: number;
  next_attempt_at: number | null;
  lease_owner: string | null;
  lease_expires_at: number | null;
  created_at: number;
};

export type WebhookAttemptRow = {
  id: string;
  delivery_id: string;
  at: number;
  /** Null if there was no response. */
  status_code: number | null;
  error: string | null;
  duration_ms: number;
};

/** Data of the OAuth server: codes, tokens, grants, sessions. */
export type OauthRecordRow = {
  model: string;
  /** A hash if the ID itself is a secret. */
  id: string;
  payload: string;
  grant_id: string | null;
  user_code: string | null;
  uid: string | null;
  expires_at: number | null;
  consumed_at: number | null;
};

/** A sign-in on the web pages. */
export type SessionRow = {
  /** SHA-256 of the cookie's token in hex. */
  hash: string;
  account_id: string;
  created_at: number;
  expires_at: number;
};

/** Created at the first start: keys for signed URLs, cookies and tokens. */
export type SecretRow = { name: string; value: string };
