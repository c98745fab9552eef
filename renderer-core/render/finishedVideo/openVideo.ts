// Opens a finished video for ffmpeg.
import { resolve } from 'node:path';
import { UserError } from '../../errors.ts';
import type { Ffmpeg } from '../../media/ffmpeg.ts';
import { findFfmpeg } from '../../media/findFfmpeg.ts';
import { type MediaFacts, probeMedia, type VideoFacts } from '../../media/probeMedia.ts';
import { statIfExists } from '../../project/statIfExists.ts';

/** `video`: path of the file. */
export type VideoRequest = { video: string; ffmpegPath?: string; env: NodeJS.ProcessEnv; signal?: AbortSignal };

/** `file` is an absolute path. `duration` is in seconds. */
export type OpenVideo = {
  ffmpeg: Ffmpeg;
  file: string;
  signal: AbortSignal | undefined;
  facts: VideoFacts;
  audio: MediaFacts['audio'];
  duration: number;
};

/** Throws UserError. */
export async function openVideo({ video, ffmpegPath, env, signal }: VideoRequest): Promise<OpenVideo> {
  const file = resolve(video);
  const found = await statIfExists(file);
  if (!found?.isFile())
    throw new UserError('usage', `${file} is not a file`, { hint: 'Pass the path of a video file.' });
  const ffmpeg = await findFfmpeg({
    env,
    ...(ffmpegPath === undefined ? {} : { path: ffmpegPath }),
    ...(signal ? { signal } : {}),
  });
  const { video: facts, audio, duration } = await probeMedia(ffmpeg, file, signal);
  if (!facts) throw new UserError('media_unreadable', `${file} contains no video`);
  return { ffmpeg, file, signal, facts, audio, duration: duration ?? 0 };
}
