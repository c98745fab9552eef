// What the steps of a render write to the bucket: its plan, and the report of the finished video.
import type { ShownFont } from '../../renderer-core/plan/fonts/shownFonts.ts';
import type { Network } from '../../renderer-core/project/remote/publicFetch.ts';
import type { PlannedRender } from '../../renderer-core/render/chunkRender.ts';
import { keys } from '../keys.ts';
import type { StageTimes } from '../steps/stageTimes.ts';
import type { Store } from '../store.ts';

/** Contains `siteId` and `codeVersion` because the content of segments depends on them. */
export type StoredPlan = PlannedRender & {
  siteId: string;
  codeVersion: string;
  warnings: string[];
  network: Network;
  times: StageTimes;
};

/** What only the chunks of the video show. `fonts`: those of the text; null with the fonts of the workers' machines. */
export type StoredReport = { fonts: ShownFont[] | null; warnings: string[] };

/** Undefined until the plan step has written it. */
export function readStoredPlan(store: Store, renderId: string): Promise<StoredPlan | undefined> {
  return store.getJson<StoredPlan>(keys.plan(renderId));
}

/** Undefined until the video is assembled. */
export function readStoredReport(store: Store, renderId: string): Promise<StoredReport | undefined> {
  return store.getJson<StoredReport>(keys.report(renderId));
}
