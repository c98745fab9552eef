// The parts of the renderer that commands call, loaded when a command needs them.
import type { DiagnoseOptions, Diagnosis } from '../render/diagnose.ts';
import type { planBatch, renderBatch } from '../render/renderBatch.ts';
import type { planRender, renderVideo } from '../render/renderVideo.ts';
import type { setUp } from '../render/setUp.ts';
import type { takeSnapshot } from '../render/snapshot.ts';

export type Engine = {
  renderVideo: typeof renderVideo;
  planRender: typeof planRender;
  renderBatch: typeof renderBatch;
  planBatch: typeof planBatch;
  takeSnapshot: typeof takeSnapshot;
  diagnose: (options: DiagnoseOptions) => Promise<Diagnosis>;
  setUp: typeof setUp;
};

/** The real renderer. A dynamic import: it brings a browser driver, which costs more than most commands. */
export async function loadEngine(): Promise<Engine> {
  const [render, batch, { diagnose }, { takeSnapshot }, { setUp }] = await Promise.all([
    import('../render/renderVideo.ts'),
    import('../render/renderBatch.ts'),
    import('../render/diagnose.ts'),
    import('../render/snapshot.ts'),
    import('../render/setUp.ts'),
  ]);
  const { renderVideo, planRender } = render;
  const { renderBatch, planBatch } = batch;
  return { renderVideo, planRender, renderBatch, planBatch, takeSnapshot, diagnose, setUp };
}
