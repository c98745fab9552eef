// A job is a folder, or a prefix of a bucket: `s3://bucket/prefix`.
import { resolve } from 'node:path';
import { UserError } from '../../renderer-core/errors.ts';
import type { Store } from '../store.ts';
import { openFolder } from './folderStore.ts';

/** `name`: the absolute path or the address. */
export type Job = { name: string; store: Store };

/** Reads nothing yet. Throws UserError `usage`. */
export async function openJob(name: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Job> {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(name)) return { name: resolve(name), store: openFolder(resolve(name)) };
  const { bucket, prefix } = parseAddress(name);
  // The SDK of AWS takes longer to load than most commands.
  const [{ openBucket }, { pathStyleFrom, s3Client }] = await Promise.all([
    import('../bucket.ts'),
    import('../aws.ts'),
  ]);
  return { name, store: openBucket(s3Client({ pathStyle: pathStyleFrom(env) }), bucket, signal, prefix) };
}

/** `s3://bucket/a/b/` to a bucket and the prefix `a/b/`. */
export function parseAddress(address: string): { bucket: string; prefix: string } {
  const [, bucket, path] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)\/+(.+?)\/*$/.exec(address) ?? [];
  if (bucket !== undefined && path !== undefined) return { bucket, prefix: `${path}/` };
  throw new UserError('usage', `${address} is not the address of a job`, {
    hint: 'Use a folder, or s3://<bucket>/<name>.',
  });
}
