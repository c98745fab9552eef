// What all parts of the service share: settings, database, object store, clock and log.

import type { Mailer } from './mail/mail.ts';
import type { Metrics } from './metrics.ts';
import type { ServiceSettings } from './settings.ts';
import type { OpenLimitCounts } from './storage/limitCounts.ts';
import type { ObjectStore } from './storage/objectStore.ts';
import type { Database } from './storage/tables.ts';

export type ServiceContext = {
  settings: ServiceSettings;
  database: Database;
  objects: ObjectStore;
  /** What limits have counted, for all instances that share the database. */
  openCounts: OpenLimitCounts;
  metrics: Metrics;
  secrets: ServiceSecrets;
  /** Unix milliseconds. */
  now(): number;
  /** From 0 to 1, to spread retries. */
  random(): number;
  /** Bytes that the service can still write to its data folder. */
  freeBytes(): Promise<number>;
  env: NodeJS.ProcessEnv;
  log: ServiceLog;
  /** Undefined unless the operator has configured mail. */
  mailer?: Mailer | undefined;
  /** Identifies this process among those that share a database. */
  instance: string;
};

/** Created at the first start and stored in the database, the same for all instances. */
export type ServiceSecrets = {
  /** Signs URLs of files. */
  urlKey: Buffer;
  cookieKeys: string[];
  /** JSON Web Key Set of the OAuth server. */
  jwks: { keys: Record<string, unknown>[] };
};

/** Writes one JSON object per line. Must never be given tokens, keys or bodies. */
export type ServiceLog = (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;

/** A log with one JSON object per line; `now` returns Unix milliseconds. */
export function createLog(write: (line: string) => void, now: () => number): ServiceLog {
  return (level, message, facts = {}) => {
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...facts })}\n`);
  };
}

/** A part that works in the background. `close` waits for work in progress. */
export type ServicePart = {
  /** Polls the database now instead of at the next interval. */
  wake(): void;
  close(): Promise<void>;
};
