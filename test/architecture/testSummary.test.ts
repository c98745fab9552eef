// The summary of a test run, by which a failed CI run is understood: it names failed tests, and those that a process
// that ended unexpectedly did not finish.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Runs vitest on test files, and returns its exit status and the summary. */
function summaryOf(files: Record<string, string>): { status: number | null; summary: string[] } {
  // Inside the repository, where the files find vitest.
  mkdirSync('.cache', { recursive: true });
  const root = mkdtempSync(resolve('.cache/summary-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const reporter = JSON.stringify(resolve('test/support/testSummary.ts'));
  writeFileSync(
    join(root, 'vitest.config.ts'),
    `import { TestSummary } from ${reporter};
     export default { test: { include: ['*.test.ts'], reporters: [new TestSummary('summary.txt')] } };`,
  );
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--root', root], { cwd: root });
  return { status, summary: readFileSync(join(root, 'summary.txt'), 'utf8').split('\n') };
}

test('counts the tests, and names each failed test with its error and its line', () => {
  const counted = summaryOf({
    'a.test.ts': `import { expect, test } from 'vitest';
      test('adds', () => expect(1 + 1).toBe(2));
      test.skip('waits', () => undefined);
      test('subtracts', () => expect(2 - 1).toBe(2));`,
  });
  expect(counted).toEqual({
    status: 1,
    summary: [
      '1 passed, 1 failed, 1 skipped',
      '  FAIL a.test.ts: subtracts',
      '    expected 1 to be 2 // Object.is equality (a.test.ts:4)',
      '',
    ],
  });
});

test('names the file and the tests that a killed process did not finish', () => {
  const { status, summary } = summaryOf({
    'killed.test.ts': `import { test } from 'vitest';
      test('passes', () => undefined);
      test('is killed', async () => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        process.kill(process.pid, 'SIGKILL');
      });
      test('never starts', () => undefined);`,
  });
  expect(status).toBe(1);
  expect(summary.slice(0, 4)).toEqual([
    '1 passed, 0 failed, 0 skipped',
    '  NOT FINISHED killed.test.ts',
    '    is killed',
    '    never starts',
  ]);
  expect(summary[4]).toContain('ERROR outside tests: ');
});
