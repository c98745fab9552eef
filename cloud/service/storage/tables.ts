// The tables of the service's database as Kysely sees them. Times are unix milliseconds; JSON is text; ids are opaque.
// SQLite and PostgreSQL hold the same: no type here is known to one of them alone.
import type { Kysely, Transaction } from 'kysely';

export type Database = Kysely<Tables>;
/** Inside a transaction, or outside. */
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
  /** In lower case; unique. */
  email: string;
  name: string | null;
  /** scrypt, with its parameters and salt. */
  password_hash: string;
  plan: string;
  /** `whsec_…`, for the signature of webhooks. */
  webhook_secret: string;
  created_at: number;
};

export type ApiKeyRow = {
  id: string;
  account_id: string;
  name: string;
  /** The first characters, to be told apart by. */
  prefix: string;
  /** SHA-256 of the key, hex; unique. */
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
  /** One of the two. */
  asset_id: string | null;
  project_url: string | null;
  composition: string;
  /** As asked for; null: the composition's own, else 30. Once it is completed: as rendered. */
  fps: number | null;
  quality: string;
  format: string;
  resolution: string;
  /** As asked for; null: the composition's own. Once it is completed: as rendered. */
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
  /** What it cost; null until it is completed. */
  credits: number | null;
  failure_code: string | null;
  failure_message: string | null;
  /** JSON array of texts; null until it is completed. */
  warnings: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
  deleted_at: number | null;
  /** The instance that renders it, until when that holds unless it is renewed, and how often it was begun. */
  lease_owner: string | null;
  lease_expires_at: number | null;
  attempts: number;
};

/** Every movement of an account's credits; the balance is their sum. */
export type LedgerRow = {
  id: string;
  account_id: string;
  /** Above 0: credits given; below: credits held or spent. */
  amount: number;
  /** `hold` becomes `charge` when the render is completed, and goes when it fails. */
  kind: 'grant' | 'hold' | 'charge';
  /** Unique with `kind`, so that no render is paid twice. */
  render_id: string | null;
  note: string | null;
  created_at: number;
};

export type IdempotencyRow = {
  account_id: string;
  /** `POST /v3/assets`. */
  endpoint: string;
  key: string;
  /** SHA-256 of the request's body, hex. */
  request_hash: string;
  /** Null while the first request is still running. */
  status: number | null;
  response: string | null;
  created_at: number;
};

export type WebhookDeliveryRow = {
  /** Also the `webhook-id` that receivers see: the same for every attempt. */
  id: string;
  account_id: string;
  render_id: string;
  url: string;
  /** Host and port of the URL: one that is slow does not hold up others. */
  target: string;
  type: 'render.completed' | 'render.failed';
  /** `pending` until a 2xx, or until the last attempt has failed. */
  status: 'pending' | 'delivered' | 'failed';
  /** Begun since it was made, or made due again; all of them are in `webhook_attempts`. */
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
  /** Null when there was no answer. */
  status_code: number | null;
  error: string | null;
  duration_ms: number;
};

/** What the OAuth server keeps: codes, tokens, grants, sessions. */
export type OauthRecordRow = {
  model: string;
  /** A hash where the id itself would let somebody in. */
  id: string;
  payload: string;
  grant_id: string | null;
  user_code: string | null;
  uid: string | null;
  expires_at: number | null;
  consumed_at: number | null;
};

/** Somebody signed in on the web pages. */
export type SessionRow = {
  /** SHA-256 of the cookie's token, hex. */
  hash: string;
  account_id: string;
  created_at: number;
  expires_at: number;
};

/** Made at the first start: keys for signed URLs, cookies and tokens. */
export type SecretRow = { name: string; value: string };
