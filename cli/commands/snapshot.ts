// `framework snapshot`: saves single frames as images, or several as one contact sheet.

import { UserError } from '../../renderer-core/errors.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import { featuresOption } from '../../renderer-core/page/features/features.ts';
import type { RenderEvent } from '../../renderer-core/render/renderReport.ts';
import type { SnapshotReport } from '../../renderer-core/render/snapshot/snapshotReport.ts';
import type { SnapshotRequest } from '../../renderer-core/render/snapshot/takeSnapshot.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { clock, engine } from '../engine.ts';
import { readLocaleOptions } from '../options/localeOptions.ts';
import { readSizeOptions } from '../options/sizeOptions.ts';
import { readVariables } from '../options/variableOptions.ts';
import { colorsFor } from '../output/colors.ts';
import { bytesText, secondsText } from '../output/format.ts';
import { createProgress, type ProgressMode } from '../output/renderProgress.ts';
import { fontsText } from '../output/renderReport.ts';
import { reportStream, writesToStdout } from '../output/standardOutput.ts';
import { untilAborted } from '../untilAborted.ts';

/** Returns 0; throws UserError. */
export async function runSnapshot(input: CommandInput, io: CliIo): Promise<number> {
  const mode = (input.values.get('progress') ?? 'auto') as ProgressMode;
  const colors = colorsFor(io.stderr, io.env);
  const progress = createProgress(mode, io.stderr, colors);
  const onEvent = (event: RenderEvent): void => {
    if (event.type === 'warning' && mode !== 'ndjson') {
      progress.clear();
      io.stderr.write(`${colors.yellow('warning:')} ${event.message}\n`);
    }
    progress.show(event);
  };
  try {
    writesToStdout(input);
    const request = await untilAborted(readRequest(input, io), io.signal, cancelled);
    const { takeSnapshot, snapshotWithHost } = io.engine ?? engine;
    const { writeStdout: stdout, signal, env, owner } = io;
    const all = { ...request, stdout, signal, onEvent };
    const surroundings = { ...clock, env };
    const report = await (owner === undefined
      ? takeSnapshot(all, surroundings)
      : snapshotWithHost(all, { ...surroundings, owner }));
    progress.clear();
    reportStream(input, io).write(input.flags.has('json') ? `${JSON.stringify(report)}\n` : snapshotText(report));
    return 0;
  } catch (error) {
    // After a cancellation, other errors are only its consequences.
    if (io.signal.aborted && !(error instanceof UserError && error.code === 'cancelled')) throw cancelled(error);
    throw error;
  } finally {
    progress.clear();
  }
}

/** Contains only the given options. */
async function readRequest(input: CommandInput, io: CliIo): Promise<SnapshotRequest> {
  const { values, lists, flags, positionals } = input;
  const size = readSizeOptions(input);
  const locale = readLocaleOptions(input);
  const sources = { inline: values.get('variables'), file: values.get('variables-file') };
  const options = given({
    composition: values.get('composition'),
    at: lists.get('at'),
    output: values.get('output'),
    fps: values.get('fps'),
    maxSide: numberOf(values.get('max-side')),
    capture: values.get('capture') as SnapshotRequest['capture'],
    gpu: values.get('gpu') as SnapshotRequest['gpu'],
    network: values.get('network') as SnapshotRequest['network'],
    browserPath: values.get('browser'),
    ffmpegPath: values.get('ffmpeg'),
  });
  const variables = await readVariables(sources, io.stdin);
  return {
    projectDir: positionals[0] ?? '.',
    ...featuresOption(io.env),
    ...options,
    ...variables,
    ...size,
    ...locale,
    ...(flags.has('strict-variables') ? { strictVariables: true } : {}),
    ...(flags.has('system-fonts') ? { systemFonts: true } : {}),
    ...(flags.has('contact-sheet') ? { sheet: true } : {}),
    ...(flags.has('hdr') ? { hdr: true } : {}),
  };
}

const numberOf = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));

/** First the paths, one per line, so that scripts can read them; then the facts. */
function snapshotText({ pictures, fonts }: SnapshotReport): string {
  const paths = pictures.map(({ output }) => `${output}\n`);
  const facts = pictures.map(({ frames, width, height, bytes }) => {
    const shown = frames.map(({ frame, seconds }) => `frame ${frame} (${secondsText(seconds)})`).join(', ');
    return `${shown}: ${width}x${height}, ${bytesText(bytes)}\n`;
  });
  return [...paths, ...facts, `${fontsText(fonts)}\n`].join('');
}

function cancelled(cause: unknown): UserError {
  return new UserError('cancelled', 'The snapshot was cancelled; no file was written.', { cause });
}
