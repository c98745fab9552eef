// Joins segments to the output file. Encoded segments are copied into the container; a gif is encoded here, because its
// palette depends on all frames.
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import type { FrameRate } from '../model/frameGrid.ts';
import type { LightLevels } from '../plan/brightness.ts';
import type { Chunk } from '../plan/chunks.ts';
import { formatTable } from '../plan/formats.ts';
import { hlsPlaylist, hlsSegmentFrames } from '../plan/hls.ts';
import type { Encoding, RenderPlan } from '../plan/renderPlan.ts';
import { declareLength } from './declaredLength.ts';
import { common, timescale } from './encode.ts';
import { type Sound, soundEncoder, soundInput } from './encodeSound.ts';
import { type Ffmpeg, runFfmpeg, startFfmpeg } from './ffmpeg.ts';
import { ivfHeader } from './ivf.ts';
import { declareLight, lightSpace } from './lightLevels.ts';
import { frameBytes } from './soundFile.ts';

/** `ivf` is read from standard input; `list` is the path of a list of segments (see `segmentList`). */
export type Segments = { ivf: true } | { list: string };

const inputOf = (segments: Segments): string[] =>
  'ivf' in segments ? ['-f', 'ivf', '-i', 'pipe:0'] : ['-f', 'concat', '-safe', '0', '-i', segments.list];

/** prores_ks writes frames without color tags, which some players read from the frames. */
const proresTags = ['-bsf:v', 'prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709'];

/** Copies the segments to one file without encoding frames again. Encodes the sound. HLS is written to the working folder. */
export function joinArguments(
  segments: Segments,
  encoding: Pick<Encoding, 'format' | 'codec'> & {
    fps: FrameRate;
    fragmented?: boolean;
    indexLast?: boolean;
    captionFile?: string;
    light?: LightLevels;
  },
  output: string,
  sound?: Sound,
): string[] {
  const copy = ['-map', '0:v:0', '-c', 'copy', ...(encoding.codec === 'prores' ? proresTags : [])];
  const text = captionTrack(encoding, sound ? 2 : 1);
  const inputs = [...inputOf(segments), ...(sound ? soundInput(sound) : []), ...text.input];
  const streams = [...copy, ...(sound ? soundEncoder(sound) : []), ...text.encoder];
  const own =
    encoding.format === 'hls'
      ? hlsContainer(encoding)
      : [...container(encoding), ...(encoding.light ? lightSpace : []), output];
  return [...common, ...inputs, ...streams, ...own];
}

/** `index`: the number of its input. */
function captionTrack({ captionFile, format }: Parameters<typeof joinArguments>[1], index: number) {
  if (captionFile === undefined) return { input: [], encoder: [] };
  const codec = formatTable[format].captions ?? '';
  return { input: ['-i', captionFile], encoder: ['-map', `${index}:s:0`, '-c:s', codec] };
}

/**
 * render/output.ts knows the names. They have no folder: ffmpeg would replace `%d` in its name, and versions differ in how that
 * can be avoided.
 */
function hlsContainer({ codec, fps }: Parameters<typeof joinArguments>[1]): string[] {
  // A new segment begins with the first key frame from its time on, so that the time must not be rounded up.
  const seconds = Math.floor((1e6 * hlsSegmentFrames(fps) * fps.den) / fps.num) / 1e6;
  const files = ['-hls_fmp4_init_filename', 'init.mp4', '-hls_segment_filename', 'segment-%04d.m4s'];
  // The header says where the sound begins. Otherwise ffmpeg would delay the frames.
  const times = ['-avoid_negative_ts', 'disabled', '-hls_time', String(seconds)];
  const list = ['-hls_playlist_type', 'vod', '-hls_list_size', '0', '-hls_flags', 'independent_segments'];
  return [...tagOf(codec), ...times, ...list, '-hls_segment_type', 'fmp4', ...files, '-f', 'hls', hlsPlaylist];
}

/**
 * The index of mp4 and mov files comes first, so that a video plays while it loads. A fragmented mp4 has a part of it in
 * front of each fragment; without the delay, it could not declare that the sound starts before the first frame.
 */
