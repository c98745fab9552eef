// The tests in a real VS Code: `npm run test:vscode`. They install it once, so they are no part of `npm test`.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.cache/vscode-tests.json' }]],
    include: ['test/vscode/*.test.ts'],
    // The first run downloads a whole editor.
    hookTimeout: 600_000,
    testTimeout: 120_000,
    fileParallelism: false,
    // A whole editor is driven by its pixels: a window that came up too late is no fault of ours.
    retry: 1,
  },
});
