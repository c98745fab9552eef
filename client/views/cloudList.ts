// The list of an account's renders: merging of pages, and the polling interval.
import type { Page, RenderRecord } from '../../cloud/client/apiTypes.ts';

/** The fields of `framework cloud list --json` and `cloud get --json` that are used. Times are Unix seconds. */
export type CloudRecord = Omit<
  RenderRecord,
  'callback_id' | 'video_url' | 'thumbnail_url' | 'quality' | 'failure_code' | 'engine' | 'warnings'
>;

export type CloudPage = Page<CloudRecord>;

/** The loaded renders, newest first. `next` is the token of the next page. */
export type CloudList = { records: readonly CloudRecord[]; next: string | null };

/** Renders per page: at first, and with each *Load More*. */
export const pageSize = 20;
/** The limit of the service. */
const maxPageSize = 100;

export const isRunning = ({ status }: CloudRecord): boolean => status === 'queued' || status === 'rendering';

/** The page size that includes all running renders. */
export function refreshLimit({ records }: CloudList): number {
  const lastRunning = records.findLastIndex(isRunning);
  return Math.min(maxPageSize, Math.max(pageSize, lastRunning + 1));
}

/** Replaces the newest renders and keeps the older ones that were loaded before. */
export function withNewest(list: CloudList, { data, has_more: hasMore, next_token: token }: CloudPage): CloudList {
  if (!hasMore) return { records: data, next: null };
  const ids = new Set(data.map(({ render_id: id }) => id));
  const last = list.records.findLastIndex(({ render_id: id }) => ids.has(id));
  // No loaded render is in the page, so there can be others in between.
  const older = last < 0 ? [] : list.records.slice(last + 1);
  return older.length === 0 ? { records: data, next: token } : { records: [...data, ...older], next: list.next };
}

/** Appends the next page, without duplicates. */
export function withOlder(list: CloudList, { data, has_more: hasMore, next_token: token }: CloudPage): CloudList {
  const ids = new Set(list.records.map(({ render_id: id }) => id));
  const added = data.filter(({ render_id: id }) => !ids.has(id));
  return { records: [...list.records, ...added], next: hasMore ? token : null };
}

export function without(list: CloudList, renderId: string): CloudList {
  return { ...list, records: list.records.filter(({ render_id: id }) => id !== renderId) };
}

export type PollFacts = {
  isVisible: boolean;
  isRunning: boolean;
  /** Number of consecutive failed requests. */
  failures: number;
  /** Seconds to wait, as requested by the service. */
  retryAfter?: number | undefined;
};

const minIntervalMs = 3_000;
const maxIntervalMs = 60_000;

/** Milliseconds until the next request; undefined when no request is needed. */
export function nextPollMs({
  isVisible,
  isRunning: hasRunning,
  failures,
  retryAfter = 0,
}: PollFacts): number | undefined {
  if (!isVisible || !hasRunning) return undefined;
  return Math.max(Math.min(maxIntervalMs, minIntervalMs * 2 ** failures), retryAfter * 1000);
}
