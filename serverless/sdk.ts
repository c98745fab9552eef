// The serverless functions of the SDK. They load the AWS SDK on first use, so that other programs do not wait for it.
import type * as progress from './progress.ts';
import type * as start from './start.ts';

/**
 * Uploads the files of a project that the bucket does not contain yet. The AWS SDK finds credentials and region. Throws
 * UserError.
 */
export const deploySite: typeof start.deploySite = async (options) => (await import('./start.ts')).deploySite(options);

/**
 * Starts a render and returns without waiting for it. Throws UserError; an invalid or too large config is `usage`
 * (`[validateConfig] config: …`), without any request to AWS.
 */
export const renderToServerless: typeof start.renderToServerless = async (options) =>
  (await import('./start.ts')).renderToServerless(options);

/** Frames, chunks, cost so far, slowest chunk and errors of a render. Throws UserError `execution_not_found`. */
export const getRenderProgress: typeof progress.getRenderProgress = async (options) =>
  (await import('./progress.ts')).getRenderProgress(options);
