// The encoders of each codec, their settings for each quality, and the color tags of their streams.
import { type Codec, codecNames, hasAlpha, type Quality } from '../plan/formats.ts';
import type { Encoding } from '../plan/renderPlan.ts';

/** ffmpeg's encoder names. `ffv1` is lossless: segments of a gif use it until all colors of the video are known. */
export type Encoder = 'libx264' | 'libx265' | 'libsvtav1' | 'libaom-av1' | 'libvpx-vp9' | 'prores_ks' | 'ffv1' | 'png';

/** Best first: SVT-AV1 is many times faster than libaom. */
const encoders: Record<Codec, readonly Encoder[]> = {
  h264: ['libx264'],
  h265: ['libx265'],
  av1: ['libsvtav1', 'libaom-av1'],
  vp9: ['libvpx-vp9'],
  prores: ['prores_ks'],
};

/** SVT-AV1 rejects videos with a shorter side than this, in pixels. */
const svtMinSide = 64;

/** The encoders that support `codec` at this size, best first. */
export function encodersFor(codec: Codec, width: number, height: number): readonly Encoder[] {
  if (Math.min(width, height) >= svtMinSide) return encoders[codec];
  return encoders[codec].filter((name) => name !== 'libsvtav1');
}

/** For messages: `AV1 encoder (libsvtav1 or libaom-av1)`. */
export function encoderTitle(codec: Codec, names: readonly Encoder[]): string {
  return `${codecNames[codec]} encoder (${names.join(' or ')})`;
}

/** Without these settings, the colors of flat areas differ by up to ten levels. */
const flatColors = 'aq-mode=1:chroma-qp-offset=-4';

/**
 * x264's settings for each quality; docs/internals/benchmarks.md has the measurements. Macroblock trees with a short lookahead halve
 * the file size of a fast preset at a third of the cost of the next slower preset. The number of threads is fixed,
 * because x264's output depends on it; renders scale by workers. `skipsRepeats`: the stream has no B frames, so that
 * repeated frames can be inserted without the encoder (repeatedFrames.ts).
 */
export const h264Settings: Record<Quality, { preset: string; crf: number; params: string; skipsRepeats: boolean }> = {
  draft: {
    preset: 'ultrafast',
    crf: 24,
    params: `rc-lookahead=5:mbtree=1:cabac=1:${flatColors}:threads=1`,
    skipsRepeats: true,
  },
  standard: {
    preset: 'ultrafast',
    crf: 20,
    params: `rc-lookahead=10:mbtree=1:cabac=1:subme=1:partitions=i4x4,i8x8:8x8dct=1:no-deblock=0:${flatColors}:threads=1`,
    skipsRepeats: true,
  },
  high: { preset: 'medium', crf: 14, params: 'threads=4', skipsRepeats: false },
};

/** By default, x264 may miss the bits of a few seconds by a sixth. */
const exactBitrate = ':ratetol=0.1';

const x264 = ({ quality, bitrate }: Encoding): string[] => {
  const { preset, params } = h264Settings[quality];
  return ['-preset', preset, '-x264-params', `${params}${bitrate === undefined ? '' : exactBitrate}`];
};

/** One thread per stream, as with x264: frame threads change x265's output. */
const x265Threads = 'pools=none:frame-threads=1';

const x265 = (preset: string): string[] => [
  ...['-preset', preset],
  ...['-x265-params', `log-level=error:open-gop=0:aq-mode=1:cbqpoffs=-4:crqpoffs=-4:${x265Threads}`],
];

const words = (text: string): string[] => text.split(' ');

/**
 * The settings of all other encoders. Speeds are chosen for two small cores. The number of threads is fixed where it changes
 * the stream.
 */
