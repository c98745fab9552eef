// What the fields and presets of a colour grading do, in a sentence each. docs/compositions.md says the same.
import type { AdjustKey, PresetName } from '../../renderer-core/model/gradingPresets.ts';

export const presetDocs: Record<PresetName, string> = {
  neutral: 'The picture as it is.',
  warm: 'Daylight in the afternoon.',
  cool: 'Overcast sky, a little more contrast.',
  cinematic: 'Teal shadows, orange highlights, more contrast.',
  noir: 'Black and white, hard contrast, deep blacks.',
  vintage: 'Old print: soft, yellowed highlights, purple shadows, fewer colours.',
  faded: 'Lifted blacks, dimmed whites, pale colours.',
  vivid: 'Strong colours, a little more contrast.',
  'bleach-bypass': 'Silvery: hard contrast, half of the colour.',
  'golden-hour': 'Low sun: warm light, open shadows, orange highlights.',
  moonlight: 'Day for night: dark, cold, blue shadows.',
};

export const adjustDocs: Record<AdjustKey, string> = {
  exposure: 'Light in stops: each one up doubles it, each one down halves it.',
  contrast: 'Distance from middle grey: up to twice of it, down to half of it.',
  highlights: 'Brightens or darkens bright tones; white stays.',
  shadows: 'Brightens or darkens dark tones; black stays.',
  whites: 'Lifts the brightest tones to white, or dims them.',
  blacks: 'Lifts the darkest tones, or sinks them to black.',
  temperature: 'Up is warmer (more red, less blue), down is cooler.',
  tint: 'Up is more magenta, down is more green.',
  vibrance: 'More or less colour, most where there is little.',
  saturation: 'Up to twice the colour; -1 is black and white.',
};

export const gradingFieldDocs = {
  preset: 'The look to begin with. Default `neutral`.',
  intensity: 'Scales preset and `adjust` alike: 0 leaves the picture as it is. 0 to 1, default 1.',
  adjust: "Each field takes the place of the preset's own.",
  colorSpace:
    'What curves and saturation work on: the values that a screen gets (`srgb`, the default; `rec709` means the same) or amounts of light (`linear`).',
};

export const colorSpaceDocs = {
  srgb: 'The values that a screen gets. Default.',
  rec709: 'The same as `srgb`.',
  linear: 'Amounts of light.',
};
