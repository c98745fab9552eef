// The check of an uploaded project: its archive, and the variables that its compositions declare, so that values can be checked
// when a render is submitted. Others have written the archive, and hostile ones are slow to check, so it happens in a thread
// with limits.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { parseComposition } from '../../../renderer-core/model/composition.ts';
import { invalidIds } from '../../../renderer-core/model/variables/readDeclarations.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import { ApiError } from '../api/apiErrors.ts';
import { readTexts } from './archive.ts';

export type DeclaredVariables = {
  declarations: readonly Pick<VariableDeclaration, 'id' | 'type' | 'options'>[];
  /** IDs of declarations that cannot be used. */
  invalid: readonly string[];
};

/** By the path of the composition in the project. Files that are too large or too many are missing. */
export type ProjectVariables = Record<string, DeclaredVariables>;

const limits = { fileBytes: 512 * 1024, bytes: 4 * 1024 ** 2 };

/** Called in this order. */
export type CheckStep =
  | { step: 'started' }
  | { step: 'checked' }
  | { step: 'opened'; entries: number }
  | { step: 'refused'; reason: string }
  | { step: 'read'; variables: ProjectVariables };

/** For the thread. */
export async function checkInThread(archive: string, report: (step: CheckStep) => void): Promise<void> {
  report({ step: 'started' });
  try {
    const texts = await readTexts(archive, /\.html?$/i, limits, {
      opened: (entries) => report({ step: 'opened', entries }),
      checked: () => report({ step: 'checked' }),
    });
    report({ step: 'read', variables: Object.fromEntries(texts.map(variablesOf)) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    report({ step: 'refused', reason: error.message });
  }
}

function variablesOf({ path, text }: { path: string; text: string }): [string, DeclaredVariables] {
  const { declarations, variables } = parseComposition(text);
  const checked = declarations.map(({ id, type, options }) => ({ id, type, ...(options && { options }) }));
  return [path, { declarations: checked, invalid: invalidIds(variables) }];
}

/** Next to the bundle that contains this code; when run from the sources, in dist. */
const threadFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/projectThread.js' : './projectThread.js', import.meta.url),
);

export type CheckLimits = {
  /** A busy machine may start threads slowly. */
  startMs: number;
  archiveMs: number;
  variablesMs: number;
  /** Projects that wait for the thread. */
  waiting: number;
};

const usualLimits: CheckLimits = { startMs: 60_000, archiveMs: 10_000, variablesMs: 2_000, waiting: 30 };
const heapMiB = 256;
/** More threads would slow down all requests. */
const oneAtATime = pLimit(1);

export type ProjectCheck = {
  /** Entries of the archive. */
  entries: number;
  /** Why the project is refused. */
  refusal?: string;
  /** Undefined if they take too long or too much memory: values are then checked by the render. */
  variables?: ProjectVariables;
};

/** Throws ApiError `service_unavailable` if the check takes too long, or if too many projects wait for it. */
export async function checkProject(archive: string, given: Partial<CheckLimits> = {}): Promise<ProjectCheck> {
  const limits = { ...usualLimits, ...given };
  if (oneAtATime.pendingCount >= limits.waiting) throw uncheckedError();
  return oneAtATime(() => runThread(archive, limits));
}

function runThread(archive: string, { startMs, archiveMs, variablesMs }: CheckLimits): Promise<ProjectCheck> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(threadFile, {
      workerData: archive,
      resourceLimits: { maxOldGenerationSizeMb: heapMiB },
      env: {},
    });
    let entries = 0;
    let isChecked = false;
    let timer: NodeJS.Timeout | undefined;
    const allow = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void thread.terminate(), ms);
    };
    allow(startMs);
    thread.on('message', (message: CheckStep) => {
      switch (message.step) {
        case 'started':
          return allow(archiveMs);
        case 'opened':
          entries = message.entries;
          return undefined;
        case 'checked':
          isChecked = true;
          return allow(variablesMs);
        case 'refused':
          return resolve({ entries, refusal: message.reason });
        case 'read':
          return resolve({ entries, variables: message.variables });
      }
    });
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (!isChecked) reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? uncheckedError() : error);
    });
    thread.once('exit', () => {
      clearTimeout(timer);
      if (isChecked) resolve({ entries });
      else reject(uncheckedError());
    });
  });
}

const uncheckedError = (): ApiError =>
  new ApiError('service_unavailable', 'The archive could not be checked in time. Try again.', { retryAfter: 10 });
