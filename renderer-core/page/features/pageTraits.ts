// What the features of a page that is ready ask of capture.

/**
 * When a page passes all frames before the first one is painted, to find one that cannot be painted. `forParts`: for renders
 * whose parts run on several machines, which cannot fall back together.
 */
export type LookAhead = 'never' | 'forParts' | 'always';

export type PageTraits = {
  lookAhead: LookAhead;
  /** The compositor may draw narrow shapes coarsely, and less so in a screenshot of double size. */
  isCoarse: boolean;
  /** Painting needs what the page shows elsewhere than the screen does, so another page takes the screenshots of samples. */
  samplesApart: boolean;
  /** Everything in the page is always painted as on a screen, so that one sample frame is enough. */
  needsOneSample: boolean;
  /** A frame without changes is neither drawn nor encoded again. */
  repeats: boolean;
  /** No frame depends on those before it, so that frames that are only passed are not shown. */
  isPure: boolean;
  /** Screenshots would not show what the video is for. */
  needsPainting: boolean;
};

const lookAheads: readonly LookAhead[] = ['never', 'forParts', 'always'];

/** The traits of a page with several features. */
export function mergeTraits(...given: readonly (Partial<PageTraits> | undefined)[]): PageTraits {
  const has = (name: Exclude<keyof PageTraits, 'lookAhead'>) => given.some((one) => one?.[name] === true);
  const looks = given.map((one) => lookAheads.indexOf(one?.lookAhead ?? 'never'));
  return {
    lookAhead: lookAheads[Math.max(0, ...looks)] ?? 'never',
    isCoarse: has('isCoarse'),
    samplesApart: has('samplesApart'),
    needsOneSample: has('needsOneSample'),
    repeats: has('repeats'),
    isPure: has('isPure'),
    needsPainting: has('needsPainting'),
  };
}
