// Tests that need a program of the system are skipped without it, except on CI. Some cannot run on Windows.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { notOnWindows } from '../support/notOnWindows.ts';
import { repository } from '../support/repositoryFiles.ts';
import { needPrograms, type Skip } from '../support/systemPrograms.ts';

afterEach(() => void vi.unstubAllEnvs());

/** What happens to a test that needs these programs: it runs, is skipped, or fails. */
function outcome(...names: string[]): string {
  const skip = ((reason: string) => {
    throw new Error(`skipped: ${reason}`);
  }) as Skip['skip'];
  try {
    needPrograms({ skip }, ...names);
    return 'runs';
  } catch (error) {
    return (error as Error).message;
  }
}

test('skips a test without its programs, and fails it on CI of Linux', () => {
  vi.stubEnv('CI', '');
  expect(outcome('node')).toBe('runs');
  expect(outcome('node', 'no-such-program', 'nor-this')).toBe('skipped: needs no-such-program, nor-this');
  if (process.platform !== 'linux') return;
  vi.stubEnv('CI', 'true');
  expect(outcome('node')).toBe('runs');
  expect(outcome('no-such-program')).toBe('This test is not skipped on CI: needs no-such-program');
});

test.each(Object.keys(notOnWindows))('%s, which cannot run on Windows, exists', (path) => {
  expect(existsSync(join(repository, path))).toBe(true);
});
