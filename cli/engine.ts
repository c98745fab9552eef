// The functions of the renderer that commands call.
import type { DiagnoseOptions } from '../renderer-core/doctor/diagnose.ts';
import type { Diagnosis } from '../renderer-core/doctor/diagnosis.ts';
import type { setUp } from '../renderer-core/doctor/installMissing.ts';
import type { planBatch, renderBatch } from '../renderer-core/render/batch/renderBatch.ts';
import type { planRender, renderVideo } from '../renderer-core/render/pipeline.ts';
import type { takeSnapshot } from '../renderer-core/render/snapshot/takeSnapshot.ts';

export type Engine = {
  renderVideo: typeof renderVideo;
  planRender: typeof planRender;
  renderBatch: typeof renderBatch;
  planBatch: typeof planBatch;
  takeSnapshot: typeof takeSnapshot;
  diagnose: (options: DiagnoseOptions) => Promise<Diagnosis>;
  setUp: typeof setUp;
};

/** Imports the renderer dynamically, because loading its browser driver takes longer than most commands. */
export async function loadEngine(): Promise<Engine> {
  const [render, batch, { diagnose }, { takeSnapshot }, { setUp }] = await Promise.all([
    import('../renderer-core/render/pipeline.ts'),
    import('../renderer-core/render/batch/renderBatch.ts'),
    import('../renderer-core/doctor/diagnose.ts'),
    import('../renderer-core/render/snapshot/takeSnapshot.ts'),
    import('../renderer-core/doctor/installMissing.ts'),
  ]);
  const { renderVideo, planRender } = render;
  const { renderBatch, planBatch } = batch;
  return { renderVideo, planRender, renderBatch, planBatch, takeSnapshot, diagnose, setUp };
}
