// Kills a process together with all processes that it started.
import { readdir, readFile } from 'node:fs/promises';

/** Kills the process group that `pid` leads, and descendants of it that are in other groups. */
export async function killTree(pid: number): Promise<void> {
  const descendants = await descendantsOf(pid);
  kill(-pid);
  for (const descendant of descendants) kill(descendant);
}

async function descendantsOf(pid: number): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const children = new Map<number, number[]>();
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = Number(/\) \S (\d+)/.exec(stat)?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const add = (parent: number): void => {
    for (const child of children.get(parent) ?? []) {
      found.push(child);
      add(child);
    }
  };
  add(pid);
  return found;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
