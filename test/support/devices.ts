// Devices and pipes in a folder of the test. The real ones in /dev must not be risked.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** Character devices of Linux, by their minor number. */
const minors = { null: 3, full: 7 };

/** Creates a device like `/dev/null` or `/dev/full` in `folder`. Undefined if that is not allowed here. */
export function createDevice(folder: string, kind: keyof typeof minors): string | undefined {
  const path = join(folder, kind);
  try {
    execFileSync('mknod', [path, 'c', '1', String(minors[kind])], { stdio: 'ignore' });
    // Some file systems have devices that cannot be opened.
    closeSync(openSync(path, 'r+'));
    return path;
  } catch {
    return undefined;
  }
}

export function createPipe(folder: string): string {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}
