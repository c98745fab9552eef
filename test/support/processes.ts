// Which programs a process has started, as the system lists them.
import { execFileSync } from 'node:child_process';

/** Processes that work for a render of this one, with what they were started with: their folders have its number in their names. */
export function processesBelow(pid: number): { pid: number; line: string }[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes(`framework-render-${pid}-`))
    .map((line) => ({ pid: Number(line.trim().split(' ')[0]), line }));
}
