// Runs programs and measures them from outside: wall time, and the peak memory of all their processes together.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

export type Measured = {
  seconds: number;
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
  const peakMiB = sampler.stop();
  const outputs = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  return { seconds, peakMiB, outputs };
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
 * Samples the memory of this process's descendants. Resident sizes are cheap to read and are read every time. Reading
 * proportional sizes takes milliseconds per process, so they are read only at a new maximum of the resident sizes.
 */
function startSampling(): { stop(): number | null } {
  if (process.platform !== 'linux') return { stop: () => null };
  const pageKiB = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' })) / 1024;
  /** A process whose parent may have ended. Process ID and start time identify it. */
  const known = new Set<string>();
  let highestResident = 0;
  let peakKiB = 0;
  const sample = () => {
    const tree = descendants(known);
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
      return peakKiB / 1024;
    },
  };
}

type ProcessFacts = { pid: number; parent: number; key: string; pages: number };

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
    return [{ pid, parent: Number(fields[1]), key: `${pid} ${fields[19]}`, pages: Number(fields[21]) }];
  } catch {
    return [];
  }
}

function proportionalKiB(pid: number): number {
  try {
    return Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
