// The functions of the renderer that commands call.
import type { checkProject } from '../renderer-core/check/checkProject.ts';
import type { listSounds } from '../renderer-core/check/listSounds.ts';
import type { DiagnoseOptions } from '../renderer-core/doctor/diagnose.ts';
import type { Diagnosis } from '../renderer-core/doctor/diagnosis.ts';
import type { setUp } from '../renderer-core/doctor/installMissing.ts';
import type { planBatch, renderBatch } from '../renderer-core/render/batch/renderBatch.ts';
import type { planSizes, renderSizes } from '../renderer-core/render/batch/renderSizes.ts';
import type { renderWithHost, snapshotWithHost } from '../renderer-core/render/host/hostClient.ts';
import type { planRender, renderVideo } from '../renderer-core/render/pipeline.ts';
import type { takeSnapshot } from '../renderer-core/render/snapshot/takeSnapshot.ts';

/** What commands read of this process, besides its environment. */
export const clock = { now: () => performance.now(), date: () => new Date(), random: Math.random };

export type Engine = {
  renderVideo: typeof renderVideo;
  renderWithHost: typeof renderWithHost;
  planRender: typeof planRender;
  renderBatch: typeof renderBatch;
  planBatch: typeof planBatch;
  renderSizes: typeof renderSizes;
  planSizes: typeof planSizes;
  takeSnapshot: typeof takeSnapshot;
  snapshotWithHost: typeof snapshotWithHost;
  checkProject: typeof checkProject;
  listSounds: typeof listSounds;
  diagnose: (options: DiagnoseOptions) => Promise<Diagnosis>;
  setUp: typeof setUp;
};

/** Each function imports its own part of the renderer when it is called, because loading takes longer than most commands. */
export const engine: Engine = {
  renderVideo: async (...args) => (await import('../renderer-core/render/pipeline.ts')).renderVideo(...args),
  renderWithHost: async (...args) =>
    (await import('../renderer-core/render/host/hostClient.ts')).renderWithHost(...args),
  planRender: async (...args) => (await import('../renderer-core/render/pipeline.ts')).planRender(...args),
  async *renderBatch(...args) {
    return yield* (await import('../renderer-core/render/batch/renderBatch.ts')).renderBatch(...args);
  },
  planBatch: async (...args) => (await import('../renderer-core/render/batch/renderBatch.ts')).planBatch(...args),
  renderSizes: async (...args) => (await import('../renderer-core/render/batch/renderSizes.ts')).renderSizes(...args),
  planSizes: async (...args) => (await import('../renderer-core/render/batch/renderSizes.ts')).planSizes(...args),
  takeSnapshot: async (...args) =>
    (await import('../renderer-core/render/snapshot/takeSnapshot.ts')).takeSnapshot(...args),
  snapshotWithHost: async (...args) =>
    (await import('../renderer-core/render/host/hostClient.ts')).snapshotWithHost(...args),
  checkProject: async (...args) => (await import('../renderer-core/check/checkProject.ts')).checkProject(...args),
  listSounds: async (...args) => (await import('../renderer-core/check/listSounds.ts')).listSounds(...args),
  diagnose: async (...args) => (await import('../renderer-core/doctor/diagnose.ts')).diagnose(...args),
  setUp: async (...args) => (await import('../renderer-core/doctor/installMissing.ts')).setUp(...args),
};
