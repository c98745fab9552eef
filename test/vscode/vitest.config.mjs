// The tests in VS Code, which they install on the first run. The mode `full` selects the journeys that must pass after each change.
// Other modes run all: the tests of a file share a window, and many continue where an earlier one ended.
import { defineConfig } from 'vitest/config';
import { SuiteReporter } from '../support/suiteReporter.ts';

export default defineConfig(({ mode }) => ({
  test: {
    reporters: [new SuiteReporter()],
    // An installed VS Code has no workbench in a page.
    include: [`test/vscode/${process.env.VSCODE_EXECUTABLE ? '{cliProcess,host,package}' : '*'}.test.ts`],
    globalSetup: [
      './test/support/vscode/globalSetup.ts',
      './test/support/servers/sharedCeph.ts',
      './test/aws/lambdaProgram.ts',
    ],
    tags: [{ name: 'core', description: 'a journey that belongs to `npm run test:full`' }],
    ...(mode === 'full' ? { tagsFilter: ['core'] } : {}),
    // Long, for slow machines.
    hookTimeout: 400_000,
    testTimeout: 400_000,
    // Most tests wait for the workbench half of the time.
    maxWorkers: 2,
  },
}));
