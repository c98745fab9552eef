// Containers, codecs and qualities: which go together, and what each means.
import { UserError } from '../errors.ts';

export const formats = ['mp4', 'webm', 'mov', 'gif', 'png'] as const;
export type Format = (typeof formats)[number];

export const codecs = ['h264', 'h265', 'av1', 'vp9', 'prores'] as const;
export type Codec = (typeof codecs)[number];

export const qualities = ['draft', 'standard', 'high'] as const;
export type Quality = (typeof qualities)[number];

type FormatRow = { extension: string; codecs: readonly Codec[]; alpha: boolean };

/** The first codec is the default. `gif` is its own codec; `png` is a folder of frames, without an extension. */
export const formatTable: Record<Format, FormatRow> = {
  mp4: { extension: '.mp4', codecs: ['h264', 'h265', 'av1'], alpha: false },
  webm: { extension: '.webm', codecs: ['vp9', 'av1'], alpha: true },
  mov: { extension: '.mov', codecs: ['prores'], alpha: true },
  gif: { extension: '.gif', codecs: [], alpha: true },
  png: { extension: '', codecs: [], alpha: true },
};

/** What people call them. */
export const codecNames: Record<Codec, string> = {
  h264: 'H.264',
  h265: 'H.265',
  av1: 'AV1',
  vp9: 'VP9',
  prores: 'ProRes',
};

/** Pictures up to this many pixels a side: level 6.2 of H.264, and the browser's own limit. */
export const maxSide = 16_384;

/** x265 breaks down on smaller pictures. */
const minSides: Partial<Record<Codec, number>> = { h265: 64 };

export const minSide = (codec: Codec | null): number => (codec === null ? 1 : (minSides[codec] ?? 1));

/** What a video is encoded to. */
export type Encoding = { format: Format; codec: Codec | null; quality: Quality; hdr: boolean };

/** Whether pictures keep what the page leaves open. AV1 has no alpha, whatever it is put into. */
export function hasAlpha({ format, codec }: Pick<Encoding, 'format' | 'codec'>): boolean {
  return formatTable[format].alpha && codec !== 'av1';
}

/** The format asked for, else the one the output's extension names, else mp4. */
export function chooseFormat(format: string | undefined, output: string | undefined): Format {
  if (format !== undefined) return oneOf('format', format, formats);
  const extension = /\.([a-z0-9]+)$/i.exec(output ?? '')?.[1]?.toLowerCase();
  if (extension === undefined) return 'mp4';
  const named = formats.find((name) => formatTable[name].extension === `.${extension}`);
  if (named) return named;
  const extensions = formats.map((name) => formatTable[name].extension).filter((text) => text !== '');
  throw new UserError('usage', `the output's extension .${extension} names no format`, {
    hint: `Use one of ${formats.join(', ')} with --format, or end the output in ${extensions.join(', ')}.`,
  });
}

/** `hdr` asks for H.265 where no codec is named. */
export function chooseCodec(codec: string | undefined, format: Format, hdr = false): Codec | null {
  if (hdr) return chooseHdrCodec(codec, format);
  const allowed = formatTable[format].codecs;
  if (codec === undefined) return allowed[0] ?? null;
  if ((allowed as readonly string[]).includes(codec)) return codec as Codec;
  throw new UserError('usage', `${format} cannot hold the codec "${codec}"`, {
    hint: allowed.length > 0 ? `For ${format} use ${allowed.join(', ')}.` : `${format} takes no --codec.`,
  });
}

function chooseHdrCodec(codec: string | undefined, format: Format): Codec {
  if (format === 'mp4' && (codec === undefined || codec === 'h265')) return 'h265';
  const asked = format === 'mp4' ? `the codec "${codec}"` : format;
  throw new UserError('usage', `HDR is for H.265 in mp4 alone, and ${asked} was asked for`, {
    hint: 'Use --hdr with --format mp4 and --codec h265, or leave out --hdr.',
  });
}

export function chooseQuality(quality: string | undefined): Quality {
  return quality === undefined ? 'standard' : oneOf('quality', quality, qualities);
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((name) => name === value);
  if (found !== undefined) return found;
  throw new UserError('usage', `"${value}" is not a ${option}`, { hint: `Use ${allowed.join(', ')}.` });
}
