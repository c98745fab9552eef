// The S3 server of a test run. It starts once, and each file has an account of its own.
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { type CephAccount, type CephPlace, cephMissing, createCephAccount, startCeph } from './ceph.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    ceph: CephPlace | undefined;
  }
}

/** For `globalSetup`. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (cephMissing() !== undefined) return undefined;
  const { stop, ...place } = await startCeph();
  project.provide('ceph', place);
  return stop;
}

export async function openCeph(): Promise<CephAccount> {
  const place = inject('ceph');
  if (!place) throw new Error('This project of vitest.config.ts does not start Ceph');
  return createCephAccount(place);
}
