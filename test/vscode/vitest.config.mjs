// The tests in VS Code, which they install on the first run. The mode `full` selects the journeys that must pass after each change,
// `soak` the others.
import { defineConfig } from 'vitest/config';
import { SuiteReporter } from '../support/suiteReporter.ts';

const filters = { full: ['core'], soak: ['!core'] };

export default defineConfig(({ mode }) => ({
  test: {
    reporters: [new SuiteReporter()],
    include: ['test/vscode/*.test.ts'],
    globalSetup: ['./test/vscode/globalSetup.ts', './test/support/sharedCeph.ts', './test/aws/lambdaProgram.ts'],
    tags: [{ name: 'core', description: 'a journey that belongs to `npm run test:full`' }],
    ...(filters[mode] ? { tagsFilter: filters[mode] } : {}),
    hookTimeout: 180_000,
    testTimeout: 120_000,
    // Most tests wait for the workbench half of the time.
    maxWorkers: 2,
  },
}));
