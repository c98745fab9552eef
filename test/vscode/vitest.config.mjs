// The tests in VS Code, which they install on the first run. The mode `full` selects the journeys that must pass after each change.
// Other modes run all: the tests of a file share a window, and many continue where an earlier one ended.
import { defineConfig } from 'vitest/config';
import { SuiteReporter } from '../support/suiteReporter.ts';

export default defineConfig(({ mode }) => ({
  test: {
    reporters: [new SuiteReporter()],
    include: ['test/vscode/*.test.ts'],
    globalSetup: ['./test/vscode/globalSetup.ts', './test/support/sharedCeph.ts', './test/aws/lambdaProgram.ts'],
    tags: [{ name: 'core', description: 'a journey that belongs to `npm run test:full`' }],
    ...(mode === 'full' ? { tagsFilter: ['core'] } : {}),
    hookTimeout: 180_000,
    testTimeout: 120_000,
    // Most tests wait for the workbench half of the time.
    maxWorkers: 2,
  },
}));
