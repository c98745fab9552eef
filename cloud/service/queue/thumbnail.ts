// A picture that stands for a video: of a moment that shows something.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runFfmpeg } from '../media/ffmpeg.ts';

const run = promisify(execFile);

/** Parts of the length, the likeliest first. */
const moments = [1 / 3, 1 / 2, 2 / 3, 1 / 8, 7 / 8];

/** Grey values differ by this much where there is something to see, as a variance. */
const enough = 200;

const [probeWidth, probeHeight] = [64, 36];
const longestSide = 640;

/** What is open shows white, as in a browser. VP9's alpha is a stream that ffmpeg's own decoder leaves out. */
const onWhite = 'format=rgba,split[a][b];[a]drawbox=c=white:t=fill,format=rgb24[white];[white][b]overlay';

type Video = { file: string; format: string; seconds: number; frames: number };

/** Writes a JPEG of at most 640 pixels a side to `output`. Rejects where ffmpeg cannot read the video. */
export async function makeThumbnail(ffmpeg: string, video: Video, output: string, signal: AbortSignal): Promise<void> {
  const looks: { at: number; variance: number }[] = [];
  for (const moment of moments.slice(0, video.frames)) {
    const at = moment * video.seconds;
    const variance = await varianceAt(ffmpeg, video, at, signal);
    looks.push({ at, variance });
    if (variance >= enough) break;
  }
  const best = looks.reduce((one, other) => (other.variance > one.variance ? other : one), { at: 0, variance: -1 });
  // A JPEG has no word for the matrix of its colours: viewers take it for BT.601 of full range.
  const colours = 'out_color_matrix=bt601:out_range=pc';
  const scale = `scale=w='min(${longestSide},iw)':h='min(${longestSide},ih)':force_original_aspect_ratio=decrease:${colours}`;
  const filters = `${layers(video)}${scale},format=yuvj420p`;
  await runFfmpeg(
    ffmpeg,
    [...frameAt(video, best.at), '-filter_complex', filters, '-c:v', 'mjpeg', '-q:v', '4', '-f', 'mjpeg', '-y', output],
    signal,
  );
}

async function varianceAt(ffmpeg: string, video: Video, at: number, signal: AbortSignal): Promise<number> {
  const filters = `${layers(video)}scale=${probeWidth}:${probeHeight},format=gray`;
  const args = [...frameAt(video, at), '-filter_complex', filters, '-f', 'rawvideo', 'pipe:1'];
  const { stdout } = await run(ffmpeg, args, { encoding: 'buffer', signal, maxBuffer: 1 << 20 });
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
