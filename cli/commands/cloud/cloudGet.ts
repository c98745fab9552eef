// `framework cloud get`: all about one render, or its video.
import { finishRender } from '../cloud/finishRender.ts';
import { getCloudRender } from '../cloud/renders.ts';
import { fetchCommand } from '../cloud/typedCommands.ts';
import { UserError } from '../errors.ts';
import { createCloudProgress } from './cloudProgress.ts';
import { readWaitOptions } from './cloudRender.ts';
import { cloudReportText, recordText } from './cloudText.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import type { ProgressMode } from './progress.ts';
import { serviceClient } from './serviceClient.ts';

/** Throws UserError; the status is 0 otherwise, also for a render that has failed when only told about. */
export async function runCloudGet(input: CommandInput, io: CliIo): Promise<number> {
  const { values, switches } = input;
  const renderId = requireRenderId(input, 'get');
  const wait = readWaitOptions(input);
  const client = serviceClient(io);
  if (values.has('output') || switches.has('wait')) return fetchVideo(renderId, wait, input, io);
  const record = await getCloudRender(client, renderId, { signal: io.signal });
  io.stdout.write(switches.has('json') ? `${JSON.stringify(record)}\n` : recordText(record));
  return 0;
}

async function fetchVideo(
  renderId: string,
  wait: ReturnType<typeof readWaitOptions>,
  { values, switches }: CommandInput,
  io: CliIo,
): Promise<number> {
  const client = serviceClient(io);
  const output = values.get('output');
  const mode = (values.get('progress') as ProgressMode | undefined) ?? 'auto';
  const progress = createCloudProgress(mode, io.stderr, colorsFor(io.stderr, io.env));
  try {
    if (!switches.has('wait')) {
      const { status } = await getCloudRender(client, renderId, { signal: io.signal });
      if (status !== 'completed' && status !== 'failed') throw notEnded(renderId, status, output);
    }
    const options = { ...wait, output, signal: io.signal, onEvent: progress.show };
    const { record, download } = await finishRender(client, renderId, options);
    progress.clear();
    const { path, bytes } = download;
    if (switches.has('json')) io.stdout.write(`${JSON.stringify({ ...record, output: path, bytes })}\n`);
    else {
      const report = { renderId, assetId: null, status: record.status, record, output: path, bytes };
      io.stdout.write(cloudReportText(report, colorsFor(io.stdout, io.env)));
    }
    return 0;
  } finally {
    progress.clear();
  }
}

/** Throws UserError `usage` when none was named. */
export function requireRenderId({ positionals }: CommandInput, command: string): string {
  const [renderId] = positionals;
  if (renderId) return renderId;
  throw new UserError('usage', `cloud ${command} needs the id of a render`, {
    hint: 'framework cloud list shows the renders of this account.',
  });
}

function notEnded(renderId: string, status: string, output: string | undefined): UserError {
  const command = fetchCommand(renderId, output);
  return new UserError('wait_exceeded', `The render ${renderId} has no video yet: it is ${status}`, {
    hint: `Wait for it with: ${command}`,
    details: { render_id: renderId, command },
  });
}
