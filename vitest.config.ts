// Five projects: `unit` runs in seconds; `programs` runs ffmpeg and the language server; `render` starts real browsers;
// `service` runs the hosted and the serverless service on what they stand on; `fidelity` compares what is
// captured with what the browser shows.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The runner's own choice leaves a core to somebody who watches; most tests wait for programs half of the time.
    maxWorkers: 2,
    reporters: ['default', ['json', { outputFile: '.cache/tests.json' }]],
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'test/{model,lint,plan,runtime,project,setup,cloud,service,serverless,answers,mcp,cli,client,previewPage,syntaxes,architecture}/**/*.test.ts',
            'test/server/features/**/*.test.ts',
          ],
          // Property tests take seconds on a machine that is busy.
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'programs',
          include: ['test/media/**/*.test.ts', 'test/server/*.test.ts'],
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'render',
          include: ['test/{capture,render,preview,e2e}/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/{serviceRuns,serverlessRuns}/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // They share what the stack's function is built of, and one store of objects needs a gigabyte.
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'fidelity',
          include: ['test/fidelity/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxConcurrency: 2,
          // Once in some thousand pictures, a browser shows an animation that began before it was stopped. The pictures of a disagreement are kept in .cache/fidelity.
          retry: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