const settings: Record<Exclude<Encoder, 'libx264' | 'png'>, Record<Quality, string[]>> = {
  libx265: { draft: x265('ultrafast'), standard: x265('superfast'), high: x265('medium') },
  libsvtav1: { draft: words('-preset 12'), standard: words('-preset 10'), high: words('-preset 7') },
  // ffmpeg marks versions before libaom 2 as experimental.
  'libaom-av1': {
    draft: words('-strict experimental -cpu-used 8 -threads 2'),
    standard: words('-strict experimental -cpu-used 6 -threads 2'),
    high: words('-strict experimental -cpu-used 4 -threads 2'),
  },
  // Alpha is a second stream, which cannot contain frames that are not shown (alternate reference frames).
  'libvpx-vp9': {
    draft: words('-deadline realtime -cpu-used 8 -auto-alt-ref 0 -threads 2'),
    standard: words('-deadline good -cpu-used 5 -auto-alt-ref 0 -threads 2'),
    high: words('-deadline good -cpu-used 2 -auto-alt-ref 0 -threads 2'),
  },
  prores_ks: {
    draft: words('-profile:v 4444 -vendor apl0 -alpha_bits 16 -qscale:v 13'),
    standard: words('-profile:v 4444 -vendor apl0 -alpha_bits 16 -qscale:v 8'),
    high: words('-profile:v 4444 -vendor apl0 -alpha_bits 16 -qscale:v 3'),
  },
  ffv1: { draft: [], standard: [], high: [] },
};

/** The rate factors of one quality look alike. The other encoders have none. */
const rateFactors: Partial<Record<Encoder, Record<Quality, number>>> = {
  libx264: { draft: h264Settings.draft.crf, standard: h264Settings.standard.crf, high: h264Settings.high.crf },
  libx265: { draft: 24, standard: 20, high: 15 },
  libsvtav1: { draft: 34, standard: 26, high: 16 },
  'libaom-av1': { draft: 34, standard: 26, high: 16 },
  'libvpx-vp9': { draft: 32, standard: 22, high: 8 },
};

function rateArguments(encoder: Encoder, { quality, crf, bitrate }: Encoding): string[] {
  const factors = rateFactors[encoder];
  if (!factors) return [];
  if (bitrate === undefined) {
    // Otherwise these encoders have a default bitrate, which the rate factor would not exceed.
    const unlimited = encoder === 'libaom-av1' || encoder === 'libvpx-vp9' ? words('-b:v 0') : [];
    return ['-crf', String(crf ?? factors[quality]), ...unlimited];
  }
  // SVT-AV1 accepts no maximum here, and with more threads, each run would write another stream.
  if (encoder === 'libsvtav1') return words(`-b:v ${bitrate} -svtav1-params lp=1`);
  return words(`-b:v ${bitrate} -maxrate ${1.5 * bitrate} -bufsize ${2 * bitrate}`);
}

/** ffmpeg arguments: the encoder, its settings and its pixel format. */
export function encoderArguments(encoder: Exclude<Encoder, 'png'>, encoding: Encoding): string[] {
  const own = encoder === 'libx264' ? x264(encoding) : settings[encoder][encoding.quality];
  return ['-c:v', encoder, ...own, ...rateArguments(encoder, encoding), '-pix_fmt', pixelFormat(encoding)];
}

export type PixelFormat = 'yuv420p' | 'yuv420p10le' | 'yuva420p' | 'yuva444p10le' | 'bgra';

export function pixelFormat(encoding: Pick<Encoding, 'format' | 'codec' | 'bitDepth'>): PixelFormat {
  if (encoding.codec === null) return 'bgra';
  if (encoding.codec === 'prores') return 'yuva444p10le';
  if (encoding.bitDepth === 10) return 'yuv420p10le';
  return hasAlpha(encoding) ? 'yuva420p' : 'yuv420p';
}

const tags = (primaries: string, transfer: string, matrix: string): string[] => [
  ...['-color_primaries', primaries, '-color_trc', transfer, '-colorspace', matrix, '-color_range', 'tv'],
];

/** Color tags for the stream and the container. Without them, players guess from the size of the video. */
export function colorTags({ codec, hdr }: Pick<Encoding, 'codec' | 'hdr'>): string[] {
  if (codec === null) return [];
  if (hdr === null) return tags('bt709', 'bt709', 'bt709');
  return tags('bt2020', hdr === 'pq' ? 'smpte2084' : 'arib-std-b67', 'bt2020nc');
}
