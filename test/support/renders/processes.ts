// Finds the child processes of renders.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

type RunningProcess = { pid: number; line: string };

/** The processes of this process's renders, with their command lines, found by the process ID in the names of their folders. */
export const processesBelow = (pid: number): RunningProcess[] => processesWith(`framework-render-${pid}-`);

/** The processes whose command line contains `text`. */
export function processesWith(text: string): RunningProcess[] {
  const all = existsSync('/proc/self/cmdline') ? linuxProcesses() : listedProcesses();
  return all.filter(({ line }) => line.includes(text));
}

function linuxProcesses(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), line: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
      } catch {
        // The process has ended in the meantime.
        return [];
      }
    });
}

function listedProcesses(): RunningProcess[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.map((line) => ({ pid: Number(line.trim().split(' ')[0]), line }));
}

/** The processes of a group whose command line contains `type`. */
export function processesOf(group: number | undefined, type: string): number[] {
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  const isMember = (pid: string) =>
    read(pid, 'cmdline').includes(type) && Number(/\) \S \d+ (\d+)/.exec(read(pid, 'stat'))?.[1]) === group;
  return readdirSync('/proc').filter(isMember).map(Number);
}
