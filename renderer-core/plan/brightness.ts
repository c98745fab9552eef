// How bright the frames of HDR videos are.

/** The white of pages in HDR, in cd/m²: Rec. ITU-R BT.2408. */
export const white = 203;

/** In cd/m²: of the brightest color (MaxCLL), and the mean of the brightest frame (MaxFALL). */
export type LightLevels = { maxCll: number; maxFall: number };

/** The levels of a video whose parts have these. */
export const brightest = (parts: readonly LightLevels[]): LightLevels => ({
  maxCll: Math.max(...parts.map(({ maxCll }) => maxCll)),
  maxFall: Math.max(...parts.map(({ maxFall }) => maxFall)),
});
