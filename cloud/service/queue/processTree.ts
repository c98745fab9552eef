// Kills all processes of a render.
import { readdir, readFile } from 'node:fs/promises';

/**
 * Kills the process group that `pid` leads, descendants of it that are in other groups, and the groups of processes whose folder
 * for temporary files is `folder` or inside of it. Only the folder connects a browser to its render if it hangs while its parent
 * dies.
 */
export async function killTree(pid: number, folder: string): Promise<void> {
  const [descendants, groups] = await Promise.all([descendantsOf(pid), groupsIn(folder)]);
  kill(-pid);
  for (const other of descendants) kill(other);
  for (const group of groups) kill(-group);
}

/** Like `killTree`, for the process group of this process, which ends with it. */
export async function killOwnTree(folder: string): Promise<void> {
  const [descendants, groups] = await Promise.all([descendantsOf(process.pid), groupsIn(folder)]);
  for (const other of descendants) kill(other);
  for (const group of groups) if (group !== process.pid) kill(-group);
  kill(-process.pid);
}

/** Some processes of a browser overwrite their environment, but all are in one group. */
async function groupsIn(folder: string): Promise<Set<number>> {
  const found = (await processIds()).map(async (pid) => {
    // Unreadable if it has ended, or is a process of another user.
    const variables = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    const isInside = variables.split('\0').some((one) => `${one}/`.startsWith(`TMPDIR=${folder}/`));
    return isInside ? [(await readStat(pid)).group] : [];
  });
  return new Set((await Promise.all(found)).flat().filter((group) => group > 1));
}

async function readStat(pid: number): Promise<{ parent: number; group: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, parent = 0, group = 0] = (/\) \S (\d+) (\d+)/.exec(stat) ?? []).map(Number);
  return { parent, group };
}

async function processIds(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Parents come before their children. */
async function descendantsOf(pid: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const each of await processIds()) {
    const { parent } = await readStat(each);
    children.set(parent, [...(children.get(parent) ?? []), each]);
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
