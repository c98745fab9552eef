// `framework cloud render`: reads the options, renders on the hosted service with progress, and prints the report.

import {
  type CloudPlan,
  type CloudRenderRequest,
  planCloudRender,
  renderInCloud,
} from '../../../cloud/client/cloudRender.ts';
import { fetchCommand } from '../../../cloud/client/shellCommands.ts';
import { UserError } from '../../../renderer-core/errors.ts';
import { given } from '../../../renderer-core/model/variables/given.ts';
import type { CliIo, CommandInput } from '../../command.ts';
import { readSizeOptions } from '../../options/sizeOptions.ts';
import { readVariables } from '../../options/variableOptions.ts';
import { colorsFor } from '../../output/colors.ts';
import type { ProgressMode } from '../../output/renderProgress.ts';
import { reportStream, writesToStdout } from '../../output/standardOutput.ts';
import { serviceClient } from '../../serviceClient.ts';
import { untilAborted } from '../../untilAborted.ts';
import { createCloudProgress } from './cloudProgress.ts';
import { cloudPlanText, cloudReportText } from './cloudText.ts';
import { readWaitOptions } from './waitOptions.ts';

/** Returns 0; throws UserError. */
export async function runCloudRender(input: CommandInput, io: CliIo): Promise<number> {
  const { flags } = input;
  const stream = reportStream(input, io);
  const isQuiet = flags.has('quiet');
  const mode = (input.values.get('progress') as ProgressMode | undefined) ?? (isQuiet ? 'none' : 'auto');
  const progress = createCloudProgress(mode, io.stderr, colorsFor(io.stderr, io.env));
  try {
    writesToStdout(input);
    const options = await untilAborted(readRequest(input, io), io.signal, nothingSent);
    const request: CloudRenderRequest = {
      ...options,
      stdout: io.writeStdout,
      signal: io.signal,
      onEvent: progress.show,
    };
    if (flags.has('dry-run')) {
      const plan = await planCloudRender(request);
      for (const message of plan.warnings) progress.show({ type: 'warning', message });
      progress.clear();
      io.stdout.write(flags.has('json') ? planJson(plan) : cloudPlanText(plan));
      return 0;
    }
    const report = await renderInCloud(serviceClient(io), request);
    progress.clear();
    const { renderId, assetId, status, record, output, bytes } = report;
    if (flags.has('json')) {
      const document = { ...record, render_id: renderId, status, asset_id: assetId, output, bytes };
      io.stdout.write(`${JSON.stringify(document)}\n`);
    } else if (isQuiet) {
      if (output !== '-') io.stdout.write(`${output ?? renderId}\n`);
    } else {
      const later = output === null ? fetchCommand(renderId, request.output) : undefined;
      stream.write(cloudReportText(report, colorsFor(stream, io.env), later));
    }
    return 0;
  } finally {
    progress.clear();
  }
}

/** Contains only the given options. The service chooses the defaults. */
async function readRequest(input: CommandInput, io: CliIo): Promise<CloudRenderRequest> {
  const { values, flags, positionals } = input;
  const wait = readWaitOptions(input);
  const sources = { inline: values.get('variables'), file: values.get('variables-file') };
  return {
    ...given({
      projectDir: positionals[0],
      assetId: values.get('asset-id'),
      url: values.get('url'),
      composition: values.get('composition'),
      output: values.get('output'),
      fps: values.get('fps'),
      quality: values.get('quality'),
      format: values.get('format'),
      title: values.get('title'),
      callbackUrl: values.get('callback-url'),
      callbackId: values.get('callback-id'),
      idempotencyKey: values.get('idempotency-key'),
    }),
    ...(await readVariables(sources, io.stdin)),
    ...readSizeOptions(input),
    ...wait,
    ...(flags.has('strict-variables') ? { strictVariables: true } : {}),
    ...(flags.has('no-wait') ? { wait: false } : {}),
  };
}

function planJson({ archive, order, idempotencyKey, warnings }: CloudPlan): string {
  const files = archive?.files.map(({ path, size }) => ({ path, bytes: size })) ?? null;
  const packed = archive ? { bytes: archive.bytes, sha256: archive.sha256 } : null;
  return `${JSON.stringify({ files, archive: packed, order, idempotency_key: idempotencyKey, warnings })}\n`;
}

function nothingSent(cause: unknown): UserError {
  return new UserError('cancelled', 'The render was cancelled; nothing was sent.', { cause });
}
