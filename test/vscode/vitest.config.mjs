// The tests in VS Code: `npm run test:vscode`. They install VS Code on the first run, so they are not part of `npm test`.
import { defineConfig } from 'vitest/config';
import { RetriedTests } from '../support/retriedTests.ts';
import { TestSummary } from '../support/testSummary.ts';

export default defineConfig({
  test: {
    reporters: ['default', new RetriedTests(), new TestSummary('.cache/tests.txt')],
    include: ['test/vscode/*.test.ts'],
    globalSetup: './test/vscode/globalSetup.ts',
    // One hook compiles the runtime client of Lambda.
    hookTimeout: 600_000,
    testTimeout: 120_000,
    // Most tests wait for the workbench half of the time.
    maxWorkers: 2,
    // Timing of the workbench varies, so a failed test is repeated once.
    retry: 1,
  },
});
