import type { Surroundings } from '../../../renderer-core/render/session.ts';

/** The environment and the clock of the test's process. */
export const surroundings: Surroundings = { env: process.env, now: () => performance.now() };
