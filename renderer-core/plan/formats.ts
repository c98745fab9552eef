// Containers, codecs and qualities: which go together, and what each means.
import { UserError } from '../errors.ts';

export const formats = ['mp4', 'png'] as const;
export type Format = (typeof formats)[number];

export const codecs = ['h264'] as const;
export type Codec = (typeof codecs)[number];

export const qualities = ['draft', 'standard', 'high'] as const;
export type Quality = (typeof qualities)[number];

type FormatRow = { extension: string; codecs: readonly Codec[]; alpha: boolean };

/** `png` is a folder of frames: it has no codec and no extension. */
export const formatTable: Record<Format, FormatRow> = {
  mp4: { extension: '.mp4', codecs: ['h264'], alpha: false },
  png: { extension: '', codecs: [], alpha: true },
};

/** H.264 holds pictures up to this many pixels a side (level 6.2). */
export const maxSide = 16_384;

/** The format asked for, else the one the output's extension names, else mp4. */
export function chooseFormat(format: string | undefined, output: string | undefined): Format {
  if (format !== undefined) return oneOf('format', format, formats);
  const extension = /\.([a-z0-9]+)$/i.exec(output ?? '')?.[1]?.toLowerCase();
  if (extension === undefined) return 'mp4';
  const named = formats.find((name) => formatTable[name].extension === `.${extension}`);
  if (named) return named;
  throw new UserError('usage', `the output's extension .${extension} names no format`, {
    hint: `Use one of ${formats.join(', ')} with --format, or end the output in .mp4.`,
  });
}

export function chooseCodec(codec: string | undefined, format: Format): Codec | null {
  const allowed = formatTable[format].codecs;
  if (codec === undefined) return allowed[0] ?? null;
  if ((allowed as readonly string[]).includes(codec)) return codec as Codec;
  throw new UserError('usage', `${format} cannot hold the codec "${codec}"`, {
    hint: allowed.length > 0 ? `For ${format} use ${allowed.join(', ')}.` : `${format} takes no --codec.`,
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
