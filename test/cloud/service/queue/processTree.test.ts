// Ending the processes of a render, also those that have lost their parent.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { killTree } from '../../../../cloud/service/queue/processTree.ts';

/** A process in a group of its own, as a browser is, with this folder for temporary files. */
function sleeping(temporary: string): ChildProcess {
  const options = { detached: true, stdio: 'ignore', env: { TMPDIR: temporary } } as const;
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 60_000)'], options);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Whether the process ends within a second. */
const ends = (child: ChildProcess): Promise<boolean> =>
  Promise.race([
    child.signalCode === null ? once(child, 'exit').then(() => true) : true,
    new Promise<boolean>((resolve) => setTimeout(resolve, 1000, false)),
  ]);

test.skipIf(process.platform !== 'linux')(
  'kills processes whose folder for temporary files is in that of the render, and no others',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'framework-tree-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const folder = join(root, 'r');
    const worker = sleeping(root);
    const own = [sleeping(folder), sleeping(join(folder, 'render-1/profile-1'))];
    const others = [sleeping(join(root, 'r2')), sleeping(root)];
    await Promise.all([worker, ...own, ...others].map((child) => once(child, 'spawn')));
    await killTree(worker.pid as number, folder);
    expect(await Promise.all([worker, ...own, ...others].map(ends))).toEqual([true, true, true, false, false]);
  },
);
