// A folder on another disk than temporary files, on systems that have one.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

/** Linux keeps it in memory. */
const otherDisk = '/dev/shm';

/** Skips the test where there is no other disk. */
export function folderOnOtherDisk({ skip, onTestFinished }: TestContext): string {
  const device = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev;
  if (device(otherDisk) === undefined || device(otherDisk) === device(tmpdir())) skip('needs a second disk');
  const folder = mkdtempSync(join(otherDisk, 'framework-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
