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
  uploads: UploadRow;
  renders: RenderRow;
  worker_time: WorkerTimeRow;
  ledger: LedgerRow;
  idempotency: IdempotencyRow;
  webhook_deliveries: WebhookDeliveryRow;
  webhook_attempts: WebhookAttemptRow;
  oauth_records: OauthRecordRow;
  sessions: SessionRow;
  secrets: SecretRow;
  audit_events: AuditEventRow;
  mail_tokens: MailTokenRow;
  limit_counts: LimitCountRow;
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
  /** The sum of the account's ledger, in ten-thousandths of a credit. */
  balance: number;
  /** The bytes of its assets and videos, and those that its uploads in progress may still store. */
  stored_bytes: number;
  /** Null unless the operator has suspended the account. */
  suspended_at: number | null;
  /** JSON array of the hosts from which its pages may load files; null: those of the service. */
  allowed_hosts: string | null;
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
  /** Empty when the file has been deleted. */
  object_key: string;
  created_at: number;
  /** When a render was last submitted with it. */
  used_at: number | null;
  /** `ProjectVariables` as JSON; null: not known. */
  variables: string | null;
  deleted_at: number | null;
};

/** An upload in progress, which counts in the quotas of its account. */
export type UploadRow = {
  /** That of the asset which it creates. */
  id: string;
  account_id: string;
  /** What it may store. */
  bytes: number;
  /** Extended until the upload ends. After that, its process was killed. */
  expires_at: number;
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
  /** The requested rate, null for the composition's own (or 30). Replaced by the actual value when the render completes. */
  fps: number | null;
  quality: string;
  format: string;
  /** The requested value or the default; that of the video when the render completes. */
  resolution: string;
  /** JSON object with `width`, `height`, `fit` and `background`, as far as requested; null if none of them is. */
  size: string | null;
  /** The requested ratio, null for the composition's own. Replaced by the actual value when the render completes. */
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
  /** What the render cost; null until it completes, and if it fails without a charge. */
  credits: number | null;
  failure_code: string | null;
  failure_message: string | null;
  /** JSON object with the versions of browser and ffmpeg; null until the render completes. */
  engine: string | null;
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
  /** How often its worker, browser or ffmpeg died. */
  worker_deaths: number;
  /** How often its service was interrupted. */
  interruptions: number;
  /** JSON array with the names of stored segments; null if there are none. */
  segments: string | null;
};

/** Worker time of an account. Rows of more than an hour ago are deleted. */
export type WorkerTimeRow = {
  account_id: string;
  /** The start of the ten minutes in which the renders ended. */
  period: number;
  ms: number;
};

/** A change of an account's credits. The balance on the account's row is the sum of all rows. */
export type LedgerRow = {
  id: string;
  account_id: string;
  /** Positive: credits granted. Negative: credits held or charged. */
  amount: number;
  /** A `hold` becomes a `charge` when the render completes, and is deleted or becomes a smaller `charge` when it fails. */
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

/** An entry of the audit log. */
export type AuditEventRow = {
  id: string;
  account_id: string | null;
  at: number;
  actor: 'user' | 'operator' | 'unknown';
  /** The client's, as in rate limits. */
  address: string | null;
  /** One of `auditActions`. */
  action: string;
  detail: string | null;
};

/** A link that was sent by mail. */
export type MailTokenRow = {
  /** SHA-256 of the link's token in hex. */
  hash: string;
  kind: 'sign-up' | 'reset';
  email: string;
  /** The name of the account to create. */
  name: string | null;
  /** Null if the account is created by the link. */
  account_id: string | null;
  created_at: number;
  expires_at: number;
};

/** Created at the first start: keys for signed URLs, cookies and tokens. */
export type SecretRow = { name: string; value: string };

/** Only with PostgreSQL. `key` is the hash of the limit's name and of what it counts. Times are Unix milliseconds. */
export type LimitCountRow = { key: string; failures: number; free_at: number; last_at: number };
