// `framework snapshot`: single frames of a render as pictures, or several on one sheet.
import { UserError } from '../errors.ts';
import type { RenderEvent } from '../render/renderVideo.ts';
import type { SnapshotReport, SnapshotRequest } from '../render/snapshot.ts';
import { bytesText, secondsText } from './amounts.ts';
import { colorsFor } from './colors.ts';
import type { CliIo, CommandInput } from './command.ts';
import { loadEngine } from './engine.ts';
import { createProgress, type ProgressMode } from './progress.ts';
import { untilAborted } from './untilAborted.ts';
import { readVariables } from './variables.ts';

/** Throws UserError; the status is 0 otherwise. */
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
    const request = await untilAborted(readRequest(input, io), io.signal, cancelled);
    const { takeSnapshot } = io.engine ?? (await loadEngine());
    const report = await takeSnapshot({ ...request, signal: io.signal, onEvent });
    progress.clear();
    io.stdout.write(input.switches.has('json') ? `${JSON.stringify(report)}\n` : snapshotText(report));
    return 0;
  } catch (error) {
    // Whatever broke because everything is being closed is not the cause.
    if (io.signal.aborted && !(error instanceof UserError && error.code === 'cancelled')) throw cancelled(error);
    throw error;
  } finally {
    progress.clear();
  }
}

/** Only what was given. */
async function readRequest(
  { values, lists, switches, positionals }: CommandInput,
  io: CliIo,
): Promise<SnapshotRequest> {
  const sources = { inline: values.get('variables'), file: values.get('variables-file') };
  const numbers = (['width', 'height'] as const).map((name) => [name, values.get(name)] as const);
  const given = {
    composition: values.get('composition'),
    variables: await readVariables(sources, io.stdin),
    at: lists.get('at'),
    output: values.get('output'),
    fps: values.get('fps'),
    resolution: values.get('resolution'),
    maxSide: numberOf(values.get('max-side')),
    capture: values.get('capture'),
    browserPath: values.get('browser'),
    ffmpegPath: values.get('ffmpeg'),
    ...Object.fromEntries(numbers.map(([name, value]) => [name, numberOf(value)])),
  };
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return {
    projectDir: positionals[0] ?? '.',
    ...(defined as Partial<SnapshotRequest>),
    ...(switches.has('strict-variables') ? { strictVariables: true } : {}),
    ...(switches.has('sheet') ? { sheet: true } : {}),
  };
}

const numberOf = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));

/** Paths stand alone, one a line, for whoever takes them from there; what they show comes after them. */
function snapshotText({ pictures }: SnapshotReport): string {
  const paths = pictures.map(({ output }) => `${output}\n`);
  const facts = pictures.map(({ frames, width, height, bytes }) => {
    const shown = frames.map(({ frame, seconds }) => `frame ${frame} (${secondsText(seconds)})`).join(', ');
    return `${shown}: ${width}x${height}, ${bytesText(bytes)}\n`;
  });
  return [...paths, ...facts].join('');
}

function cancelled(cause: unknown): UserError {
  return new UserError('cancelled', 'The snapshot was cancelled; nothing was written.', { cause });
}
