// The PostgreSQL server of a test run. It starts once, and each test has a database of its own.
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createDatabase, findPostgres, type PostgresPlace, startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: PostgresPlace | undefined;
  }
}

/** For `globalSetup`. In CI, a missing server is a failure. */
export async function setup(project: TestProject): Promise<(() => void) | undefined> {
  const bin = findPostgres();
  if (bin === undefined && process.env.CI) throw new Error('PostgreSQL is not installed');
  if (bin === undefined) {
    console.warn('PostgreSQL is not installed: its tests are skipped (Debian: apt-get install postgresql)');
    return undefined;
  }
  const { place, stop } = await startPostgres(bin);
  project.provide('postgres', place);
  return stop;
}

export const hasPostgres = (): boolean => inject('postgres') !== undefined;

/** The folder of its programs. */
export const postgresPrograms = (): string => inject('postgres')?.bin ?? '';

/** The address of a new, empty database. */
export function newDatabase(): string {
  const place = inject('postgres');
  if (!place) throw new Error('PostgreSQL is not running');
  return createDatabase(place);
}
