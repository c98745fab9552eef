// Runs programs and measures them from outside: wall time, processor time, and the peak memory of all their processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

export type Measured = {
  seconds: number;
  /** Processor seconds of all processes; null without /proc. */
  cpuSeconds: number | null;
  /** Peak proportional set size, which counts shared pages once; null without /proc. */
  peakMiB: number | null;
  /** The standard output of each program. */
  outputs: string[];
};

export type Program = { command: string; args: string[]; env?: Record<string, string> };

const sampleEveryMs = 100;
const timeoutMs = 30 * 60 * 1000;

/** Runs programs concurrently until they end. Throws the last output of one that fails. */
export async function measure(...programs: Program[]): Promise<Measured> {
  const sampler = startSampling();
  const started = performance.now();
  const children = programs.map(({ command, args, env }) => {
    return spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
  });
  const ends = await Promise.allSettled(children.map(outputOf));
  const seconds = (performance.now() - started) / 1000;
  const sampled = sampler.stop();
  const outputs = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  return { seconds, ...sampled, outputs };
}

async function outputOf(child: ChildProcess): Promise<string> {
  let output = '';
  let tail = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-4000);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return output;
  const said = (tail.trim() || output.trim()).split('\n').slice(-6).join('\n');
  throw new Error(`${child.spawnfile} ended with ${signal ?? code}: ${said}`);
}

/**
 * Samples the memory and the processor time of this process's descendants. Resident sizes are cheap to read and are read every time. Reading
 * proportional sizes takes milliseconds per process, so they are read only at a new maximum of the resident sizes.
 */
function startSampling(): { stop(): Pick<Measured, 'peakMiB' | 'cpuSeconds'> } {
  if (process.platform !== 'linux') return { stop: () => ({ peakMiB: null, cpuSeconds: null }) };
  const pageKiB = Number(/^KernelPageSize: +(\d+) kB$/m.exec(readFileSync('/proc/self/smaps', 'utf8'))?.[1]);
  /** A process whose parent may have ended. Process ID and start time identify it. */
  const known = new Set<string>();
  const cpu = countTicks(known);
  const endedBefore = endedTicks();
  let highestResident = 0;
  let peakKiB = 0;
  const sample = () => {
    const tree = descendants(known);
    cpu.add(tree);
    const resident = tree.reduce((sum, { pages }) => sum + pages * pageKiB, 0);
    if (resident < highestResident * 1.01) return;
    highestResident = resident;
    peakKiB = Math.max(
      peakKiB,
      tree.reduce((sum, { pid }) => sum + proportionalKiB(pid), 0),
    );
  };
  const timer = setInterval(sample, sampleEveryMs);
  return {
    stop() {
      clearInterval(timer);
      // Each is too low: samples miss the last moments of a process, the system's sum those whose parent ended first.
      const cpuSeconds = Math.max(cpu.sum(), endedTicks() - endedBefore) / ticksPerSecond;
      return { peakMiB: peakKiB / 1024, cpuSeconds };
    },
  };
}

/** Measures the processor seconds of this process's descendants, also of those that have ended. */
export function startCpuSampling(): { seconds(): number; stop(): void } {
  const known = new Set<string>();
  const cpu = countTicks(known);
  const sample = () => cpu.add(descendants(known));
  const timer = setInterval(sample, sampleEveryMs / 4);
  return {
    seconds() {
      sample();
      return cpu.sum() / ticksPerSecond;
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Adds up the processor time of processes from now on. Some run longer than what is measured: the compiler of this program, and the
 * server of another tool. What a process uses between the last sample and its end is not counted.
 */
function countTicks(known: Set<string>) {
  const before = new Map(descendants(known).map(({ key, ticks }) => [key, ticks]));
  const ticks = new Map<string, number>();
  return {
    add(tree: readonly ProcessFacts[]): void {
      for (const one of tree) ticks.set(one.key, one.ticks - (before.get(one.key) ?? 0));
    },
    sum: () => [...ticks.values()].reduce((sum, one) => sum + one, 0),
  };
}

/** The ticks in /proc, on Linux. */
const ticksPerSecond = 100;

type ProcessFacts = { pid: number; parent: number; key: string; pages: number; ticks: number };

function descendants(known: Set<string>): ProcessFacts[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  const ids = new Set<number>([process.pid]);
  const found = new Set<ProcessFacts>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const one of all) {
      if (found.has(one) || one.pid === process.pid || !(ids.has(one.parent) || known.has(one.key))) continue;
      found.add(one);
      ids.add(one.pid);
      known.add(one.key);
    }
  }
  return [...found];
}

function readProcess(pid: number): ProcessFacts[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses can contain anything; the third field follows it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return [{ pid, parent: Number(fields[1]), key: `${pid} ${fields[19]}`, pages: Number(fields[21]), ticks }];
  } catch {
    return [];
  }
}

/** Processor time of all processes that have ended and that this process, or a parent among them, waited for. */
function endedTicks(): number {
  const text = readFileSync('/proc/self/stat', 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(fields[13]) + Number(fields[14]);
}

function proportionalKiB(pid: number): number {
  try {
    return Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
