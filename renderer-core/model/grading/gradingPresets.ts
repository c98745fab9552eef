// Data of color grading: the fields of `adjust` with their ranges, and the presets. Bundled into the page.

/** The fields of `adjust`, each with the limit in both directions from 0, which changes nothing. Exposure is in stops. */
export const adjustLimits = {
  exposure: 5,
  contrast: 1,
  highlights: 1,
  shadows: 1,
  whites: 1,
  blacks: 1,
  temperature: 1,
  tint: 1,
  vibrance: 1,
  saturation: 1,
} as const;

export type AdjustKey = keyof typeof adjustLimits;
export type Adjust = Record<AdjustKey, number>;

export type Rgb = readonly [number, number, number];

/** Values of `adjust`, and offsets that are added to the dark and bright tones of each channel (1 is the whole range). */
export type GradingPreset = { adjust: Partial<Adjust>; darkTint?: Rgb; brightTint?: Rgb };

/** docs/compositions.md describes each one. */
export const gradingPresets = {
  neutral: { adjust: {} },
  warm: { adjust: { temperature: 0.35, tint: 0.03, vibrance: 0.1 } },
  cool: { adjust: { temperature: -0.35, contrast: 0.05 } },
  cinematic: {
    adjust: { contrast: 0.18, highlights: -0.1, saturation: -0.06 },
    darkTint: [-0.04, 0.01, 0.045],
    brightTint: [0.045, 0.01, -0.045],
  },
  noir: { adjust: { contrast: 0.35, highlights: 0.1, blacks: -0.25, saturation: -1 } },
  vintage: {
    adjust: { contrast: -0.1, blacks: 0.25, temperature: 0.2, saturation: -0.2 },
    darkTint: [0.025, 0, 0.03],
    brightTint: [0.02, 0.01, -0.045],
  },
  faded: { adjust: { contrast: -0.2, whites: -0.2, blacks: 0.5, saturation: -0.25 } },
  vivid: { adjust: { contrast: 0.12, vibrance: 0.4, saturation: 0.15 } },
  'bleach-bypass': { adjust: { contrast: 0.4, shadows: -0.15, highlights: 0.1, saturation: -0.55 } },
  'golden-hour': {
    adjust: { exposure: 0.1, highlights: -0.1, shadows: 0.12, temperature: 0.5, vibrance: 0.15 },
    brightTint: [0.03, 0.012, -0.03],
  },
  moonlight: {
    adjust: { exposure: -0.45, contrast: 0.1, temperature: -0.5, saturation: -0.25 },
    darkTint: [-0.02, 0, 0.04],
  },
} as const satisfies Record<string, GradingPreset>;

export type PresetName = keyof typeof gradingPresets;
