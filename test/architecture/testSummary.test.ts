// The summary of a test run, by which a failed CI run is understood: it names failed tests, and those that a process
// that ended unexpectedly did not finish.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

type Summary = { status: number | null; summary: string[]; repeat: string[] };

/** Runs vitest on test files, and returns its exit status, the summary, and the files that CI runs again. */
function summaryOf(files: Record<string, string>, retry = 0): Summary {
  // Inside the repository, where the files find vitest.
  mkdirSync('.cache', { recursive: true });
  const root = mkdtempSync(resolve('.cache/summary-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const reporter = JSON.stringify(resolve('test/support/testSummary.ts'));
  writeFileSync(
    join(root, 'vitest.config.ts'),
    `import { TestSummary } from ${reporter};
     const reporters = [new TestSummary('summary.txt')];
     export default { test: { include: ['*.test.ts'], reporters, retry: ${retry} } };`,
  );
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--root', root], { cwd: root });
  const lines = (name: string) => readFileSync(join(root, name), 'utf8').split('\n').slice(0, -1);
  return { status, summary: lines('summary.txt'), repeat: lines('summary.repeat.txt') };
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
    ],
    repeat: [],
  });
});

const killed = `import { test } from 'vitest';
  test('is killed', () => process.kill(process.pid, 'SIGKILL'));
  test('never starts', () => undefined);`;

test('names the file and the tests that a killed process did not finish, and runs the file again', () => {
  const { status, summary, repeat } = summaryOf({ 'killed.test.ts': killed });
  expect(status).toBe(1);
  expect(summary.slice(0, 4)).toEqual([
    '0 passed, 0 failed, 0 skipped',
    '  NOT FINISHED killed.test.ts',
    '    is killed',
    '    never starts',
  ]);
  expect(summary[4]).toContain('ERROR outside tests: ');
  expect(repeat).toEqual(['killed.test.ts']);
});

test('names a hook that failed', () => {
  const { summary } = summaryOf({
    'a.test.ts': `import { beforeAll, describe, test } from 'vitest';
      beforeAll(() => { throw new Error('no disk'); });
      test('reads', () => undefined);`,
    'b.test.ts': `import { beforeAll, describe, test } from 'vitest';
      describe('a database', () => {
        beforeAll(() => { throw new Error('no port'); });
        test('starts', () => undefined);
      });`,
  });
  expect(summary).toEqual([
    '0 passed, 0 failed, 2 skipped',
    '  FAIL a.test.ts: no disk',
    '  FAIL b.test.ts: a database: no port',
  ]);
});

const failing = (options: string): string =>
  `import { expect, test } from 'vitest'; test('fails', { ${options} }, () => expect(1).toBe(2));`;

test.each([
  ['tests that may be retried', { 'a.test.ts': failing(''), 'b.test.ts': killed }, ['a.test.ts', 'b.test.ts']],
  ['tests that may not be retried', { 'a.test.ts': failing(''), 'b.test.ts': failing('retry: 0') }, []],
  ['an error outside tests', { 'a.test.ts': `${failing('')} setTimeout(() => { throw new Error('late'); });` }, []],
])('says which files run again after failures of %s', (_, files, again) => {
  expect(summaryOf(files, 1).repeat.sort()).toEqual(again);
});
