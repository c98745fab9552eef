// How a render captures: with how many pages, and where the frames go.
import type { RenderPlan } from '../plan/renderPlan.ts';
import type { OutputTarget } from '../project/output/outputTarget.ts';
import { chooseWorkers, type Load, type Machine, requestedWorkers, type WorkerChoice } from './chunks/workers.ts';
import type { CaptureOptions, ProgressReporter, RenderRequest } from './types.ts';

/** Capture options for a whole video. Reports the number of workers, when it is known. */
export function videoOptions(
  { workers: requested, capture }: Pick<RenderRequest, 'workers' | 'capture'>,
  plan: RenderPlan,
  output: Pick<OutputTarget, 'temporary'>,
  emit: ProgressReporter['emit'],
): CaptureOptions {
  const started = `Rendering ${plan.frames} ${plan.frames === 1 ? 'frame' : 'frames'}`;
  let choice: WorkerChoice = requestedWorkers(requested ?? 1, plan.chunks.length);
  const use = (chosen: WorkerChoice): number => {
    choice = chosen;
    const pages = chosen.count === 1 ? 'page' : 'pages';
    emit({
      type: 'stage',
      stage: 'capture',
      message: `${started} with ${chosen.count} ${pages} (${chosen.reason})`,
    });
    return chosen.count;
  };
  const countWorkers = (shares: number) => {
    if (requested !== undefined) return use(requestedWorkers(requested, shares));
    if (shares >= minShares) emit({ type: 'stage', stage: 'capture', message: started });
    return countFor(shares, use);
  };
  return {
    ...(capture === undefined ? {} : { capture }),
    workers: { count: countWorkers, choice: () => choice },
    ...(plan.format === 'png' ? { folder: output.temporary } : {}),
  };
}

/** Opening a second page takes as long as capturing fewer shares than this, so they need no measurement. */
const minShares = 3;

/** The number of pages that `machine` allows, which `use` gets. */
function countFor(
  shares: number,
  use: (choice: WorkerChoice) => number,
  machine?: () => Machine,
): number | ((load: Load) => number) {
  if (shares < minShares) return use({ count: 1, reason: 'the video is short' });
  return (load) => use(chooseWorkers(load, shares, machine?.()));
}

/** Chooses as many pages as `machine` allows, which is asked when the load of a page has been measured. */
export function workersOf(machine: () => Machine): CaptureOptions['workers'] {
  let choice = requestedWorkers(1, 1);
  const use = (chosen: WorkerChoice): number => {
    choice = chosen;
    return chosen.count;
  };
  return { count: (shares) => countFor(shares, use, machine), choice: () => choice };
}

/** For captures of a few frames. */
export const oneWorker: CaptureOptions['workers'] = { count: () => 1, choice: () => requestedWorkers(1, 1) };
