// Devices, pipes and disks of the test. The real ones in /dev must not be risked.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './project.ts';
import { needPrograms, type Skip, skipOutsideCi } from './systemPrograms.ts';

/** Character devices of Linux, by their minor number. */
const minors = { null: 3, full: 7 };

/** Creates a device like `/dev/null` or `/dev/full` in `folder`. */
export function createDevice(context: Skip, folder: string, kind: keyof typeof minors): string {
  needPrograms(context, 'mknod');
  const path = join(folder, kind);
  try {
    execFileSync('mknod', [path, 'c', '1', String(minors[kind])], { stdio: 'ignore' });
    // Some file systems have devices that cannot be opened.
    closeSync(openSync(path, 'r+'));
    return path;
  } catch {
    return skipOutsideCi(context, 'devices are not allowed here');
  }
}

export function createPipe(context: Skip, folder: string): string {
  needPrograms(context, 'mkfifo');
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** Mounts a new file system in memory, with options of `mount`, until the test ends. */
export function mountDisk(context: Skip, options: string, folder = temporaryFolder()): string {
  needPrograms(context, 'mount', 'umount');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder], { stdio: 'ignore' });
  } catch {
    return skipOutsideCi(context, 'mounting a file system is not allowed here');
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}
