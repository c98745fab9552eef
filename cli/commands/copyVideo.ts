// `framework copy-video`: copies a finished video with its sound as FLAC.

import { UserError } from '../../renderer-core/errors.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { bytesText } from '../output/format.ts';

/** Returns 0; throws UserError. */
export async function runCopyVideo({ positionals, values, flags }: CommandInput, io: CliIo): Promise<number> {
  const [video] = positionals;
  const output = values.get('output');
  if (video === undefined || output === undefined) {
    const what = video === undefined ? 'The video is missing' : '--output is missing';
    throw new UserError('usage', what, { hint: 'For example: framework copy-video card.mp4 --output copy.mp4' });
  }
  const { copyVideo } = await import('../../renderer-core/render/finishedVideo/copyVideo.ts');
  const report = await copyVideo({
    video,
    output,
    ...given({ ffmpegPath: values.get('ffmpeg') }),
    env: io.env,
    signal: io.signal,
  });
  const text = report.output === null ? `${video} has no sound\n` : `${report.output}\n${bytesText(report.bytes)}\n`;
  io.stdout.write(flags.has('json') ? `${JSON.stringify(report)}\n` : text);
  return 0;
}
