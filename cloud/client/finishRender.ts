// Waits for a hosted render and downloads its video.
import { join } from 'node:path';
import { UserError } from '../../renderer-core/errors.ts';
import type { WriteBytes } from '../../renderer-core/project/output/outputStream.ts';
import { getCloudRender } from './accountRenders.ts';
import type { ApiClient } from './apiClient.ts';
import type { RenderRecord } from './apiTypes.ts';
import { addRenderDetails, cancelledWhileWaiting, renderFailed } from './cloudErrors.ts';
import { type Download, downloadVideo } from './download.ts';
import { type WaitOptions, waitForRender } from './poll.ts';
import type { LocalRender } from './shellCommands.ts';

/** `output` is the path of the video. */
export type FinishOptions = WaitOptions & {
  /** Writes to standard output; `output` can be `-` then. */
  stdout?: WriteBytes | undefined;
  /** The same render on this machine; named in the error of a failed render. */
  local?: LocalRender | undefined;
  /** Warnings that were already reported, and are not reported again. */
  reported?: readonly string[];
};

/**
 * Waits for a render and downloads its video to `output`, or to `renders/<render id>.<ext>`. Throws UserError with the
 * codes of `renderInCloud`.
 */
export async function finishRender(
  client: ApiClient,
  renderId: string,
  options: FinishOptions = {},
): Promise<{ record: RenderRecord; download: Download }> {
  const { signal, onEvent, output, pollIntervalMs, maxWaitMs } = options;
  try {
    onEvent?.({ type: 'stage', stage: 'wait', message: `Rendering ${renderId}` });
    const wait = { pollIntervalMs, maxWaitMs, signal, onEvent, output };
    const record = await waitForRender(client, renderId, wait, client.clock);
    if (record.status === 'failed') throw renderFailed(record, options.local);
    // Earlier versions of the service return no `warnings`.
    for (const message of record.warnings ?? [])
      if (!options.reported?.includes(message)) onEvent?.({ type: 'warning', message });
    onEvent?.({ type: 'stage', stage: 'download', message: 'Downloading the video' });
    const download = await downloadRender(client, record, options);
    onEvent?.({ type: 'done', renderId, status: record.status, output: download.path });
    return { record, download };
  } catch (error) {
    if (error instanceof UserError && error.details) throw error;
    if (signal?.aborted) throw cancelledWhileWaiting(renderId, output, error);
    throw addRenderDetails(error, renderId, output);
  }
}

async function downloadRender(
  client: ApiClient,
  record: RenderRecord,
  { output, stdout, signal, onEvent }: FinishOptions,
): Promise<Download> {
  const { render_id: renderId, format } = record;
  const renew = async (): Promise<string> => urlOf(await getCloudRender(client, renderId, { signal }));
  const path = output ?? join('renders', `${safeName(renderId)}.${safeName(format ?? 'mp4')}`);
  return downloadVideo({ url: record.video_url ?? (await renew()), renew, output: path, stdout, signal, onEvent });
}

function urlOf({ render_id: renderId, video_url: url }: RenderRecord): string {
  if (typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UserError('download_failed', `The render ${renderId} has no video to download`, {
    hint: 'The service may have deleted it: it keeps results for a limited time.',
  });
}

/** Ids are opaque and come from the service: the file must not leave its folder. */
const safeName = (text: string): string => text.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '_');
