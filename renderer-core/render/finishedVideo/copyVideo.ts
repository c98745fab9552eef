// Copies a finished video with its sound as FLAC: some programs have no decoder for AAC, and Visual Studio Code is one of them.
import { UserError } from '../../errors.ts';
import { common } from '../../media/encode.ts';
import { runFfmpeg } from '../../media/ffmpeg.ts';
import { openFileOutput } from '../../project/output/outputTarget.ts';
import { openVideo, type VideoRequest } from './openVideo.ts';

/** `output`: a path that ends in .mp4. */
export type VideoCopyRequest = VideoRequest & { output: string };

/** `output`: the absolute path; null for a video without sound, which is not copied. */
type VideoCopyReport = { output: string | null; bytes: number };

/** Frames are copied without encoding them again. Throws UserError; then no file appears. */
export async function copyVideo({ output, ...request }: VideoCopyRequest): Promise<VideoCopyReport> {
  if (!/\.mp4$/i.test(output)) throw new UserError('usage', `The output must be an .mp4 file (got "${output}")`);
  const { ffmpeg, input, audio, signal } = await openVideo(request);
  if (!audio) return { output: null, bytes: 0 };
  const target = await openFileOutput(output, { signal });
  try {
    // The embedded ffmpeg reads one stream of each input.
    const inputs = [...input, ...input, '-map', '0:v:0', '-map', '1:a:0'];
    const codecs = ['-c:v', 'copy', '-c:a', 'flac', '-af', 'aformat=sample_fmts=s16'];
    const container = ['-movflags', '+faststart', '-f', 'mp4', target.temporary];
    await runFfmpeg(ffmpeg, [...common, ...inputs, ...codecs, ...container], signal);
    return { bytes: await target.commit(), output: target.path };
  } finally {
    await target.discard();
  }
}
