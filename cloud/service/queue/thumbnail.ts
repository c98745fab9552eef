// Thumbnails: a JPEG of a frame that is not blank.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Ffmpeg, ffmpegCommand, runFfmpeg } from '../../../renderer-core/media/ffmpeg.ts';

const run = promisify(execFile);

/** Candidate frames as fractions of the duration, the most likely ones first. */
const positions = [1 / 3, 1 / 2, 2 / 3, 1 / 8, 7 / 8];

/** Variance of the gray values from which a frame does not count as blank. */
const minVariance = 200;

const [probeWidth, probeHeight] = [64, 36];
const maxSide = 640;

/** Transparent pixels become white, as in a browser. ffmpeg's own VP9 decoder ignores the alpha stream: see `frameAt`. */
const onWhite = 'format=rgba,split[a][b];[a]drawbox=c=white:t=fill,format=rgb24[white];[white][b]overlay';

type Video = { file: string; format: string; seconds: number; frames: number };

/** Writes a JPEG of at most 640 pixels a side to `output`. Rejects if ffmpeg cannot read the video. */
export async function createThumbnail(
  ffmpeg: Ffmpeg,
  video: Video,
  output: string,
  signal: AbortSignal,
): Promise<void> {
  const candidates: { at: number; variance: number }[] = [];
  for (const position of positions.slice(0, video.frames)) {
    const at = position * video.seconds;
    const variance = await varianceAt(ffmpeg, video, at, signal);
    candidates.push({ at, variance });
    if (variance >= minVariance) break;
  }
  const best = candidates.reduce((one, other) => (other.variance > one.variance ? other : one), {
    at: 0,
    variance: -1,
  });
  // JPEG files do not store a color matrix: viewers assume BT.601 in full range. Converted by way of RGB, because old
  // versions of ffmpeg ignore matrix and range when they convert between YUV formats.
  const colors = 'out_color_matrix=bt601:out_range=pc';
  const scale = `scale=w='min(${maxSide},iw)':h='min(${maxSide},ih)':force_original_aspect_ratio=decrease:${colors}`;
  const filters = `${layers(video)}format=rgb24,${scale},format=yuvj420p`;
  await runFfmpeg(
    ffmpeg,
    [...frameAt(video, best.at), '-filter_complex', filters, '-c:v', 'mjpeg', '-q:v', '4', '-f', 'mjpeg', '-y', output],
    signal,
  );
}

async function varianceAt(ffmpeg: Ffmpeg, video: Video, at: number, signal: AbortSignal): Promise<number> {
  const filters = `${layers(video)}scale=${probeWidth}:${probeHeight},format=gray`;
  const args = [...frameAt(video, at), '-filter_complex', filters, '-f', 'rawvideo', 'pipe:1'];
  const { stdout } = await run(...ffmpegCommand(ffmpeg.path, args), {
    encoding: 'buffer',
    signal,
    maxBuffer: 1 << 20,
    env: ffmpeg.env,
  });
  if (stdout.length === 0) return -1;
  const mean = stdout.reduce((sum, value) => sum + value, 0) / stdout.length;
  return stdout.reduce((sum, value) => sum + (value - mean) ** 2, 0) / stdout.length;
}

const layers = ({ format }: Video): string => (format === 'mp4' ? '' : `${onWhite},`);

function frameAt({ file, format }: Video, at: number): string[] {
  const decoder = format === 'webm' ? ['-c:v', 'libvpx-vp9'] : [];
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-ss', at.toFixed(3)],
    ...decoder,
    ...['-i', file, '-frames:v', '1', '-an'],
  ];
}
