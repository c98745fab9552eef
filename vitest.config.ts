// The test projects. `fast` needs nothing but Node; `unit` starts servers, databases and child processes; `programs` runs
// ffmpeg and the language server; `render` starts browsers; `service` runs the hosted service on its database and store;
// `fidelity` compares captured frames with what the browser shows. `npm test` runs all of these. `slow` kills processes,
// fills the memory, runs state machines, renders all examples several times and installs the packed package, and `acceptance` runs the sentences of the
// contract on the packed command line; only `npm run test:ci` runs these.
import { defineConfig } from 'vitest/config';
import { RetriedTests } from './test/support/retriedTests.ts';
import { TestSummary } from './test/support/testSummary.ts';

/** Unit tests that take seconds: properties over many random documents, and child processes. */
const slowUnitTests = [
  'test/client/strings.test.ts',
  'test/client/renderShellCommand.test.ts',
  'test/cli/{auth,cloud,fontsAdd,serve,serveWebhooks,new,lint,render,completion}.test.ts',
  'test/cli/schemas/schemas.test.ts',
  'test/renderer-core/{model,lint}/neverThrows.test.ts',
  'test/renderer-core/model/incrementalParse.test.ts',
  'test/renderer-core/plan/batch.test.ts',
  'test/server/features/*OfAnyText.test.ts',
  'test/server/features/names/cssNames.test.ts',
];

/** They replace modules (`vi.mock`), which other files of the same worker would see. */
const testsWithMocks = ['test/client/**/*.test.ts', 'test/syntaxes/**/*.test.ts'];

/** Tests that kill processes, fill the memory, run state machines, or render all examples several times. */
const slowTests = [
  'test/release/**/*.test.ts',
  'test/renderer-core/capture/browserProcesses.test.ts',
  'test/renderer-core/render/{deliveryOfProjects,memory,renderHost,repeat,resumedRender,sameFrames}.test.ts',
  'test/server/stress.test.ts',
  'test/cloud/service/integration/backup*.test.ts',
  'test/serverless/integration/**/*.test.ts',
  'test/torture/short.test.ts',
  'test/cloud/service/integration/{queue,postgresQueue,load}.test.ts',
];

/** On a busy machine, a process or a browser sometimes starts too late. Property tests are never repeated. */
const retry = process.env.CI ? 1 : 0;

export default defineConfig({
  test: {
    // Vitest's default leaves one core idle; most tests wait for other processes half of the time.
    maxWorkers: 2,
    reporters: ['default', new RetriedTests(), new TestSummary('.cache/tests.txt')],
    projects: [
      {
        test: {
          name: 'fast',
          include: [
            'test/renderer-core/{blocks,lint,model,plan}/**/*.test.ts',
            'test/{server/features,preview/page,cli}/**/*.test.ts',
          ],
          exclude: slowUnitTests,
          // Files share their imports: loading them for each file would take longer than the tests.
          isolate: false,
          // Property tests take seconds on a busy machine.
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'unit',
          globalSetup: './test/support/servicePages.ts',
          include: [
            'test/renderer-core/{runtime,project,setup,fonts}/**/*.test.ts',
            'test/{cloud,serverless,architecture}/**/*.test.ts',
            'test/torture/checks.test.ts',
            ...slowUnitTests,
            ...testsWithMocks,
          ],
          exclude: ['test/**/integration/**'],
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'programs',
          include: ['test/renderer-core/media/**/*.test.ts', 'test/server/*.test.ts'],
          exclude: slowTests,
          testTimeout: 60_000,
          retry,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'render',
          include: [
            'test/renderer-core/{capture,render}/**/*.test.ts',
            'test/preview/*.test.ts',
            'test/e2e/**/*.test.ts',
          ],
          exclude: slowTests,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'service',
          globalSetup: './test/support/servicePages.ts',
          include: ['test/**/integration/**/*.test.ts'],
          exclude: slowTests,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'fidelity',
          include: ['test/fidelity/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxConcurrency: 2,
          // About once in a thousand frames, a browser shows an animation that started before it was paused. Frames that
          // differ are kept in .cache/fidelity.
          retry: 1,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: 'acceptance',
          globalSetup: ['./test/support/servicePages.ts', './test/acceptance/packedCli.ts'],
          include: ['test/acceptance/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry,
          sequence: { groupOrder: 6 },
        },
      },
      {
        test: {
          name: 'slow',
          globalSetup: './test/support/servicePages.ts',
          include: slowTests,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          retry,
          sequence: { groupOrder: 7 },
        },
      },
    ],
  },
});