function movieFlags({ format, fragmented, indexLast }: Parameters<typeof joinArguments>[1]): string {
  if (format === 'mp4' && fragmented) return '+frag_keyframe+delay_moov+default_base_moof+write_colr';
  return indexLast ? '+write_colr' : '+faststart+write_colr';
}

/** Apple's players recognize H.265 only by this tag. */
const tagOf = (codec: Encoding['codec']): string[] => (codec === 'h265' ? ['-tag:v', 'hvc1'] : []);

function container(encoding: Parameters<typeof joinArguments>[1]): string[] {
  const { format, codec, fps } = encoding;
  // Otherwise each file has tracks with random ids.
  const webm = ['-fflags', '+bitexact', '-f', 'webm'];
  if (format === 'webm') return [...(codec === 'vp9' ? ['-metadata:s:v:0', 'alpha_mode=1'] : []), ...webm];
  return [...timescale(fps), ...tagOf(codec), '-movflags', movieFlags(encoding), '-f', format];
}

/** Creates one palette for the colors of the whole video. One entry is always reserved for transparency. */
export function paletteArguments(segments: Segments, palette: string): string[] {
  return [...common, ...inputOf(segments), '-vf', 'palettegen', '-c:v', 'png', '-f', 'image2', palette];
}

/** Dithers only where the frame changes, because static areas would flicker. The gif repeats forever. */
export function gifArguments(
  segments: Segments,
  palette: string,
  { fps, frames }: Pick<RenderPlan, 'fps' | 'frames'>,
  output: string,
): string[] {
  const filter = '[0:v][1:v]paletteuse=dither=sierra2_4a:diff_mode=rectangle';
  const hundredths = (frame: number) => Math.round((100 * frame * fps.den) / fps.num);
  // By default the last frame is shown as long as the one before it, and the total length is wrong.
  const last = ['-final_delay', String(hundredths(frames) - hundredths(frames - 1))];
  const inputs = [...inputOf(segments), '-i', palette];
  return [...common, ...inputs, '-filter_complex', filter, '-loop', '0', ...last, '-f', 'gif', output];
}

/**
 * The list for ffmpeg's concat demuxer. It contains the length of each segment, because ffmpeg's own measurement is
 * rounded and the errors would add up. Here the start times are rounded instead of the lengths, for WebM to milliseconds.
 */
export function segmentList(segments: readonly string[], chunks: readonly Chunk[], fps: FrameRate): string {
  const unit = segments[0]?.endsWith('.webm') ? 1000 : 1;
  const micros = (frame: number) => unit * Math.round((frame * fps.den * 1e6) / (fps.num * unit));
  const rows = segments.map((segment, index) => {
    const { start, end } = chunks[index] ?? { start: 0, end: 0 };
    const seconds = ((micros(end) - micros(start)) / 1e6).toFixed(6);
    return `file '${segment.replaceAll("'", "'\\''")}'\nduration ${seconds}\n`;
  });
  return rows.join('');
}

/** A join whose segments still arrive, and whose output is read before it is complete. */
export type StreamedJoin = {
  /** Resolves when the segment with this index is complete. */
  arrival(index: number): Promise<void>;
  /** The size of all segments. */
  bytes: number;
};

export type JoinPlan = Readonly<Pick<RenderPlan, 'fps' | 'frames' | 'width' | 'height' | 'format' | 'codec'>> & {
  chunks: readonly Chunk[];
  /** A WebVTT file that becomes a track. */
  captionFile?: string;
  /** How bright the frames of an HDR video are. */
  light?: LightLevels;
  /** The output cannot be changed later: an mp4 is written in fragments. */
  fragmented?: boolean;
  /** Called when a segment has been joined and deleted. Only of H.264. */
  onJoined?: ((index: number) => Promise<void>) | undefined;
  /** ffmpeg writes the index last. `indexFirst` tells how to move it. */
  streamed?: StreamedJoin;
};

