// Descriptions of the fields and presets of a color grading. docs/compositions.md describes them too.
import type { AdjustKey, PresetName } from '../../../renderer-core/model/grading/gradingPresets.ts';

export const presetDocs: Record<PresetName, string> = {
  neutral: 'The frame unchanged.',
  warm: 'Daylight in the afternoon.',
  cool: 'Overcast sky, a little more contrast.',
  cinematic: 'Teal shadows, orange highlights, more contrast.',
  noir: 'Black and white, hard contrast, deep blacks.',
  vintage: 'Old print: soft, yellowed highlights, purple shadows, reduced colors.',
  faded: 'Lifted blacks, dimmed whites, pale colors.',
  vivid: 'Strong colors, a little more contrast.',
  'bleach-bypass': 'Silvery: hard contrast, half the saturation.',
  'golden-hour': 'Low sun: warm light, open shadows, orange highlights.',
  moonlight: 'Day for night: dark, cold, blue shadows.',
};

export const adjustDocs: Record<AdjustKey, string> = {
  exposure: 'Exposure in stops: +1 doubles the light, -1 halves it.',
  contrast: 'Contrast around middle gray: 1 doubles it, -1 halves it.',
  highlights: 'Brightens or darkens bright tones; white stays.',
  shadows: 'Brightens or darkens dark tones; black stays.',
  whites: 'Lifts the brightest tones to white, or dims them.',
  blacks: 'Lifts the darkest tones, or lowers them to black.',
  temperature: 'Positive values are warmer (more red, less blue), negative ones cooler.',
  tint: 'Positive values add magenta, negative ones green.',
  vibrance: 'Saturation, applied most to weakly saturated colors.',
  saturation: 'Saturation: 1 doubles it, -1 is black and white.',
};

export const gradingFieldDocs = {
  preset: 'The look to start from. Default: `neutral`.',
  intensity: 'Scales the preset and `adjust`. 0 leaves the frame unchanged. 0 to 1, default: 1.',
  adjust: "Each field overrides the preset's value.",
  colorSpace:
    'Color space of curves and saturation: display values (`srgb`, the default; `rec709` is a synonym) or linear light (`linear`).',
};

export const colorSpaceDocs = {
  srgb: 'Display values. Default.',
  rec709: 'Synonym of `srgb`.',
  linear: 'Linear light.',
};
