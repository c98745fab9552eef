// The SDK's calls of AWS, whose own SDK is loaded with the first of them: programs that only render here never wait for it.
import type * as progress from './progress.ts';
import type * as start from './start.ts';

/**
 * Uploads a project, unless the bucket holds it already; files that it holds are not sent again. Credentials and region come
 * from the AWS SDK's own chain. Throws UserError.
 */
export const deploySite: typeof start.deploySite = async (options) => (await import('./start.ts')).deploySite(options);

/**
 * Starts one render and returns at once. Throws UserError `usage` before any call of AWS for a config that cannot be or is
 * too large (`[validateConfig] config: …`).
 */
export const renderToServerless: typeof start.renderToServerless = async (options) =>
  (await import('./start.ts')).renderToServerless(options);

/** Frames, chunks, dollars so far, the slowest chunk, errors. Throws UserError `execution_not_found`. */
export const getRenderProgress: typeof progress.getRenderProgress = async (options) =>
  (await import('./progress.ts')).getRenderProgress(options);
