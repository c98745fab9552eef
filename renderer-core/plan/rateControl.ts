// How many bits a video has, if its quality does not decide: a rate factor, or a number of bits per second.
import { UserError } from '../errors.ts';
import { given } from '../model/variables/given.ts';
import { type Codec, codecNames, type Format } from './formats.ts';
import type { RenderPlan } from './renderPlan.ts';

/** `bitrate`: `8M` or `4500k`. */
export type RateOptions = { crf?: number; bitrate?: string };

/** The largest rate factor of the codecs that have one. ProRes, gif and png have neither. 0 would be lossless, which few players show. */
const maxCrf: Partial<Record<Codec, number>> = { h264: 51, h265: 51, av1: 63, vp9: 63 };

/** Empty if the quality decides. Throws UserError `usage`. */
export function chooseRate(
  { crf, bitrate }: RateOptions,
  format: Format,
  codec: Codec | null,
): Pick<RenderPlan, 'crf' | 'bitrate'> {
  if (crf === undefined && bitrate === undefined) return {};
  if (crf !== undefined && bitrate !== undefined)
    throw new UserError('usage', '--crf and --bitrate cannot be used together', {
      hint: 'Give --crf for a constant quality, or --bitrate for a file of a known size.',
    });
  const max = codec === null ? undefined : maxCrf[codec];
  if (max === undefined || codec === null) {
    const option = crf === undefined ? '--bitrate' : '--crf';
    const holder = codec === null ? format : codecNames[codec];
    throw new UserError('usage', `${option} cannot be used with ${holder}`, {
      hint: `Leave out ${option} and choose a --quality, or choose a --codec that has a rate: ${Object.keys(maxCrf).join(', ')}.`,
    });
  }
  if (crf !== undefined) checkCrf(crf, max, codec);
  return given({ crf, bitrate: bitrate === undefined ? undefined : parseBitrate(bitrate) });
}

function checkCrf(crf: number, max: number, codec: Codec): void {
  if (Number.isInteger(crf) && crf >= 1 && crf <= max) return;
  throw new UserError('usage', `crf must be a whole number from 1 to ${max} for ${codecNames[codec]} (got ${crf})`, {
    hint: 'Smaller numbers look better and make larger files.',
  });
}

const units: Record<string, number> = { k: 1e3, m: 1e6 };
const [minBitrate, maxBitrate] = [10e3, 1000e6];

/** Bits per second. Throws UserError `usage`. */
function parseBitrate(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([kM])$/i.exec(text.trim()) ?? [];
  const bits = Math.round(Number(number) * (units[unit.toLowerCase()] ?? Number.NaN));
  if (bits >= minBitrate && bits <= maxBitrate) return bits;
  throw new UserError('usage', `bitrate must be a rate such as 8M or 4500k, from 10k to 1000M (got "${text}")`, {
    hint: 'M stands for a million bits per second, and k for a thousand.',
  });
}
