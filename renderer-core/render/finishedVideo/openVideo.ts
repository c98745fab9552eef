// Opens a finished video for ffmpeg.
import { join, resolve } from 'node:path';
import { UserError } from '../../errors.ts';
import { type Ffmpeg, videoInput } from '../../media/ffmpeg.ts';
import { findFfmpeg } from '../../media/findFfmpeg.ts';
import { type MediaFacts, probeMedia, type VideoFacts } from '../../media/probeMedia.ts';
import { hlsPlaylist } from '../../plan/hls.ts';
import { statIfExists } from '../../project/statIfExists.ts';

/** `video`: path of the file, or of the folder or the playlist of an HLS stream. */
export type VideoRequest = { video: string; ffmpegPath?: string; env: NodeJS.ProcessEnv; signal?: AbortSignal };

/** `file` is an absolute path, and `input` are its arguments. `duration` is in seconds. */
export type OpenVideo = {
  ffmpeg: Ffmpeg;
  file: string;
  input: string[];
  signal: AbortSignal | undefined;
  facts: VideoFacts;
  audio: MediaFacts['audio'];
  duration: number;
};

/** Throws UserError. */
export async function openVideo({ video, ffmpegPath, env, signal }: VideoRequest): Promise<OpenVideo> {
  const file = await fileOf(resolve(video));
  const ffmpeg = await findFfmpeg({
    env,
    ...(ffmpegPath === undefined ? {} : { path: ffmpegPath }),
    ...(signal ? { signal } : {}),
  });
  const input = videoInput(file);
  const { video: facts, audio, duration } = await probeMedia(ffmpeg, file, signal, input);
  if (!facts) throw new UserError('media_unreadable', `${file} contains no video`);
  return { ffmpeg, file, input, signal, facts, audio, duration: duration ?? 0 };
}

/** A folder stands for the playlist in it. */
async function fileOf(path: string): Promise<string> {
  const isFile = async (file: string) => (await statIfExists(file))?.isFile() === true;
  if (await isFile(path)) return path;
  const playlist = join(path, hlsPlaylist);
  if (await isFile(playlist)) return playlist;
  throw new UserError('usage', `${path} is not a file`, {
    hint: 'Pass the path of a video file, or of the folder of an HLS stream.',
  });
}
