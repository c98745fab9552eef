// `framework cloud get`: shows one render, or downloads its video.
import { getCloudRender } from '../../../cloud/client/accountRenders.ts';
import { finishRender } from '../../../cloud/client/finishRender.ts';
import { fetchCommand } from '../../../cloud/client/shellCommands.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { colorsFor } from '../../output/colors.ts';
import type { ProgressMode } from '../../output/renderProgress.ts';
import { reportStream, writesToStdout } from '../../output/standardOutput.ts';
import { serviceClient } from '../../serviceClient.ts';
import { createCloudProgress } from './cloudProgress.ts';
import { cloudReportText, recordText } from './cloudText.ts';
import { readWaitOptions } from './waitOptions.ts';

/** Returns 0, also when it shows a failed render; throws UserError. */
export async function runCloudGet(input: CommandInput, io: CliIo): Promise<number> {
  const { values, flags } = input;
  writesToStdout(input);
  const renderId = requireRenderId(input, 'get');
  const wait = readWaitOptions(input);
  const client = serviceClient(io);
  if (values.has('output') || flags.has('wait')) return fetchVideo(renderId, wait, input, io);
  const record = await getCloudRender(client, renderId, { signal: io.signal });
  io.stdout.write(flags.has('json') ? `${JSON.stringify(record)}\n` : recordText(record));
  return 0;
}

async function fetchVideo(
  renderId: string,
  wait: ReturnType<typeof readWaitOptions>,
  input: CommandInput,
  io: CliIo,
): Promise<number> {
  const { values, flags } = input;
  const client = serviceClient(io);
  const output = values.get('output');
  const mode = (values.get('progress') as ProgressMode | undefined) ?? 'auto';
  const progress = createCloudProgress(mode, io.stderr, colorsFor(io.stderr, io.env));
  try {
    if (!flags.has('wait')) {
      const { status } = await getCloudRender(client, renderId, { signal: io.signal });
      if (status !== 'completed' && status !== 'failed') throw notEnded(renderId, status, output);
    }
    const options = { ...wait, output, stdout: io.writeStdout, signal: io.signal, onEvent: progress.show };
    const { record, download } = await finishRender(client, renderId, options);
    progress.clear();
    const { path, bytes } = download;
    if (flags.has('json')) io.stdout.write(`${JSON.stringify({ ...record, output: path, bytes })}\n`);
    else {
      const report = { renderId, assetId: null, status: record.status, record, output: path, bytes };
      const stream = reportStream(input, io);
      stream.write(cloudReportText(report, colorsFor(stream, io.env)));
    }
    return 0;
  } finally {
    progress.clear();
  }
}

/** Throws UserError `usage` if the id is missing. */
export function requireRenderId({ positionals }: CommandInput, command: string): string {
  const [renderId] = positionals;
  if (renderId) return renderId;
  throw new UserError('usage', `the render id is missing: cloud ${command} <render_id>`, {
    hint: 'Run framework cloud list for the renders of this account.',
  });
}

function notEnded(renderId: string, status: string, output: string | undefined): UserError {
  const command = fetchCommand(renderId, output);
  return new UserError('wait_exceeded', `The render ${renderId} has no video yet (status: ${status})`, {
    hint: `To wait for it: ${command}`,
    details: { render_id: renderId, command },
  });
}
