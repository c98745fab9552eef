// Creates the plan of a render from the composition and its checked options.
import { UserError } from '../errors.ts';
import { attr } from '../model/attributes.ts';
import type { Composition } from '../model/composition.ts';
import type { CompositionSize } from '../model/compositionSize.ts';
import type { Size } from '../model/declaredSizes.ts';
import { type FrameRate, frameTime } from '../model/frameGrid.ts';
import { defaultLocale, defaultTimezone, isLocale, isTimezone, localeText, timezoneText } from '../model/locale.ts';
import { given } from '../model/variables/given.ts';
import { captionOutput } from './captionOutput.ts';
import { splitEvery, splitFrames } from './chunks.ts';
import { alphaWarning, codecNames, formatTable, hasAlpha, maxSide, minSide } from './formats.ts';
import { defaultFrameRate, formatFrameRate, frameCount, parseFrameRate } from './frameRate.ts';
import { hlsSegmentFrames } from './hls.ts';
import { type CheckedOptions, checkRate, type LocaleOptions } from './options.ts';
import type { RenderPlan } from './renderPlan.ts';
import { videoSize } from './resolution.ts';
import { type FrameRange, rangeFrames, readRange } from './timeRange.ts';

/** The values that the plan takes from the entry composition; null if not set. */
export type CompositionFacts = {
  width: number | null;
  height: number | null;
  /** The sizes that it declares. */
  sizes: readonly Size[];
  duration: number | null;
  fps: string | null;
  timezone: string | null;
  locale: string | null;
  loudness: number | null;
};

/** `size`: see `entrySize`. */
export function factsOf(
  { sizes, duration, fps, timezone, locale, loudness }: Composition,
  size: CompositionSize,
): CompositionFacts {
  return {
    ...size,
    sizes,
    duration: duration?.value ?? null,
    fps: fps?.raw ?? null,
    timezone: timezone?.text ?? null,
    locale: locale?.text ?? null,
    loudness: loudness?.value ?? null,
  };
}

/** A plan without frames and chunks. `duration` is that of the composition, or null if only the page determines it. */
export type PlanDraft = Omit<RenderPlan, 'duration' | 'frames' | 'firstFrame' | 'chunks'> & {
  duration: number | null;
  range?: FrameRange;
};

/** 1 January 2025, 00:00 UTC. Fixed, so that every render sees the same date. */
export const epochMs = Date.UTC(2025, 0, 1);
export const seed = 0x5eed;

/**
 * Local renders use this chunk size for any number of workers, so that chunk boundaries never change the frames. It is the
 * default of distributed renders in the contract.
 */
const localChunkFrames = 240;

/** What is rendered: `composition` is its path in the project. */
export type PlanSubject = { composition: string; variables?: Record<string, unknown> | undefined };

/** Plans everything except the duration. Throws UserError `usage` or `composition_invalid`. */
export function draftPlan(
  facts: CompositionFacts,
  options: CheckedOptions,
  { composition, variables = {} }: PlanSubject,
): PlanDraft {
  const { format, codec, quality, crf, bitrate, hdr, bitDepth, systemFonts } = options;
  const size = checkSize(facts, options, composition);
  if (facts.duration !== null) checkDuration(facts.duration, composition);
  const rate = options.fps ?? checkRate(ownRate(facts, composition), format);
  const range = readRange(options.range, rate);
  if (range && facts.duration !== null) rangeFrames(range, frameCount(facts.duration, rate), rate);
  const output = options.output ?? defaultOutput('renders', composition, formatTable[format].extension);
  const { captions } = options;
  return {
    version: 1,
    composition,
    variables,
    ...size,
    fps: rate,
    duration: facts.duration,
    ...{ format, codec, quality, hdr, bitDepth, systemFonts },
    ...given({ crf, bitrate }),
    ...chooseLocale(facts, options, composition),
    ...given({ loudness: options.loudness ?? facts.loudness ?? undefined }),
    ...(captions === undefined ? {} : { captions: { output: captionOutput(captions, output, format), cues: [] } }),
    seed,
    epochMs,
    output,
    ...(range ? { range } : {}),
  };
}

