// Three projects: `unit` is pure and runs in seconds; `render` starts real browsers and ffmpeg, one file at a time;
// `fidelity` compares what is captured with what the browser shows.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.cache/tests.json' }]],
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'test/{model,lint,plan,runtime,project,media,cli,server,client,syntaxes,architecture}/**/*.test.ts',
          ],
          // Property tests take seconds on a machine that is busy.
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'render',
          include: ['test/{capture,render,e2e}/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'fidelity',
          include: ['test/fidelity/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxConcurrency: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
