// The memory of a process and its descendants, and their end when it exceeds a limit.
import { readdirSync, readFileSync } from 'node:fs';

const pollMs = 250;

/** Calls `onExceeded` once. Returns a function that stops the check. */
export function limitMemory(pid: number, limitMb: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    if (memoryMb(pid) <= limitMb) return;
    clearInterval(timer);
    onExceeded();
  }, pollMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Anonymous and shared memory. Pages of files are left out: the kernel frees them before it kills a process. */
function memoryMb(pid: number): number {
  const text = read(`/proc/${pid}/smaps_rollup`);
  const own = [...text.matchAll(/^Pss_(?:Anon|Shmem): +(\d+) kB$/gm)].reduce(
    (sum, [, kB]) => sum + Number(kB) / 1024,
    0,
  );
  return childrenOf(pid).reduce((sum, child) => sum + memoryMb(child), own);
}

function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.flatMap((task) => (read(`/proc/${pid}/task/${task}/children`).match(/\d+/g) ?? []).map(Number));
  } catch {
    return [];
  }
}

/** Empty if the process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
