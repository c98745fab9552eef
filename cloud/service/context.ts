// What every part of the service is given: settings, database, files, clock and log.
import type { ObjectStore } from './objects.ts';
import type { ServiceSettings } from './settings.ts';
import type { Database } from './tables.ts';

export type ServiceContext = {
  settings: ServiceSettings;
  database: Database;
  objects: ObjectStore;
  secrets: ServiceSecrets;
  /** Unix milliseconds. */
  now(): number;
  log: ServiceLog;
  /** This process among those that share a database. */
  instance: string;
};

/** Made at the first start and kept in the database, the same for every instance. */
export type ServiceSecrets = {
  /** Signs URLs of files. */
  urlKey: Buffer;
  cookieKeys: string[];
  /** JSON Web Key Set of the OAuth server. */
  jwks: { keys: Record<string, unknown>[] };
};

/** One JSON line each. Neither tokens nor keys nor bodies are ever given to it. */
export type ServiceLog = (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;

/** A part that works in the background: `close` waits for what it has in hand. */
export type ServicePart = {
  /** Something was put into the database that this part looks for: look now, not at the next round. */
  wake(): void;
  close(): Promise<void>;
};
