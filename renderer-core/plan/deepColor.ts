// More than 8 bits a color: HDR, and SDR in 10 bits.
import { UserError } from '../errors.ts';
import { type Codec, codecNames, type Format, oneOf } from './formats.ts';

/** How the light of an HDR video is coded: PQ (SMPTE ST 2084) or HLG (ARIB STD-B67), both in Rec. ITU-R BT.2100. */
export const hdrCurves = ['pq', 'hlg'] as const;
export type HdrCurve = (typeof hdrCurves)[number];

/** The codecs of HDR videos. The first is the default. */
const hdrCodecs: Partial<Record<Format, readonly Codec[]>> = { mp4: ['h265', 'av1'], mov: ['h265'] };

/** Codecs that can have 10 bits. ProRes always has. */
const deepCodecs: readonly (Codec | null)[] = ['h265', 'av1', 'vp9', 'prores'];

/** Null for SDR. `true` stands for PQ. Throws UserError `usage`. */
export function chooseHdr(hdr: boolean | string | undefined): HdrCurve | null {
  if (hdr === undefined || hdr === false) return null;
  return hdr === true ? 'pq' : oneOf('hdr', hdr, hdrCurves);
}

/** Throws UserError `usage` if the format or the codec cannot be HDR. */
export function chooseHdrCodec(codec: string | undefined, format: Format): Codec {
  const allowed = hdrCodecs[format];
  const chosen = allowed?.find((name) => name === (codec ?? allowed[0]));
  if (chosen) return chosen;
  const asked = allowed ? `the codec "${codec ?? ''}" in ${format}` : format;
  throw new UserError('usage', `HDR requires H.265 or AV1 in mp4, or H.265 in mov (got ${asked})`, {
    hint: 'Use --hdr with --format mp4 and --codec h265, or leave out --hdr.',
  });
}

type Deep = { bitDepth: 8 | 10 };

/** The bits of each color. Throws UserError `usage` if the codec cannot have the requested ones. */
export function chooseBitDepth(
  bitDepth: number | undefined,
  { format, codec, hdr }: { format: Format; codec: Codec | null; hdr: HdrCurve | null },
): Deep['bitDepth'] {
  const isAlwaysDeep = hdr !== null || codec === 'prores';
  if (bitDepth === undefined) return isAlwaysDeep ? 10 : 8;
  if (bitDepth !== 8 && bitDepth !== 10)
    throw new UserError('usage', `the bit depth must be 8 or 10 (got ${bitDepth})`, {
      hint: 'Set it with --bit-depth 10 for gradients without bands, or leave it out.',
    });
  const holder = hdr ? 'HDR video' : codec === null ? format : codecNames[codec];
  if (bitDepth === 8 && isAlwaysDeep)
    throw new UserError('usage', `${holder} always has 10 bits`, { hint: 'Leave out --bit-depth.' });
  if (bitDepth === 10 && !deepCodecs.includes(codec))
    throw new UserError('usage', `${holder} cannot have 10 bits`, {
      hint: `Use --bit-depth 10 with --codec ${deepCodecs.join(', ')}, or leave it out.`,
    });
  return bitDepth;
}
