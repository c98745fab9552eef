// The second half of a hosted render: waiting for its end, and bringing its video here.
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import type { ApiClient } from './apiClient.ts';
import type { RenderRecord } from './apiTypes.ts';
import { cancelled, renderFailed, withRender } from './cloudErrors.ts';
import { type Download, downloadVideo } from './download.ts';
import { type WaitOptions, waitForRender } from './poll.ts';
import { getCloudRender } from './renders.ts';
import type { LocalRender } from './typedCommands.ts';

/** `output` is where the video goes; `local` what renders the same on this machine, for the error of a failed render. */
export type FinishOptions = WaitOptions & {
  local?: LocalRender | undefined;
  /** Warnings that have been told already. */
  told?: readonly string[];
};

/**
 * Waits for a render and brings its video to `output`, else to `renders/<render id>.<ext>`. Throws UserError as
 * `renderInCloud` does once there is a render.
 */
export async function finishRender(
  client: ApiClient,
  renderId: string,
  options: FinishOptions = {},
): Promise<{ record: RenderRecord; download: Download }> {
  const { signal, onEvent, output, pollIntervalMs, maxWaitMs } = options;
  try {
    onEvent?.({ type: 'stage', stage: 'wait', message: `Rendering ${renderId}` });
    const record = await waitForRender(client, renderId, { pollIntervalMs, maxWaitMs, signal, onEvent, output });
    if (record.status === 'failed') throw renderFailed(record, options.local);
    // Services of earlier versions send none.
    for (const message of record.warnings ?? [])
      if (!options.told?.includes(message)) onEvent?.({ type: 'warning', message });
    onEvent?.({ type: 'stage', stage: 'download', message: 'Downloading the video' });
    const download = await downloadRender(client, record, options);
    onEvent?.({ type: 'done', renderId, status: record.status, output: download.path });
    return { record, download };
  } catch (error) {
    if (error instanceof UserError && error.details) throw error;
    if (signal?.aborted) throw cancelled(renderId, output, error);
    throw withRender(error, renderId, output);
  }
}

async function downloadRender(
  client: ApiClient,
  record: RenderRecord,
  { output, signal, onEvent }: FinishOptions,
): Promise<Download> {
  const { render_id: renderId, format } = record;
  const renew = async (): Promise<string> => urlOf(await getCloudRender(client, renderId, { signal }));
  const path = output ?? join('renders', `${safeName(renderId)}.${safeName(format ?? 'mp4')}`);
  return downloadVideo({ url: record.video_url ?? (await renew()), renew, output: path, signal, onEvent });
}

function urlOf({ render_id: renderId, video_url: url }: RenderRecord): string {
  if (typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UserError('download_failed', `The render ${renderId} has no video to download`, {
    hint: 'The service may have deleted it: results are kept for a time only.',
  });
}

/** An id is opaque: whatever a service makes up, the file stays in its folder. */
const safeName = (text: string): string => text.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '_');
