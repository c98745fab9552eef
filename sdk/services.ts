// The functions of the hosted API and of the serverless stack, with the environment and the clocks of this process.
import * as api from '../cloud/client/apiClient.ts';
import type * as progress from '../serverless/renders/progress.ts';
import type * as start from '../serverless/renders/start.ts';

/** Credentials are looked up for each request. Throws UserError `usage` when SERVICE_API_URL is invalid. */
export const createApiClient = (options: api.ApiClientOptions): api.ApiClient =>
  api.createApiClient(options, Date.now, { now: () => performance.now(), random: Math.random });

// The AWS SDK is loaded on first use, so that other programs do not wait for it.

/**
 * Uploads the files of a project that the bucket does not contain yet. The AWS SDK finds credentials and region. Throws
 * UserError.
 */
export const deploySite = async (
  options: Parameters<typeof start.deploySite>[0],
): ReturnType<typeof start.deploySite> =>
  (await import('../serverless/renders/start.ts')).deploySite(options, process.env);

/**
 * Starts a render and returns without waiting for it. Throws UserError; an invalid or too large config is `usage`
 * (`[validateConfig] config: …`), without any request to AWS.
 */
export const renderToServerless: typeof start.renderToServerless = async (options) =>
  (await import('../serverless/renders/start.ts')).renderToServerless(options);

/** Frames, chunks, cost so far, slowest chunk and errors of a render. Throws UserError `execution_not_found`. */
export const getRenderProgress = async (
  options: Parameters<typeof progress.getRenderProgress>[0],
): ReturnType<typeof progress.getRenderProgress> =>
  (await import('../serverless/renders/progress.ts')).getRenderProgress(options, process.env, Date.now);
