// `framework thumbnail`: saves a frame of a finished video as an image.

import { resolve } from 'node:path';
import { UserError } from '../../renderer-core/errors.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import type { ThumbnailReport } from '../../renderer-core/render/finishedVideo/thumbnailReport.ts';
import type { CliIo, CommandInput } from '../command.ts';
import { bytesText, secondsText } from '../output/format.ts';

/** Returns 0; throws UserError. */
export async function runThumbnail({ positionals, values, flags }: CommandInput, io: CliIo): Promise<number> {
  const [video] = positionals;
  if (video === undefined)
    throw new UserError('usage', 'The video is missing', { hint: 'For example: framework thumbnail renders/card.mp4' });
  const maxSide = values.get('max-side');
  const { takeThumbnail } = await import('../../renderer-core/render/finishedVideo/takeThumbnail.ts');
  const report = await takeThumbnail({
    video,
    output: values.get('output') ?? defaultOutput(video),
    ...given({ at: values.get('at'), ffmpegPath: values.get('ffmpeg') }),
    ...(maxSide === undefined ? {} : { maxSide: Number(maxSide) }),
    env: io.env,
    signal: io.signal,
  });
  io.stdout.write(flags.has('json') ? `${JSON.stringify(report)}\n` : thumbnailText(report));
  return 0;
}

/** Next to the video. The folder of an HLS stream contains nothing else. */
const defaultOutput = (video: string): string =>
  `${resolve(video)
    .replace(/[\\/]index\.m3u8$/, '')
    .replace(/\.\w+$/, '')}.jpg`;

/** First the path, so that scripts can read it; then the facts. */
function thumbnailText({ output, seconds, width, height, bytes }: ThumbnailReport): string {
  return `${output}\n${secondsText(seconds)}: ${width}x${height}, ${bytesText(bytes)}\n`;
}
