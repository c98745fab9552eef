// Output formats, codecs and qualities, and their valid combinations.
import { UserError } from '../errors.ts';

export const formats = ['mp4', 'webm', 'mov', 'gif', 'hls', 'png'] as const;
export type Format = (typeof formats)[number];

export const codecs = ['h264', 'h265', 'av1', 'vp9', 'prores'] as const;
export type Codec = (typeof codecs)[number];

export const qualities = ['draft', 'standard', 'high'] as const;
export type Quality = (typeof qualities)[number];

/** Where captions are written: into a track of the video, or into a file of one of these kinds. */
export const embedded = 'embed';
export const captionKinds = ['vtt', 'srt'] as const;
export type CaptionKind = (typeof captionKinds)[number];

/** `captions`: the codec of a track of captions, as ffmpeg names it. */
type FormatRow = {
  extension: string;
  codecs: readonly Codec[];
  alpha: boolean;
  captions: 'mov_text' | 'webvtt' | null;
};

/** The first codec is the default. `gif` is its own codec. `hls` and `png` are folders, without an extension. */
export const formatTable: Record<Format, FormatRow> = {
  mp4: { extension: '.mp4', codecs: ['h264', 'h265', 'av1'], alpha: false, captions: 'mov_text' },
  webm: { extension: '.webm', codecs: ['vp9', 'av1'], alpha: true, captions: 'webvtt' },
  mov: { extension: '.mov', codecs: ['prores', 'h264'], alpha: true, captions: 'mov_text' },
  gif: { extension: '.gif', codecs: [], alpha: true, captions: null },
  hls: { extension: '', codecs: ['h264', 'h265'], alpha: false, captions: null },
  png: { extension: '', codecs: [], alpha: true, captions: null },
};

/** What the folder of a format contains; undefined if the output is a file. */
export const folderContent = (format: string): string | undefined => ({ hls: 'an HLS stream', png: 'frames' })[format];

/** Display names. */
export const codecNames: Record<Codec, string> = {
  h264: 'H.264',
  h265: 'H.265',
  av1: 'AV1',
  vp9: 'VP9',
  prores: 'ProRes',
};

/** Maximum pixels per side: the limit of H.264 level 6.2 and of the browser. */
export const maxSide = 16_384;

/** x265 fails on smaller frames. */
const minSides: Partial<Record<Codec, number>> = { h265: 64 };

export const minSide = (codec: Codec | null): number => (codec === null ? 1 : (minSides[codec] ?? 1));

const alphaCodecs: readonly (Codec | null)[] = ['vp9', 'prores', null];

type Video = { format: Format; codec: Codec | null; bitDepth: 8 | 10 };

/** Whether the video keeps transparency. VP9 stores it in a second stream of 8 bits, which has to be like the first. */
export function hasAlpha({ format, codec, bitDepth }: Video): boolean {
  return formatTable[format].alpha && alphaCodecs.includes(codec) && !(codec === 'vp9' && bitDepth === 10);
}

/** A warning if the format can keep transparency but the codec cannot; otherwise undefined. */
export function alphaWarning({ format, codec, bitDepth }: Video): string | undefined {
  if (codec === null || !formatTable[format].alpha || hasAlpha({ format, codec, bitDepth })) return undefined;
  if (alphaCodecs.includes(codec))
    return `${codecNames[codec]} with 10 bits has no alpha channel: transparent areas will be white. Leave out --bit-depth to keep them.`;
  const { codecs: others } = formatTable[format];
  const keeps = others.filter((name) => alphaCodecs.includes(name)).join(' or ');
  // Only HDR has codecs that are not in the table.
  const hint = others.includes(codec) ? `Use --codec ${keeps}` : 'Leave out --hdr';
  return `${codecNames[codec]} has no alpha channel: transparent areas will be white. ${hint} to keep them.`;
}

/**
 * The requested format, otherwise the one of the output's extension, otherwise mp4. Throws UserError `usage` if the
 * extension is unknown, or belongs to another format than the requested one.
 */
export function chooseFormat(format: string | undefined, output: string | undefined): Format {
  const extension = /\.([a-z0-9]+)$/i.exec(output ?? '')?.[1]?.toLowerCase();
  if (format !== undefined) {
    const requested = oneOf('format', format, formats);
    const isOther = formats.some((name) => name === extension && name !== requested);
    if (isOther || extension === 'm3u8') throw contradiction(requested, extension);
    return requested;
  }
  if (extension === undefined) return 'mp4';
  const named = formats.find((name) => formatTable[name].extension === `.${extension}`);
  if (named) return named;
  const extensions = formats.map((name) => formatTable[name].extension).filter((text) => text !== '');
  const message = `unknown output format .${extension}; use ${extensions.join(', ')}, or a folder for HLS and PNG frames`;
  throw new UserError('usage', message, {
    hint: `Or set the format with --format: ${formats.join(', ')}.`,
  });
}

/** The format is not the one of the output's extension. */
export function contradiction(format: string, extension: string | undefined): UserError {
  return new UserError('usage', `--format ${format} contradicts the output's extension .${extension ?? ''}`, {
    hint:
      folderContent(format) !== undefined
        ? `Set --output to a folder for ${folderContent(format)}, without an extension.`
        : `Use an output that ends in .${format}, or leave out --format.`,
  });
}

/** The requested codec, otherwise the default of the format. */
export function chooseCodec(codec: string | undefined, format: Format): Codec | null {
  const allowed = formatTable[format].codecs;
  if (codec === undefined) return allowed[0] ?? null;
  if ((allowed as readonly string[]).includes(codec)) return codec as Codec;
  throw new UserError('usage', `${format} does not support the codec "${codec}"`, {
    hint: allowed.length > 0 ? `For ${format} use ${allowed.join(', ')}.` : `Leave out --codec for ${format}.`,
  });
}

export function chooseQuality(quality: string | undefined): Quality {
  return quality === undefined ? 'standard' : oneOf('quality', quality, qualities);
}

/** Throws UserError `usage`. */
export function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((name) => name === value);
  if (found !== undefined) return found;
  throw new UserError('usage', `unknown ${option} "${value}"`, { hint: `Use ${allowed.join(', ')}.` });
}

/** Rejects formats that cannot be rendered by several machines. Throws UserError `usage` for HDR video and folders. */
export function assertDistributable({ hdr, format }: { hdr?: boolean | string | null; format?: string }): void {
  if (hdr) throw localOnly('HDR video');
  if (format === 'hls') throw localOnly('An HLS stream');
  if (format === 'png') throw localOnly('A folder of frames');
}

function localOnly(what: string): UserError {
  return new UserError('usage', `${what} can only be rendered on one machine`, {
    hint: 'Render it with framework render.',
  });
}
