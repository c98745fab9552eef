// `framework sounds`: lists the sounds of a video, with their times and levels.
import type { SoundsRequest } from '../../renderer-core/check/listSounds.ts';
import { UserError } from '../../renderer-core/errors.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import { featuresOption } from '../../renderer-core/page/features/features.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { clock, engine } from '../engine.ts';
import { readLocaleOptions } from '../options/localeOptions.ts';
import { readVariables } from '../options/variableOptions.ts';
import { colorsFor } from '../output/colors.ts';
import { createLiveLine } from '../output/liveLine.ts';
import { soundsText } from '../output/soundsText.ts';
import { untilAborted } from '../untilAborted.ts';

/** Returns 0; throws UserError. */
export async function runSounds(input: CommandInput, io: CliIo): Promise<number> {
  const colors = colorsFor(io.stderr, io.env);
  const line = createLiveLine(io.stderr, colors);
  const onEvent: SoundsRequest['onEvent'] = ({ type, message }) => {
    line.clear();
    if (type === 'warning') io.stderr.write(`${colors.yellow('warning')}: ${message}\n`);
    else if (io.stderr.isTTY) line.draw(message);
  };
  try {
    const request = { ...(await readRequest(input, io)), signal: io.signal, onEvent };
    const { listSounds } = io.engine ?? engine;
    const report = await untilAborted(listSounds(request, { ...clock, env: io.env }), io.signal, cancelled);
    line.clear();
    io.stdout.write(input.flags.has('json') ? `${JSON.stringify(report)}\n` : soundsText(report));
    return 0;
  } finally {
    line.clear();
  }
}

const cancelled = (cause: unknown): UserError => new UserError('cancelled', 'The command was cancelled.', { cause });

/** Contains only the given options. */
async function readRequest(input: CommandInput, io: CliIo): Promise<SoundsRequest> {
  const { values, flags, positionals } = input;
  const loudness = values.get('loudness');
  const sources = { inline: values.get('variables'), file: values.get('variables-file') };
  return {
    projectDir: positionals[0] ?? '.',
    ...featuresOption(io.env),
    ...given({
      composition: values.get('composition'),
      output: values.get('output'),
      fps: values.get('fps'),
      loudness: loudness === undefined ? undefined : Number(loudness),
      network: values.get('network') as SoundsRequest['network'],
      browserPath: values.get('browser'),
      ffmpegPath: values.get('ffmpeg'),
    }),
    ...(await readVariables(sources, io.stdin)),
    ...readLocaleOptions(input),
    ...(flags.has('strict-variables') ? { strictVariables: true } : {}),
  };
}
