// The plan of a render as it is kept in the bucket: what chunks are rendered from, and what tells how long the video is.
import type { RenderPlan } from '../plan/plan.ts';
import type { Network } from '../project/publicFetch.ts';
import type { Bucket } from './bucket.ts';
import { keys } from './keys.ts';

/** `siteId` and `codeVersion` because a segment's content depends on them. */
export type StoredPlan = {
  plan: RenderPlan;
  siteId: string;
  codeVersion: string;
  warnings: string[];
  network?: Network;
};

/** Undefined until it has been made. */
export function readStoredPlan(bucket: Bucket, renderId: string): Promise<StoredPlan | undefined> {
  return bucket.getJson<StoredPlan>(keys.plan(renderId));
}
