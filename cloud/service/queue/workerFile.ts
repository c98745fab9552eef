// The bundle that worker processes run.
import { fileURLToPath } from 'node:url';

/** Next to the bundle that contains this code; when run from the sources, in dist. */
export const workerFile: string = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/renderWorker.js' : './renderWorker.js', import.meta.url),
);
