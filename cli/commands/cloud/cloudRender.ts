// `framework cloud render`: from options to a request, progress while it runs, and the report at the end.
import { type CloudPlan, type CloudRenderRequest, planCloudRender, renderInCloud } from '../cloud/cloudRender.ts';
import { fetchCommand } from '../cloud/typedCommands.ts';
import { UserError } from '../errors.ts';
import { createCloudProgress } from './cloudProgress.ts';
import { cloudPlanText, cloudReportText } from './cloudText.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { readDuration } from './durations.ts';
import type { ProgressMode } from './progress.ts';
import { serviceClient } from './serviceClient.ts';
import { untilAborted } from './untilAborted.ts';
import { readVariables } from './variables.ts';

/** Throws UserError; the status is 0 otherwise. */
export async function runCloudRender(input: CommandInput, io: CliIo): Promise<number> {
  const { switches } = input;
  const isQuiet = switches.has('quiet');
  const mode = (input.values.get('progress') as ProgressMode | undefined) ?? (isQuiet ? 'none' : 'auto');
  const progress = createCloudProgress(mode, io.stderr, colorsFor(io.stderr, io.env));
  try {
    const asked = await untilAborted(readRequest(input, io), io.signal, nothingSent);
    const request: CloudRenderRequest = { ...asked, signal: io.signal, onEvent: progress.show };
    if (switches.has('dry-run')) {
      const plan = await planCloudRender(request);
      for (const message of plan.warnings) progress.show({ type: 'warning', message });
      progress.clear();
      io.stdout.write(switches.has('json') ? planJson(plan) : cloudPlanText(plan));
      return 0;
    }
    const report = await renderInCloud(serviceClient(io), request);
    progress.clear();
    const { renderId, assetId, status, record, output, bytes } = report;
    if (switches.has('json')) {
      const document = { ...record, render_id: renderId, status, asset_id: assetId, output, bytes };
      io.stdout.write(`${JSON.stringify(document)}\n`);
    } else if (isQuiet) io.stdout.write(`${output ?? renderId}\n`);
    else {
      const later = output === null ? fetchCommand(renderId, request.output) : undefined;
      io.stdout.write(cloudReportText(report, colorsFor(io.stdout, io.env), later));
    }
    return 0;
  } finally {
    progress.clear();
  }
}

/** Only what was given: everything else is the service's to choose. */
async function readRequest(input: CommandInput, io: CliIo): Promise<CloudRenderRequest> {
  const { values, switches, positionals } = input;
  const wait = readWaitOptions(input);
  const sources = { inline: values.get('variables'), file: values.get('variables-file') };
  const given = {
    projectDir: positionals[0],
    assetId: values.get('asset-id'),
    url: values.get('url'),
    composition: values.get('composition'),
    variables: await readVariables(sources, io.stdin),
    output: values.get('output'),
    fps: values.get('fps'),
    quality: values.get('quality'),
    format: values.get('format'),
    resolution: values.get('resolution'),
    aspectRatio: values.get('aspect-ratio'),
    title: values.get('title'),
    callbackUrl: values.get('callback-url'),
    callbackId: values.get('callback-id'),
    idempotencyKey: values.get('idempotency-key'),
  };
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return {
    ...(defined as CloudRenderRequest),
    ...wait,
    ...(switches.has('strict-variables') ? { strictVariables: true } : {}),
    ...(switches.has('no-wait') ? { wait: false } : {}),
  };
}

const hour = 60 * 60_000;

/** `--poll-interval` and `--max-wait`. Throws UserError `usage`. */
export function readWaitOptions({ values }: CommandInput): Pick<CloudRenderRequest, 'pollIntervalMs' | 'maxWaitMs'> {
  const interval = values.get('poll-interval');
  const wait = values.get('max-wait');
  return {
    ...(interval === undefined
      ? {}
      : { pollIntervalMs: readDuration('poll-interval', interval, { least: 1000, most: hour }) }),
    ...(wait === undefined ? {} : { maxWaitMs: readDuration('max-wait', wait, { least: 1000, most: 7 * 24 * hour }) }),
  };
}

function planJson({ archive, order, idempotencyKey, warnings }: CloudPlan): string {
  const files = archive?.files.map(({ path, size }) => ({ path, bytes: size })) ?? null;
  const packed = archive ? { bytes: archive.bytes, sha256: archive.sha256 } : null;
  return `${JSON.stringify({ files, archive: packed, order, idempotency_key: idempotencyKey, warnings })}\n`;
}

function nothingSent(cause: unknown): UserError {
  return new UserError('cancelled', 'Cancelled; nothing was sent.', { cause });
}
