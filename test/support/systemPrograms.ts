// What a test needs of the system. Where it is missing, the test is skipped; on CI, which has everything, it fails, so
// that no check disappears unnoticed.
import { existsSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'vitest';

export type Skip = Pick<TestContext, 'skip'>;

/** For the start of a test or a `beforeEach`. */
export function needPrograms(context: Skip, ...names: string[]): void {
  const missing = names.filter((name) => !isInPath(name));
  if (missing.length > 0) skipOutsideCi(context, `needs ${missing.join(', ')}`);
}

/** For the start of a test or a `beforeEach`. Windows allows symbolic links only to users with a right for them. */
export function needLinks({ skip }: Skip): void {
  const folder = mkdtempSync(join(tmpdir(), 'framework-test-'));
  try {
    symlinkSync('target', join(folder, 'link'));
    readlinkSync(join(folder, 'link'));
  } catch (error) {
    skip(`needs symbolic links: ${(error as Error).message}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Ends the test with the reason why it cannot run here. */
export function skipOutsideCi({ skip }: Skip, reason: string): never {
  // .ci/run installs them on Linux only.
  if (process.env.CI && process.platform === 'linux') throw new Error(`This test is not skipped on CI: ${reason}`);
  return skip(reason);
}

export function isInPath(name: string): boolean {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, file)));
}
