// The options of a render. They are checked once, before any file is read.
import { UserError } from '../errors.ts';
import { loudnessRange } from '../model/attributes.ts';
import type { FrameRate } from '../model/frameGrid.ts';
import { isLocale, isTimezone, localeText, timezoneText } from '../model/locale.ts';
import { given } from '../model/variables/given.ts';
import { checkCaptions } from './captionOutput.ts';
import { chooseBitDepth, chooseHdr, chooseHdrCodec } from './deepColor.ts';
import { chooseCodec, chooseFormat, chooseQuality, type Format } from './formats.ts';
import { formatFrameRate, parseFrameRate } from './frameRate.ts';
import { chooseRate, type RateOptions } from './rateControl.ts';
import type { Encoding } from './renderPlan.ts';
import { checkSizeOptions, type SizeOptions } from './resolution.ts';
import { checkRange, type RangeOptions } from './timeRange.ts';

export type LocaleOptions = { timezone?: string; locale?: string };

export type PlanOptions = SizeOptions &
  RangeOptions &
  RateOptions &
  LocaleOptions & {
    output?: string;
    fps?: string;
    format?: string;
    codec?: string;
    quality?: string;
    /** `true` stands for `pq`. */
    hdr?: boolean | string;
    bitDepth?: number;
    systemFonts?: boolean;
    workers?: number;
    loudness?: number;
    captions?: string;
  };

/** Options that are valid for some composition, with defaults. */
export type CheckedOptions = Encoding &
  LocaleOptions & {
    /** Absent: the composition's own, or the default. */
    fps?: FrameRate;
    size: SizeOptions;
    range: RangeOptions;
    systemFonts: boolean;
    output?: string;
    /** In LUFS. */
    loudness?: number;
    /** See `checkCaptions`. */
    captions?: string;
  };

/** Throws UserError `usage`. */
export function checkOptions(options: PlanOptions): CheckedOptions {
  const { systemFonts = false, output, timezone, locale, loudness, captions, from, to } = options;
  const { resolution, width, height, aspectRatio, fit, background } = options;
  checkSizeOptions(options);
  checkLocale(options);
  checkRange(options);
  checkWorkers(options);
  checkLoudness(options);
  const format = chooseFormat(options.format, output);
  const hdr = chooseHdr(options.hdr);
  const codec = hdr ? chooseHdrCodec(options.codec, format) : chooseCodec(options.codec, format);
  const bitDepth = chooseBitDepth(options.bitDepth, { format, codec, hdr });
  const quality = chooseQuality(options.quality);
  if (captions !== undefined) checkCaptions(captions, format, output);
  const rate = chooseRate(options, format, codec);
  const fps = options.fps === undefined ? undefined : checkRate(parseFrameRate(options.fps), format);
  return {
    ...{ format, codec, quality, hdr, bitDepth, systemFonts, ...rate },
    size: given({ resolution, width, height, aspectRatio, fit, background }),
    range: given({ from, to }),
    ...given({ fps, output, timezone, locale, loudness, captions }),
  };
}

export function checkLocale({ timezone, locale }: LocaleOptions): void {
  const invalid = (option: string, wanted: string, value: string) =>
    new UserError('usage', `${option} must be ${wanted} (got "${value}")`);
  if (timezone !== undefined && !isTimezone(timezone)) throw invalid('--timezone', timezoneText, timezone);
  if (locale !== undefined && !isLocale(locale)) throw invalid('--locale', localeText, locale);
}

function checkWorkers({ workers }: PlanOptions): void {
  if (workers === undefined || (Number.isInteger(workers) && workers >= 1)) return;
  throw new UserError('usage', `workers must be a whole number from 1 (got ${workers})`, {
    hint: 'Set the number of pages that capture at the same time with --workers.',
  });
}

function checkLoudness({ loudness }: PlanOptions): void {
  const { min, max } = loudnessRange;
  if (loudness === undefined || (loudness >= min && loudness <= max)) return;
  throw new UserError(
    'usage',
    `loudness must be a number of LUFS from ${min} to ${max} (got ${Number.isNaN(loudness) ? 'no number' : loudness})`,
    {
      hint: 'Platforms play at about -14: --loudness=-14.',
    },
  );
}

/** GIF delays are hundredths of a second, and browsers show frames with a delay below two for ten. */
const gifMaxRate = 50;

/** Throws UserError `usage` if the format cannot have the frame rate. */
export function checkRate(rate: FrameRate, format: Format): FrameRate {
  if (format !== 'gif' || rate.num <= gifMaxRate * rate.den) return rate;
  throw new UserError('usage', `gif supports at most ${gifMaxRate} frames per second (got ${formatFrameRate(rate)})`, {
    hint: 'Render it with --fps 25 or --fps 50, or choose another format.',
  });
}
