// Footage that the browser cannot decode (HEVC, ProRes, odd containers), converted once to what it can.
import { mediaInput, runFfmpeg } from './ffmpeg.ts';
import type { VideoFacts } from './probe.ts';

/** What the pictures need on their way: alpha, or the light of HDR brought into the range of sRGB. */
type Needs = Pick<VideoFacts, 'hasAlpha' | 'isHdr'>;

/** The container that `readableArguments` makes: only VP9 in WebM has alpha that browsers read. */
export const readableExtension = ({ hasAlpha }: Needs): 'webm' | 'mp4' => (hasAlpha ? 'webm' : 'mp4');

/** HLG and PQ to what a screen of today shows: light made linear (203 cd/m2 is white, BT.2408), highlights compressed, coded again. */
const toneMapping =
  'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=mobius:desat=0,zscale=t=bt709:m=bt709:r=tv,';

const bt709 = '-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv';

/**
 * Pictures alone, at their own times, nearly without loss; a key frame every second, because a page may begin to read
 * in the middle.
 */
export function readableArguments(input: string, output: string, { hasAlpha, isHdr }: Needs): string[] {
  const x264 = '-c:v libx264 -preset ultrafast -crf 6 -pix_fmt yuv420p -video_track_timescale 90000 -f mp4';
  const vp9 = '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -crf 8 -b:v 0 -auto-alt-ref 0 -pix_fmt yuva420p -f webm';
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', ...mediaInput(input), '-map', '0:v:0'],
    ...['-vf', `${isHdr ? toneMapping : ''}scale=trunc(iw/2)*2:trunc(ih/2)*2`, '-g', '30', '-vsync', 'vfr'],
    ...(isHdr ? bt709.split(' ') : []),
    ...(hasAlpha ? vp9 : x264).split(' '),
    output,
  ];
}

/** Converts. The light of HDR is left to the browser where ffmpeg lacks the filters, or the file does not name its colours. */
export async function makeReadable(
  ffmpeg: string,
  input: string,
  output: string,
  needs: Needs,
  signal: AbortSignal,
): Promise<void> {
  try {
    await runFfmpeg(ffmpeg, readableArguments(input, output, needs), signal);
  } catch (error) {
    if (!needs.isHdr || signal.aborted) throw error;
    await runFfmpeg(ffmpeg, readableArguments(input, output, { ...needs, isHdr: false }), signal);
  }
}
