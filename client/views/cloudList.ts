// The renders of an account, page by page: what a newer page changes in them, and when to ask again.

/** What `framework cloud list --json` and `cloud get --json` print, as far as it is read here. Times are unix seconds. */
export type CloudRecord = {
  render_id: string;
  status: 'queued' | 'rendering' | 'completed' | 'failed';
  /** 0 to 1. */
  progress: number;
  title: string | null;
  composition: string;
  duration: number | null;
  fps: number | null;
  format: string;
  resolution: string;
  aspect_ratio: string | null;
  created_at: number;
  completed_at: number | null;
  credits: number | null;
  failure_message: string | null;
};

export type CloudPage = { data: CloudRecord[]; has_more: boolean; next_token: string | null };

/** What is known of the account's renders, newest first; `next` is the token of what comes after them. */
export type CloudList = { records: readonly CloudRecord[]; next: string | null };

/** As many as are shown at first, and with each *Load more*. */
export const pageSize = 20;
/** The service's own limit. */
const mostInPage = 100;

export const isRunning = ({ status }: CloudRecord): boolean => status === 'queued' || status === 'rendering';

/** How many to ask for, so that everything that runs is in the answer. */
export function refreshLimit({ records }: CloudList): number {
  const lastRunning = records.findLastIndex(isRunning);
  return Math.min(mostInPage, Math.max(pageSize, lastRunning + 1));
}

/** The newest renders as they are now, and behind them the older ones that were loaded before. */
export function withNewest(list: CloudList, { data, has_more: hasMore, next_token: token }: CloudPage): CloudList {
  if (!hasMore) return { records: data, next: null };
  const ids = new Set(data.map(({ render_id: id }) => id));
  const last = list.records.findLastIndex(({ render_id: id }) => ids.has(id));
  // Nothing of what was loaded is in the answer: there may be others in between.
  const older = last < 0 ? [] : list.records.slice(last + 1);
  return older.length === 0 ? { records: data, next: token } : { records: [...data, ...older], next: list.next };
}

/** The page after what was loaded. A render that is there already is not shown twice. */
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
  /** How often in a row the service did not answer, and how long it said not to ask, in seconds. */
  failures: number;
  retryAfter?: number | undefined;
};

const shortestMs = 3_000;
const longestMs = 60_000;

/** Milliseconds until the next question; undefined where none is to be asked. */
export function nextPollMs({ isVisible, isRunning: runs, failures, retryAfter = 0 }: PollFacts): number | undefined {
  if (!isVisible || !runs) return undefined;
  return Math.max(Math.min(longestMs, shortestMs * 2 ** failures), retryAfter * 1000);
}
