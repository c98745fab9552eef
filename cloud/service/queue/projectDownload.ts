// Downloads the archive of a project that was given as a URL.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Network } from '../../../renderer-core/project/remote/publicFetch.ts';
import { RemoteFailure, requestFile, withoutQuery } from '../../../renderer-core/project/remote/remoteRequest.ts';
import { ApiError } from '../api/apiErrors.ts';
import { archiveError } from '../storage/archiveEntries.ts';

/** The same limit as for uploads. */
const maxProjectBytes = 200 * 1024 ** 2;

type DownloadOptions = { network: Network; secureOnly: boolean; signal: AbortSignal; maxBytes?: number };

/**
 * Downloads the archive to `file`. `secureOnly`: only over https, redirects included.
 * Throws ApiError `framework_project_invalid` or `framework_project_too_large`.
 */
export async function downloadProject(
  url: string,
  file: string,
  { network, secureOnly, signal, maxBytes = maxProjectBytes }: DownloadOptions,
): Promise<void> {
  const headers = { accept: 'application/zip, application/octet-stream;q=0.9, */*;q=0.1' };
  const request = { url, headers, known: undefined, signal, network, maxBytes, secureOnly };
  try {
    await requestFile(request, ({ body }) => pipeline(body, createWriteStream(file)));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RemoteFailure)) throw error;
    const message = `The project at ${withoutQuery(url)} could not be downloaded: ${error.message}.`;
    if (!/larger than/.test(error.message)) throw archiveError(message);
    throw new ApiError('framework_project_too_large', message, { param: 'project' });
  }
}
