// What a feature does in the worker that compares painted frames with screenshots (capture/page/frameWriter.ts).

/** Two frames of pixels with the same size. */
export type Pixels = { from: Uint32Array; to: Uint32Array; width: number; height: number };

/** `Facts`: what the feature's `CaptureHooks.comparison` has returned. */
export type WriterPart<Facts = unknown> = {
  /** Copies pixels that the screen and painting may show differently. */
  beforeComparison(facts: Facts, pixels: Pixels): void;
};

/** The facts for the parts in the worker, by the name of the feature. */
export type Comparisons = Readonly<Record<string, unknown>>;
