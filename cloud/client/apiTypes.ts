// JSON bodies of the hosted API /v3, with the API's own field names. Times are unix seconds. Unknown fields are ignored.
import type { Engine } from '../../renderer-core/reports/engine.ts';

export const renderStatuses = ['queued', 'rendering', 'completed', 'failed'] as const;
export type RenderStatus = (typeof renderStatuses)[number];

/** POST /v3/assets. */
export type Asset = { asset_id: string; size_bytes: number; sha256: string };

/** POST /v3/framework/renders. Contains only the options that the user gave. */
export type RenderOrder = {
  project: { type: 'asset_id'; asset_id: string } | { type: 'url'; url: string };
  composition?: string;
  fps?: number;
  quality?: string;
  format?: string;
  resolution?: string;
  width?: number;
  height?: number;
  aspect_ratio?: string;
  fit?: string;
  background?: string;
  variables?: Record<string, unknown>;
  strict_variables?: boolean;
  callback_url?: string;
  callback_id?: string;
  title?: string;
};

/** GET /v3/framework/renders/{id}. `progress` runs from 0 to 1; `video_url` and `thumbnail_url` expire soon. */
export type RenderRecord = {
  render_id: string;
  status: RenderStatus;
  progress: number;
  title: string | null;
  callback_id: string | null;
  video_url: string | null;
  thumbnail_url: string | null;
  /** Seconds. */
  duration: number | null;
  /** The requested rate until the render is completed, or null if the composition decides. `aspect_ratio` likewise. */
  fps: number | null;
  quality: string;
  format: string;
  resolution: string;
  aspect_ratio: string | null;
  composition: string;
  created_at: number;
  completed_at: number | null;
  credits: number | null;
  failure_code: string | null;
  failure_message: string | null;
  /** Null until the render is completed. */
  engine: Engine | null;
  /** Empty until the render is completed. */
  warnings: string[];
};

export type QuotaUse = { used: number; limit: number };

/** GET /v3/users/me. */
export type User = {
  user_id: string;
  email: string;
  name: string | null;
  billing: { plan: string; credits_remaining: number; resets_at: number | null };
  quotas: { stored_bytes: QuotaUse; uploads: QuotaUse; renders: QuotaUse };
};

export type Single<T> = { data: T };
export type Page<T> = { data: T[]; has_more: boolean; next_token: string | null };
