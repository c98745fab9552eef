// The plan of a render as it is stored in the bucket.
import type { Network } from '../renderer-core/project/remote/publicFetch.ts';
import type { PlannedRender } from '../renderer-core/render/chunkRender.ts';
import type { Bucket } from './bucket.ts';
import { keys } from './keys.ts';

/** Contains `siteId` and `codeVersion` because the content of segments depends on them. */
export type StoredPlan = PlannedRender & {
  siteId: string;
  codeVersion: string;
  warnings: string[];
  network: Network;
};

/** Undefined until the plan step has written it. */
export function readStoredPlan(bucket: Bucket, renderId: string): Promise<StoredPlan | undefined> {
  return bucket.getJson<StoredPlan>(keys.plan(renderId));
}
