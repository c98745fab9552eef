// Tags of tests: the suites to which they belong, if it is not that of their project in vitest.config.ts.

/** For `npm test`. In VS Code, for `npm run test:full`. */
export const core = { tags: ['core'] };

/** For `npm run test:full`: it needs other programs than Node, npm and a shell. */
export const full = { tags: ['full'] };

/** For `npm run test:soak`. */
export const soak = { tags: ['soak'] };
