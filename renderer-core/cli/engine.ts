// The parts of the renderer that commands call, loaded when a command needs them.
import type { DiagnoseOptions, Diagnosis } from '../render/diagnose.ts';
import type { planBatch, renderBatch } from '../render/renderBatch.ts';
import type { planRender, renderVideo } from '../render/renderVideo.ts';
import type { takeSnapshot } from '../render/snapshot.ts';

export type Engine = {
  renderVideo: typeof renderVideo;
  planRender: typeof planRender;
  renderBatch: typeof renderBatch;
  planBatch: typeof planBatch;
  takeSnapshot: typeof takeSnapshot;
  diagnose: (options: DiagnoseOptions) => Promise<Diagnosis>;
};

/** The real renderer. A dynamic import: it brings a browser driver, which costs more than most commands. */
export async function loadEngine(): Promise<Engine> {
  const [render, batch, { diagnose }, { takeSnapshot }] = await Promise.all([
    import('../render/renderVideo.ts'),
    import('../render/renderBatch.ts'),
    import('../render/diagnose.ts'),
    import('../render/snapshot.ts'),
  ]);
  const { renderVideo, planRender } = render;
  const { renderBatch, planBatch } = batch;
  return { renderVideo, planRender, renderBatch, planBatch, takeSnapshot, diagnose };
}
