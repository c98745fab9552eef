// Finds the child processes of renders.
import { execFileSync } from 'node:child_process';

/** The processes of this process's renders, with their command lines, found by the process ID in the names of their folders. */
export function processesBelow(pid: number): { pid: number; line: string }[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes(`framework-render-${pid}-`))
    .map((line) => ({ pid: Number(line.trim().split(' ')[0]), line }));
}
