// Keeps the results of finished compositions, so that an interrupted run can be continued.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';

const file = join(import.meta.dirname, '../../.cache/bench-run.bin');

export type KeptResults = {
  /** Returns the kept result for `name`, or measures and keeps it. */
  measured<T>(name: string, measure: () => Promise<T>): Promise<T>;
  /** Forgets everything, when the run is complete. */
  clear(): Promise<void>;
};

/** Not JSON, which has no infinite numbers: the likeness of identical frames is one. */
type Kept = { key: string; results: Record<string, unknown> };

/** With `resume`, continues with the results of the same commit and `settings`. Throws if there are none. */
export async function keepResults(settings: unknown, resume: boolean): Promise<KeptResults> {
  const { stdout: commit } = await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname });
  const key = JSON.stringify([commit.trim(), settings]);
  const none: Kept = { key: '', results: {} };
  const kept: Kept = resume ? await readFile(file).then(deserialize, () => none) : { key, results: {} };
  if (kept.key !== key) throw new Error('There is no interrupted run of this commit with these options.');
  return {
    async measured<T>(name: string, measure: () => Promise<T>): Promise<T> {
      if (Object.hasOwn(kept.results, name)) return kept.results[name] as T;
      const result = await measure();
      kept.results[name] = result;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, serialize(kept));
      return result;
    },
    clear: () => rm(file, { force: true }),
  };
}
