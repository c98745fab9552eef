// The formats of frames from a page, and the filters that convert them for encoders: even sizes and exact colors.
import type { FrameRate } from '../model/frameGrid.ts';
import { formatFrameRate } from '../plan/frameRate.ts';
import type { Encoding } from '../plan/renderPlan.ts';
import { pixelFormat } from './codecs.ts';

/**
 * The frames on standard input. Planes already have the colors and the limited range of the video; the others are sRGB, which JPEG
 * stores as BT.601 full range. Alpha is not premultiplied.
 */
export type FrameInput = { pixels: keyof typeof rawFormats | 'png' | 'jpeg'; width: number; height: number };

/** Pixels without a file format, as ffmpeg names them. */
const rawFormats = {
  ...{ i420: 'yuv420p', yuv420p10: 'yuv420p10le', yuva444p10: 'yuva444p10le' },
  ...{ rgba: 'rgba', rgba64: 'rgba64be' },
};

const arePlanes = (pixels: FrameInput['pixels']): boolean =>
  rawFormats[pixels as keyof typeof rawFormats]?.startsWith('yuv');

export function inputArguments(input: FrameInput, rate: FrameRate): string[] {
  const fps = formatFrameRate(rate);
  if (input.pixels === 'png' || input.pixels === 'jpeg') {
    const codec = input.pixels === 'png' ? 'png' : 'mjpeg';
    return ['-f', 'image2pipe', '-c:v', codec, '-framerate', fps, '-i', 'pipe:0'];
  }
  const size = `${input.width}x${input.height}`;
  return ['-f', 'rawvideo', '-pix_fmt', rawFormats[input.pixels], '-s', size, '-framerate', fps, '-i', 'pipe:0'];
}

type Target = Pick<Encoding, 'format' | 'codec' | 'hdr' | 'bitDepth'>;

/** The `-vf` argument that converts `input` for `target`; empty if nothing has to be converted. Delays frames by `shift` frames. */
export function frameFilters(input: FrameInput, target: Target, shift: number): string[] {
  const delay = shift > 0 ? [`setpts=PTS+${shift}`] : [];
  const filters = [...evenSize(input, target), ...colors(input, target), ...delay];
  return filters.length > 0 ? ['-vf', filters.join(',')] : [];
}

/** Repeats the last row and column, as pages do. The filter `fillborders` needs planar pixels. */
function evenSize({ pixels, width, height }: FrameInput, { codec }: Target): string[] {
  if (codec === null || arePlanes(pixels)) return [];
  if (width % 2 === 0 && height % 2 === 0) return [];
  const planes = pixels === 'jpeg' ? [] : ['format=gbrap'];
  const smear = `fillborders=right=${width % 2}:bottom=${height % 2}:mode=smear`;
  return [...planes, 'pad=ceil(iw/2)*2:ceil(ih/2)*2', smear];
}

/** Exact up to rounding. `area` averages the chroma of exactly four pixels. */
const scaling = 'scale=flags=area+accurate_rnd+full_chroma_int+full_chroma_inp';

function colors({ pixels }: FrameInput, target: Target): string[] {
  if (arePlanes(pixels)) return [];
  const format = `format=${pixelFormat(target)}`;
  if (target.codec === null) return [format];
  if (target.hdr) return [...toBt2020Pq, `${scaling}:out_color_matrix=bt2020:out_range=tv`, format];
  const from = pixels === 'jpeg' ? ':in_color_matrix=bt601:in_range=pc' : '';
  const toBt709 = [`${scaling}${from}:out_color_matrix=bt709:out_range=tv`, format];
  return format === 'format=yuva420p' ? withoutAlpha(toBt709) : toBt709;
}

/** Applies `filters` to the colors only: ffmpeg changes alpha by one level when it scales it. Opaque PNGs have no alpha. */
const withoutAlpha = (filters: string[]): string[] => [
  `format=rgba,split[colors][open];[colors]${filters.join(',')}[converted];[open]alphaextract[alpha];[converted][alpha]alphamerge`,
];

/** IEC 61966-2-1, from sRGB to linear light. ffmpeg rounds down, so a half is added. */
const linear = 'if(lte(val/maxval,0.04045),val/maxval/12.92,pow((val/maxval+0.055)/1.055,2.4))*maxval+0.5';

/** SMPTE ST 2084, from linear light to PQ. White is 203 of its 10,000 nits: Rec. ITU-R BT.2408. */
const power = 'pow(val/maxval*0.0203,0.1593017578125)';
const pq = `pow((0.8359375+18.8515625*${power})/(1+18.6875*${power}),78.84375)*maxval+0.5`;

const everyChannel = (curve: string) => `lutrgb=r='${curve}':g='${curve}':b='${curve}'`;

/** From sRGB to BT.2020 with PQ in 16 bits, with filters that every ffmpeg has. The matrix is from Rec. ITU-R BT.2087. */
const toBt2020Pq = [
  'format=rgb48le',
  everyChannel(linear),
  'colorchannelmixer=0.6274:0.3293:0.0433:0:0.0691:0.9195:0.0114:0:0.0164:0.0880:0.8956:0',
  everyChannel(pq),
];