/** The largest timescale that mediabunny represents exactly. Rates such as 29.970123 need a larger one. */
const maxMuxerTimescale = 1_000_000;

/**
 * Joins `segments`, one per chunk, and the sound if there is any, to `output`. `folder` is for temporary files. Segments of H.264 are
 * deleted one by one: an hour of video would not fit twice on the disk of a small machine.
 */
export async function joinSegments(
  program: Ffmpeg,
  segments: string[],
  plan: JoinPlan,
  folder: string,
  output: string,
  signal?: AbortSignal,
  sound?: Sound,
): Promise<void> {
  const ffmpeg = plan.format === 'hls' ? { ...program, cwd: output } : program;
  if (segments.every((segment) => segment.endsWith('.ivf')))
    return joinIvf(ffmpeg, segments, plan, output, signal, sound);
  const { streamed } = plan;
  if (streamed) await Promise.all(segments.map((_, index) => streamed.arrival(index)));
  const list = join(folder, 'segments.txt');
  await writeFile(list, segmentList(segments, plan.chunks, plan.fps));
  if (plan.format !== 'gif') {
    const encoding = { ...plan, indexLast: streamed !== undefined };
    await runFfmpeg(ffmpeg, joinArguments({ list }, encoding, output, sound), signal);
    return complete(output, plan, sound);
  }
  const palette = join(folder, 'palette.png');
  await runFfmpeg(ffmpeg, paletteArguments({ list }, palette), signal);
  await runFfmpeg(ffmpeg, gifArguments({ list }, palette, plan, output), signal);
}

async function joinIvf(
  ffmpeg: Ffmpeg,
  segments: string[],
  plan: JoinPlan,
  output: string,
  signal?: AbortSignal,
  sound?: Sound,
): Promise<void> {
  const [width, height] = [plan.width + (plan.width % 2), plan.height + (plan.height % 2)];
  const { streamed, onJoined, frames, fps } = plan;
  if (plan.format === 'mp4' && !sound && !plan.captionFile && !plan.fragmented && fps.num <= maxMuxerTimescale) {
    const { writeMp4 } = await import('./writeMp4.ts');
    const arriving = streamed && { ...streamed, frames };
    return writeMp4(segments, output, { width, height, fps, deleteSegments: true, arriving, onJoined }, signal);
  }
  const encoding = { ...plan, indexLast: streamed !== undefined };
  const mux = startFfmpeg(ffmpeg, joinArguments({ ivf: true }, encoding, output, sound), signal);
  await mux.write(ivfHeader('H264', width, height, fps));
  for (const [index, segment] of segments.entries()) {
    await streamed?.arrival(index);
    await mux.write(await readFile(segment));
    await rm(segment);
    await onJoined?.(index);
  }
  await mux.finish();
  return complete(output, plan, sound);
}

/**
 * Audio encoders add samples before and after the sound. The header must declare where the sound really ends. The header of
 * a fragmented mp4 contains no lengths, and neither does that of HLS.
 */
async function complete(
  output: string,
  { format, fragmented, light }: JoinPlan,
  sound: Sound | undefined,
): Promise<void> {
  if (format === 'hls') return completeStream(output);
  if (sound && !(fragmented && format === 'mp4'))
    await declareLength(output, sound.format, (await stat(sound.file)).size / frameBytes);
  if (light) await declareLight(output, light);
}

/** ffmpeg succeeds even if it could not write segments. It rounds the longest length, below half a second to 0, which players reject. */
async function completeStream(folder: string): Promise<void> {
  const playlist = join(folder, hlsPlaylist);
  const text = await readFile(playlist, 'utf8');
  const segments = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const files = await readdir(folder);
  const missing = segments.length === 0 ? 'its segments' : segments.find((name) => !files.includes(name));
  if (missing !== undefined) throw new UserError('ffmpeg_failed', `ffmpeg wrote a playlist without ${missing}`);
  await writeFile(playlist, text.replace('#EXT-X-TARGETDURATION:0\n', '#EXT-X-TARGETDURATION:1\n'));
}