function chooseLocale(facts: CompositionFacts, options: LocaleOptions, file: string): Required<LocaleOptions> {
  const timezone = options.timezone ?? facts.timezone ?? defaultTimezone;
  const locale = options.locale ?? facts.locale ?? defaultLocale;
  const invalid = (name: string, wanted: string, value: string) =>
    new UserError('composition_invalid', `${name} must be ${wanted} (got "${value}")`, {
      place: { file },
    });
  if (!isTimezone(timezone)) throw invalid(attr.timezone, timezoneText, timezone);
  if (!isLocale(locale)) throw invalid(attr.locale, localeText, locale);
  return { timezone, locale };
}

/** The number of the first frame in the composition. */
export const firstFrameOf = (draft: PlanDraft | RenderPlan): number =>
  ('frames' in draft ? draft.firstFrame : draft.range?.first) ?? 0;

/**
 * Adds the duration, unless the plan is complete: `natural` seconds if the root declares none. `endless`: a part of a timeline that never ends. Throws UserError
 * `no_duration`.
 */
export function completePlan(
  given: PlanDraft | RenderPlan,
  natural: number | null = null,
  chunkFrames: number = localChunkFrames,
  endless: string | null = null,
): RenderPlan {
  if ('frames' in given) return given;
  const { range, ...draft } = given;
  const duration = draft.duration ?? natural;
  if (duration === null || !(duration > 0)) {
    throw new UserError(
      'no_duration',
      endless === null
        ? 'The composition has no duration: its root element declares none, and no timeline or clip ends'
        : `The composition has no duration: its root element declares none, and ${endless} repeats without end`,
      {
        hint: 'Add data-duration="<seconds>" to the root composition element.',
        place: { file: draft.composition },
      },
    );
  }
  checkDuration(duration, draft.composition);
  const total = frameCount(duration, draft.fps);
  const frames = range ? rangeFrames(range, total, draft.fps) : total;
  const chunks =
    draft.format === 'hls'
      ? splitEvery(frames, hlsSegmentFrames(draft.fps))
      : splitFrames(frames, Math.ceil(frames / chunkFrames));
  if (!range) return { ...draft, duration, frames, chunks };
  return { ...draft, duration: frameTime(frames, draft.fps), frames, firstFrame: range.first, chunks };
}

/** Longer videos are mistakes, such as milliseconds. */
const maxHours = 24;

function checkDuration(seconds: number, file: string): void {
  if (seconds <= maxHours * 3600) return;
  throw new UserError(
    'timing_invalid',
    `The video would be ${seconds} s long, but at most ${maxHours} hours are possible`,
    {
      hint: 'Times are in seconds. Make data-duration, the timeline or the clips shorter.',
      place: { file },
    },
  );
}

