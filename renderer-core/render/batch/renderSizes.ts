// Renders a composition in all of its sizes, one after another: rows of a batch that differ only in their size.
import { basename, dirname } from 'node:path';
import { errorToJson, UserError } from '../../errors.ts';
import { sizeText } from '../../model/declaredSizes.ts';
import { rejectCaptionPath } from '../../plan/captionOutput.ts';
import { formatTable } from '../../plan/formats.ts';
import { checkOptions } from '../../plan/options.ts';
import { defaultOutput } from '../../plan/plan.ts';
import { sizeOutputs } from '../../plan/sizeOutputs.ts';
import { findOutput } from '../../project/output/outputPath.ts';
import { removeStaleTempFiles } from '../../project/output/tempFiles.ts';
import { emitWarnings, planPrepared, type planRender } from '../pipeline.ts';
import { inSize, openProject, prepareIn, sizesOf } from '../prepare.ts';
import { reportProgress } from '../progress.ts';
import type { RenderReport } from '../renderReport.ts';
import { type Surroundings, withSession } from '../session.ts';
import type { PreparedRender, RenderRequest } from '../types.ts';
import { checkCaptionOutput } from '../writeCaptions.ts';
import { type BatchRun, runBatchWorker } from './batchWorker.ts';

/**
 * Renders one video for each size of the composition, in one browser. Throws UserError: no further size starts after a failure.
 * Each video appears completely or not at all.
 */
export async function renderSizes(request: RenderRequest, surroundings: Surroundings): Promise<RenderReport[]> {
  const { emit, warnings } = reportProgress(request.onEvent, surroundings.now);
  emit({ type: 'stage', stage: 'check', message: 'Checking the project' });
  const sizes = await prepareSizes(request);
  const [first] = sizes;
  emitWarnings(first, emit);
  const common = [...warnings];
  const outputs = sizes.map(({ draft }) => draft.output);
  await removeStaleTempFiles(
    dirname(first.draft.output),
    outputs.map((output) => basename(output)),
  );
  const reports: RenderReport[] = [];
  const failures: unknown[] = [];
  const stop = new AbortController();
  const queue = [...sizes];
  const sizeAt = (at: number) => sizes[at] ?? first;
  const run: BatchRun = {
    request,
    prepare: sizeAt,
    take: () => (queue.shift() ? sizes.length - queue.length - 1 : undefined),
    stopped: stop.signal,
    now: surroundings.now,
    async begin(at) {
      emit({ type: 'stage', stage: 'capture', message: `Size ${at + 1} of ${sizes.length}: ${nameOf(sizeAt(at))}` });
    },
    async end(at, outcome) {
      if ('report' in outcome) {
        reports.push({ ...outcome.report, warnings: [...common, ...outcome.report.warnings] });
        return;
      }
      failures.push(ofSize(outcome.error, nameOf(sizeAt(at))));
      stop.abort();
    },
    warn: (at, message) => emit({ type: 'warning', message: `${nameOf(sizeAt(at))}: ${message}` }),
    onEvent: emit,
  };
  emit({ type: 'stage', stage: 'launch', message: 'Starting the browser' });
  const session = { gpu: 'auto', ...request, ...surroundings, root: first.root } as const;
  await withSession(session, (opened) => runBatchWorker(opened, run)).catch((error) => {
    throw cancelledAfter(error, reports.length, sizes.length);
  });
  if (failures.length > 0) throw failures[0];
  return reports;
}

/** Returns what `renderSizes` would do, like `planRender`. */
export async function planSizes(
  request: RenderRequest,
  surroundings: Surroundings,
): Promise<Awaited<ReturnType<typeof planRender>>[]> {
  const plans: Awaited<ReturnType<typeof planRender>>[] = [];
  for (const prepared of await prepareSizes(request)) plans.push(await planPrepared(prepared, request, surroundings));
  return plans;
}

/** Finished videos stay after a cancellation. */
function cancelledAfter(error: unknown, finished: number, total: number): unknown {
  if (!(error instanceof UserError && error.code === 'cancelled') || finished === 0) return error;
  const message = `The render was cancelled; ${finished} of ${total} videos are finished.`;
  return new UserError('cancelled', message, { cause: error });
}

const nameOf = ({ draft }: PreparedRender): string => sizeText(draft.page);

/** Throws UserError for everything that would make one of the renders fail later and can be known now. */
async function prepareSizes(request: RenderRequest): Promise<[PreparedRender, ...PreparedRender[]]> {
  const options = checkOptions(request);
  rejectCaptionPath(request.captions);
  if (options.output !== undefined && (await findOutput(options.output, true)).kind !== 'file') {
    throw new UserError('usage', `All sizes cannot be written to ${options.output}: each one is a file`, {
      hint: 'Set --output to the path of a file. Each size adds its aspect ratio to the name.',
    });
  }
  const project = await openProject(request);
  const output = options.output ?? defaultOutput('renders', project.graph.entry, formatTable[options.format].extension);
  const prepared = sizeOutputs(sizesOf(project, request), output, options.format).map((one) =>
    prepareIn(inSize(project, one.size), { ...options, output: one.output }, request),
  );
  for (const one of prepared) await checkCaptionOutput(one);
  return prepared as [PreparedRender, ...PreparedRender[]];
}

function ofSize(error: unknown, size: string): unknown {
  if (!(error instanceof UserError)) return error;
  return new UserError(error.code, `${size}: ${error.message}`, { ...errorToJson(error), cause: error });
}
