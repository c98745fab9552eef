// The render plan: everything a worker needs to know to render any part of a video, as plain JSON.
import { UserError } from '../errors.ts';
import type { Composition } from '../model/composition.ts';
import { type Chunk, splitFrames } from './chunks.ts';
import {
  chooseCodec,
  chooseFormat,
  chooseQuality,
  codecNames,
  type Encoding,
  type Format,
  formatTable,
  maxSide,
  minSide,
} from './formats.ts';
import { defaultFrameRate, type FrameRate, formatFrameRate, frameCount, parseFrameRate } from './frameRate.ts';
import { type PageSize, type Resolution, type Size, scaledSize, videoSize } from './resolution.ts';

export type RenderPlan = Encoding & {
  version: 1;
  /** Entry composition, relative to the project folder. */
  composition: string;
  /** Values given for the top-level variables, over the declared defaults. */
  variables: Record<string, unknown>;
  /** Pixels of the pictures; a video of an odd size is one pixel larger. */
  width: number;
  height: number;
  page: PageSize;
  fps: FrameRate;
  /** Seconds. `frames` frames cover it; the last may reach a little beyond. */
  duration: number;
  frames: number;
  chunks: Chunk[];
  /** What the page's `Math.random` and `Date` start from. */
  seed: number;
  epochMs: number;
  output: string;
};

/** What the plan takes from the entry composition; null where the author said nothing. */
export type CompositionFacts = {
  width: number | null;
  height: number | null;
  duration: number | null;
  fps: string | null;
};

export function factsOf({ width, height, duration, fps }: Composition): CompositionFacts {
  return {
    width: width?.value ?? null,
    height: height?.value ?? null,
    duration: duration?.value ?? null,
    fps: fps?.raw ?? null,
  };
}

export type PlanOptions = {
  composition: string;
  variables?: Record<string, unknown>;
  output?: string;
  fps?: string;
  format?: string;
  codec?: string;
  quality?: string;
  hdr?: boolean;
  resolution?: Resolution;
  /** Pixels of the video, in the composition's proportions; not with a resolution. */
  width?: number;
  height?: number;
};

/** A plan whose length is still to be read from the page, because the root declares none. */
export type PlanDraft = Omit<RenderPlan, 'duration' | 'frames' | 'chunks'> & { duration: number | null };

/** Midnight of 1 January 2025, UTC: the same on every machine and in every year. */
export const epochMs = Date.UTC(2025, 0, 1);
export const seed = 0x5eed;

/**
 * Local renders are cut on this grid whatever the number of workers, so that the cuts never change the frames.
 * The size is the one that the contract gives distributed renders.
 */
const localChunkFrames = 240;

/** Checks the options and settles everything but the length. Throws UserError `usage` or `composition_invalid`. */
export function draftPlan(facts: CompositionFacts, options: PlanOptions): PlanDraft {
  const format = chooseFormat(options.format, options.output);
  const hdr = options.hdr ?? false;
  const codec = chooseCodec(options.codec, format, hdr);
  const size = checkSize(facts, options, format, codec);
  return {
    version: 1,
    composition: options.composition,
    variables: options.variables ?? {},
    ...size,
    fps: checkRate(chooseRate(facts, options), format),
    duration: facts.duration,
    format,
    codec,
    quality: chooseQuality(options.quality),
    hdr,
    seed,
    epochMs,
    output: options.output ?? defaultOutput(options.composition, format),
  };
}

/** Adds the length, `natural` seconds where the root declares none. Throws UserError `no_duration`. */
export function completePlan(draft: PlanDraft, natural: number | null = null): RenderPlan {
  const duration = draft.duration ?? natural;
  if (duration === null || !(duration > 0)) {
    throw new UserError(
      'no_duration',
      'The composition has no duration: its root declares none, and no timeline or clip of it ends',
      {
        hint: 'Add data-duration="<seconds>" to the root composition element.',
        place: { file: draft.composition },
      },
    );
  }
  const frames = frameCount(duration, draft.fps);
  const chunks = splitFrames(frames, Math.ceil(frames / localChunkFrames));
  return { ...draft, duration, frames, chunks };
}

/** `renders/<composition>.<ext>`; frames go into a folder of that name. */
function defaultOutput(composition: string, format: Format): string {
  const name = composition.replace(/^.*\//, '').replace(/\.html?$/i, '') || 'composition';
  return `renders/${name}${formatTable[format].extension}`;
}

function chooseRate(facts: CompositionFacts, options: PlanOptions): FrameRate {
  if (options.fps !== undefined) return parseFrameRate(options.fps);
  if (facts.fps === null) return defaultFrameRate;
  try {
    return parseFrameRate(facts.fps);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError('composition_invalid', `data-fps of ${options.composition}: ${error.message}`, {
      place: { file: options.composition },
      ...(error.hint ? { hint: error.hint } : {}),
    });
  }
}

/** GIF counts time in hundredths of a second, and browsers show a picture of less than two of them for ten. */
const gifMaxRate = 50;

function checkRate(rate: FrameRate, format: Format): FrameRate {
  if (format !== 'gif' || rate.num <= gifMaxRate * rate.den) return rate;
  throw new UserError('usage', `gif holds at most ${gifMaxRate} frames a second, not ${formatFrameRate(rate)}`, {
    hint: 'Render it with --fps 25 or --fps 50, or choose another format.',
  });
}

/** What comes out of a plan otherwise than one might expect. */
export function planWarnings({ format, fps }: Pick<RenderPlan, 'format' | 'fps'>): string[] {
  if (format !== 'gif' || (100 * fps.den) % fps.num === 0) return [];
  const rate = formatFrameRate(fps);
  return [
    `gif counts time in hundredths of a second: at ${rate} frames a second some show a hundredth longer than others. --fps 10, 20, 25 and 50 are even.`,
  ];
}

function askedSize(own: Size, { resolution, width, height }: PlanOptions): ReturnType<typeof videoSize> {
  if (width === undefined && height === undefined) return videoSize(own, resolution);
  if (resolution !== undefined) {
    throw new UserError('usage', `The resolution ${resolution} cannot be asked for beside a width or height`, {
      hint: 'Leave one of them out.',
    });
  }
  return scaledSize(own, { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) });
}

function checkSize(
  facts: CompositionFacts,
  options: PlanOptions,
  format: Format,
  codec: Encoding['codec'],
): Pick<RenderPlan, 'width' | 'height' | 'page'> {
  const { composition } = options;
  if (facts.width === null || facts.height === null) {
    const missing = facts.width === null ? (facts.height === null ? 'width and height' : 'width') : 'height';
    throw new UserError('composition_invalid', `The composition has no ${missing}`, {
      hint: 'Add data-width and data-height, in pixels, to the root composition element.',
      place: { file: composition },
    });
  }
  const size = askedSize({ width: facts.width, height: facts.height }, options);
  const { width, height } = size;
  const holder = codec === null ? format : codecNames[codec];
  if (Math.min(width, height) < minSide(codec)) {
    throw new UserError(
      'composition_invalid',
      `${width}x${height} is smaller than ${holder} can hold (${minSide(codec)} pixels a side)`,
      { hint: 'Make the composition larger, or choose another --codec or --format.', place: { file: composition } },
    );
  }
  if (format !== 'png' && Math.max(width, height) > maxSide) {
    throw new UserError(
      'composition_invalid',
      `${width}x${height} is larger than ${holder} can hold (${maxSide} pixels a side)`,
      {
        hint: 'Make the composition smaller, or render frames with --format png.',
        place: { file: composition },
      },
    );
  }
  return size;
}
