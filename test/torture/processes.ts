// The processes of a service, read from /proc: what each of them is, and which of them are left.
import { readdirSync, readFileSync } from 'node:fs';

type Found = { pid: number; parent: number; line: string };

export type VictimKind = 'worker' | 'browser' | 'ffmpeg';

const kinds: readonly [VictimKind, RegExp][] = [
  ['ffmpeg', /embeddedFfmpeg|\bffmpeg\b.*-loglevel/],
  ['browser', /chrom/],
  // Bubblewrap is the parent of a worker, and its end is that of the worker.
  ['worker', /renderWorker\.js$/],
];

/** Processes of one kind below the services with the IDs `services`, in the order of their IDs. */
export function victims(services: readonly number[], kind: VictimKind): number[] {
  const all = runningProcesses();
  const below = new Set(services);
  // Parents may have larger IDs than their children after the IDs wrapped around.
  for (let size = -1; size !== below.size; ) {
    size = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  const isOfKind = ({ pid, line }: Found): boolean =>
    below.has(pid) && !services.includes(pid) && kinds.find(([, pattern]) => pattern.test(line))?.[0] === kind;
  return all.filter(isOfKind).map(({ pid }) => pid);
}

/** Processes that have `folder` in their command line or environment, except this one. Zombies have neither. */
export function processesIn(folder: string): string[] {
  return runningProcesses()
    .filter(({ pid, line }) => pid !== process.pid && (line.includes(folder) || read(pid, 'environ').includes(folder)))
    .map(({ pid, line }) => `${pid} ${line.slice(0, 200)}`);
}

function runningProcesses(): Found[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
    .map((pid) => ({ pid, parent: parentOf(pid), line: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }))
    .filter(({ line }) => line !== '');
}

const parentOf = (pid: number): number => Number(/\) \S (\d+)/.exec(read(pid, 'stat'))?.[1] ?? 0);

/** Empty for a process that has ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Kilobytes of memory that a process uses now. */
export const residentKb = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))?.[1] ?? 0);
