// The functions that render on this machine, with the environment and the clocks of this process.
import * as check from '../renderer-core/check/checkProject.ts';
import type { CheckReport } from '../renderer-core/check/checkReport.ts';
import * as sounds from '../renderer-core/check/listSounds.ts';
import type { SoundsReport } from '../renderer-core/check/soundsReport.ts';
import type { BatchReport, BatchResult } from '../renderer-core/render/batch/batchReport.ts';
import type { BatchRequest, PreparedBatch } from '../renderer-core/render/batch/batchTypes.ts';
import * as batch from '../renderer-core/render/batch/renderBatch.ts';
import * as sizes from '../renderer-core/render/batch/renderSizes.ts';
import * as pipeline from '../renderer-core/render/pipeline.ts';
import type { RenderReport } from '../renderer-core/render/renderReport.ts';
import type { SnapshotReport } from '../renderer-core/render/snapshot/snapshotReport.ts';
import * as snapshot from '../renderer-core/render/snapshot/takeSnapshot.ts';
import type { RenderRequest } from '../renderer-core/render/types.ts';

const surroundings = { env: process.env, now: () => performance.now(), date: () => new Date() };

/**
 * Renders a project to one video file, or to a folder. Throws UserError. On any failure or abort an
 * earlier output stays as it was, and only finished segments are left, in the cache, for `resume`.
 */
export const renderVideo = (request: RenderRequest): Promise<RenderReport> =>
  pipeline.renderVideo(request, surroundings);

/** Renders one video for each size of the composition, in one browser. Throws UserError: no further size starts after a failure. */
export const renderSizes = (request: RenderRequest): Promise<RenderReport[]> =>
  sizes.renderSizes(request, surroundings);

/** Returns what a render would do. Starts a browser only if the root declares no duration. Throws UserError. */
export const planRender = (request: RenderRequest): ReturnType<typeof pipeline.planRender> =>
  pipeline.planRender(request, surroundings);

/** Takes snapshots. Throws UserError. On any failure or abort no image appears, and earlier ones stay as they were. */
export const takeSnapshot = (request: snapshot.SnapshotRequest): Promise<SnapshotReport> =>
  snapshot.takeSnapshot(request, surroundings);

/** Looks at what a composition shows, with its default values and with those of rows. Throws UserError as a render does. */
export const checkProject = (request: check.CheckRequest): Promise<CheckReport> =>
  check.checkProject(request, surroundings);

/** Lists the sounds of a video with their times and levels. Throws UserError as a render does. */
export const listSounds = (request: sounds.SoundsRequest): Promise<SoundsReport> =>
  sounds.listSounds(request, surroundings);

/** Checks the whole batch and renders nothing. Throws UserError like `renderBatch`. */
export const planBatch = (request: BatchRequest): Promise<PreparedBatch> => batch.planBatch(request, surroundings);

/**
 * Renders every row and yields each result; the generator returns the report. A row that fails is recorded, and the
 * other rows continue. Throws UserError if the batch cannot start, and `cancelled`. Leaving the loop cancels the batch.
 */
export const renderBatch = (request: BatchRequest): AsyncGenerator<BatchResult, BatchReport> =>
  batch.renderBatch(request, surroundings);
