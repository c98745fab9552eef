// Fetches the archive of a project that was ordered by URL.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Network } from '../project/publicFetch.ts';
import { RemoteFailure, requestFile, withoutQuery } from '../project/remoteRequest.ts';
import { ApiError } from './apiErrors.ts';
import { archiveError } from './archiveEntries.ts';

/** As for projects that are uploaded. */
const maxProjectBytes = 200 * 1024 ** 2;

/**
 * Writes it to `file`. With `network: 'public'` over https and from public addresses alone, also where it redirects to.
 * Throws ApiError `framework_project_invalid` or `framework_project_too_large`.
 */
export async function downloadProject(
  url: string,
  file: string,
  { network, signal, maxBytes = maxProjectBytes }: { network: Network; signal: AbortSignal; maxBytes?: number },
): Promise<void> {
  const headers = { accept: 'application/zip, application/octet-stream;q=0.9, */*;q=0.1' };
  const request = { url, headers, known: undefined, signal, network, maxBytes, secureOnly: network === 'public' };
  try {
    await requestFile(request, ({ body }) => pipeline(body, createWriteStream(file)));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RemoteFailure)) throw error;
    const message = `The project at ${withoutQuery(url)} could not be fetched: ${error.message}.`;
    if (!/^it is larger than/.test(error.message)) throw archiveError(message);
    throw new ApiError('framework_project_too_large', message, { param: 'project' });
  }
}
