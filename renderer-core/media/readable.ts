// Converts videos that the browser cannot decode (HEVC, ProRes, unusual containers) to a format that it can.
import { type Ffmpeg, mediaInput, runFfmpeg } from './ffmpeg.ts';
import type { VideoFacts } from './probeMedia.ts';

/**
 * The properties that the conversion depends on: alpha is kept, RGB is converted with the matrix that is declared. `isHdr`: HDR is mapped
 * to sRGB. `keepsLight`: it stays HDR if `canKeepLight`.
 */
type Properties = Pick<VideoFacts, 'hasAlpha' | 'isHdr' | 'isRgb'> & { keepsLight?: boolean };

/** Browsers read alpha only with 8 bits, and RGB would have to be converted with another matrix. */
export const canKeepLight = ({ hasAlpha, isRgb }: Pick<Properties, 'hasAlpha' | 'isRgb'>): boolean =>
  !hasAlpha && !isRgb;

/** The container that `readableArguments` writes. Browsers read alpha only from VP9 in WebM. */
export const readableExtension = ({ hasAlpha }: Properties): 'webm' | 'mp4' => (hasAlpha ? 'webm' : 'mp4');

/** Maps HLG and PQ to BT.709: to linear light (white is 203 cd/m2, BT.2408), compress highlights, encode. */
const toneMapping =
  'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=mobius:desat=0,zscale=t=bt709:m=bt709:r=tv,';

const bt709 = '-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv';

/**
 * Converts the video stream only, with its own frame times and nearly lossless. There is a key frame every second,
 * because a page may start to read in the middle.
 */
export function readableArguments(
  input: string,
  output: string,
  { hasAlpha, isHdr, isRgb, keepsLight }: Properties,
): string[] {
  const isMapped = isHdr && !(keepsLight && canKeepLight({ hasAlpha, isRgb }));
  const pixels = isHdr && !isMapped ? 'yuv420p10le' : 'yuv420p';
  const x264 = `-c:v libx264 -preset ultrafast -crf 6 -pix_fmt ${pixels} -video_track_timescale 90000 -f mp4`;
  const vp9 = '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -crf 8 -b:v 0 -auto-alt-ref 0 -pix_fmt yuva420p -f webm';
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', ...mediaInput(input), '-map', '0:v:0'],
    ...[
      '-vf',
      `${isMapped ? toneMapping : ''}scale=trunc(iw/2)*2:trunc(ih/2)*2${isRgb ? ':out_color_matrix=bt709:out_range=tv' : ''}`,
      '-g',
      '30',
      '-vsync',
      'vfr',
    ],
    ...(isMapped || isRgb ? bt709.split(' ') : []),
    ...(hasAlpha ? vp9 : x264).split(' '),
    output,
  ];
}

/** HDR stays as it is if ffmpeg does not have the filters or the file does not specify its colors. */
export async function makeReadable(
  ffmpeg: Ffmpeg,
  input: string,
  output: string,
  properties: Properties,
  signal: AbortSignal,
): Promise<void> {
  try {
    await runFfmpeg(ffmpeg, readableArguments(input, output, properties), signal);
  } catch (error) {
    const isKept = properties.keepsLight && canKeepLight(properties);
    if (!properties.isHdr || isKept || signal.aborted) throw error;
    await runFfmpeg(ffmpeg, readableArguments(input, output, { ...properties, isHdr: false }), signal);
  }
}
