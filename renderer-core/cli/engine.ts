// The parts of the renderer that commands call, loaded when a command needs them.
import type { DiagnoseOptions, Diagnosis } from '../render/diagnose.ts';
import type { planRender, renderVideo } from '../render/renderVideo.ts';

export type Engine = {
  renderVideo: typeof renderVideo;
  planRender: typeof planRender;
  diagnose: (options: DiagnoseOptions) => Promise<Diagnosis>;
};

/** The real renderer. A dynamic import: it brings a browser driver, which costs more than most commands. */
export async function loadEngine(): Promise<Engine> {
  const [render, { diagnose }] = await Promise.all([
    import('../render/renderVideo.ts'),
    import('../render/diagnose.ts'),
  ]);
  return { renderVideo: render.renderVideo, planRender: render.planRender, diagnose };
}
