// The variables that the compositions of an uploaded project declare, so that values can be checked when a render is
// submitted. Archives come from strangers and parsing is slow for hostile files, so it happens in a thread with limits.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { parseComposition } from '../../../renderer-core/model/composition.ts';
import { invalidIds } from '../../../renderer-core/model/readDeclarations.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables.ts';
import { readTexts } from './archive.ts';

export type DeclaredVariables = {
  declarations: readonly Pick<VariableDeclaration, 'id' | 'type' | 'options'>[];
  /** IDs of declarations that cannot be used. */
  invalid: readonly string[];
};

/** By the path of the composition in the project. Files that are too large or too many are missing. */
export type ProjectVariables = Record<string, DeclaredVariables>;

const limits = { fileBytes: 512 * 1024, bytes: 4 * 1024 ** 2 };

/** For the thread. Throws ApiError for a damaged archive. */
export async function declaredVariables(archive: string): Promise<ProjectVariables> {
  const texts = await readTexts(archive, /\.html?$/i, limits);
  const entries = texts.map(({ path, text }): [string, DeclaredVariables] => {
    const { declarations, variables } = parseComposition(text);
    const checked = declarations.map(({ id, type, options }) => ({ id, type, ...(options && { options }) }));
    return [path, { declarations: checked, invalid: invalidIds(variables) }];
  });
  return Object.fromEntries(entries);
}

/** Next to the bundle that contains this code; when run from the sources, in dist. */
const threadFile = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../dist/variablesThread.js' : './variablesThread.js',
    import.meta.url,
  ),
);

const threadMs = 2_000;
const heapMiB = 256;
/** More threads would slow down all requests. */
const oneAtATime = pLimit(1);
/** Slow projects of one account must not delay the uploads of others for more than a minute. */
const maxWaiting = 30;
/** A busy machine may start threads slowly. */
const startMs = 60_000;

/**
 * Returns undefined if the project takes too long or too much memory, or if too many others wait: its values are then checked
 * by the render.
 */
export async function readProjectVariables(
  archive: string,
  limitMs = threadMs,
  most = maxWaiting,
): Promise<ProjectVariables | undefined> {
  if (oneAtATime.pendingCount >= most) return undefined;
  return oneAtATime(
    () =>
      new Promise((resolve) => {
        const thread = new Worker(threadFile, {
          workerData: archive,
          resourceLimits: { maxOldGenerationSizeMb: heapMiB },
          env: {},
        });
        const end = () => void thread.terminate();
        let timer = setTimeout(end, startMs);
        thread.on('message', (message: ProjectVariables | 'started') => {
          if (message !== 'started') return resolve(message);
          clearTimeout(timer);
          timer = setTimeout(end, limitMs);
        });
        thread.once('error', () => resolve(undefined));
        thread.once('exit', () => {
          clearTimeout(timer);
          resolve(undefined);
        });
      }),
  );
}