/** `renders/<composition>.<ext>`, or a folder of that name for frames. */
export function defaultOutput(folder: string, composition: string, extension: string): string {
  const name = composition.replace(/^.*\//, '').replace(/\.html?$/i, '') || 'composition';
  return `${folder}/${name}${extension}`;
}

function ownRate(facts: CompositionFacts, file: string): FrameRate {
  if (facts.fps === null) return defaultFrameRate;
  try {
    return parseFrameRate(facts.fps, attr.fps);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError('composition_invalid', error.message, {
      place: { file },
      ...(error.hint ? { hint: error.hint } : {}),
    });
  }
}

/** Warnings about results that may be unexpected. */
export function planWarnings({ fps, ...video }: Pick<RenderPlan, 'format' | 'codec' | 'bitDepth' | 'fps'>): string[] {
  const alpha = alphaWarning(video);
  if (alpha !== undefined) return [alpha];
  if (video.format !== 'gif' || (100 * fps.den) % fps.num === 0) return [];
  const rate = formatFrameRate(fps);
  return [
    `GIF measures time in hundredths of a second, so at ${rate} frames per second some frames are shown longer than others. Use --fps 10, 20, 25 or 50 for even timing.`,
  ];
}

function checkSize(
  facts: CompositionFacts,
  options: CheckedOptions,
  file: string,
): Pick<RenderPlan, 'width' | 'height' | 'page'> {
  const own = knownSize(facts, file);
  for (const one of [own, ...facts.sizes]) checkPageSize(one, file);
  const { format, codec } = options;
  const size = videoSize(own, options.size, facts.sizes);
  const { background } = size.page.placement ?? {};
  if (background === 'transparent' && !hasAlpha(options)) {
    throw new UserError(
      'usage',
      `The background of ${codec === null ? format : codecNames[codec]} cannot be transparent`,
      {
        hint: 'Use a color, or a format with alpha: webm, mov, gif or png.',
      },
    );
  }
  checkSides(size, own, options, file);
  return size;
}

/** Throws UserError `composition_invalid` if a side is not known. */
export function knownSize({ width, height }: CompositionSize, file: string): Size {
  if (width !== null && height !== null) return { width, height };
  const missing = width === null ? (height === null ? 'width and height' : 'width') : 'height';
  throw new UserError('composition_invalid', `The composition has no ${missing}`, {
    hint: 'Add data-width and data-height, in pixels, to the root composition element.',
    place: { file },
  });
}

/** Browsers do not lay out larger pages reliably. */
const maxPageSide = 65_536;

function checkPageSize({ width, height }: Size, file: string): void {
  if (Math.max(width, height) <= maxPageSide) return;
  throw new UserError('composition_invalid', `The composition is ${width}x${height} pixels, which is too large`, {
    hint: `Make its sides smaller: at most ${maxPageSide} pixels.`,
    place: { file },
  });
}

function checkSides({ width, height }: Size, own: Size, { format, codec, size }: CheckedOptions, file: string): void {
  const holder = codec === null ? format : codecNames[codec];
  const isAsked = Object.keys(size).length > 0;
  // If no video can hold the composition itself, the options are not the cause.
  const isUsage = isAsked && Math.max(own.width, own.height) <= maxSide;
  const error = (problem: string, hint: string) =>
    new UserError(isUsage ? 'usage' : 'composition_invalid', `${width}x${height} is ${problem}`, {
      hint,
      ...(isUsage ? {} : { place: { file } }),
    });
  const what = isUsage ? 'Choose a %s size' : 'Make the composition %s';
  if (Math.min(width, height) < minSide(codec)) {
    throw error(
      `too small for ${holder} (at least ${minSide(codec)} pixels per side)`,
      `${what.replace('%s', 'larger')}, or choose another --codec or --format.`,
    );
  }
  if ((format === 'png' && !isAsked) || Math.max(width, height) <= maxSide) return;
  throw error(
    `too large for ${holder} (at most ${maxSide} pixels per side)`,
    `${what.replace('%s', 'smaller')}${format === 'png' ? '' : ', or render frames with --format png'}.`,
  );
}

/** Estimated bytes per pixel and frame of videos with much motion. Title cards need a tenth of it. */
const bytesPerPixel: Record<string, number> = {
  h264: 0.012,
  h265: 0.008,
  av1: 0.008,
  vp9: 0.012,
  prores: 0.6,
  gif: 0.15,
  png: 1,
};

/** Assumed duration in seconds where only the page determines it. */
const assumedSeconds = 10;

/** Estimates the size of one output in bytes, before anything is rendered. */
export function estimateBytes(draft: PlanDraft): number {
  const { width, height, fps, duration, codec, format, quality, bitrate } = draft;
  const seconds = duration ?? assumedSeconds;
  if (bitrate !== undefined) return Math.ceil((seconds * bitrate) / 8);
  const frames = Math.ceil((seconds * fps.num) / fps.den);
  const factor = quality === 'high' ? 3 : 1;
  return Math.ceil(width * height * frames * (bytesPerPixel[codec ?? format] ?? 1) * factor);
}
