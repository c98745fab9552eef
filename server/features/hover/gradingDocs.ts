// Descriptions of the fields and presets of a color grading. docs/compositions.md describes them too.
import * as l10n from '@vscode/l10n';
import type { AdjustKey, PresetName } from '../../../renderer-core/model/grading/gradingPresets.ts';

export const presetDocs = (): Record<PresetName, string> => ({
  neutral: l10n.t('The frame unchanged.'),
  warm: l10n.t('Daylight in the afternoon.'),
  cool: l10n.t('Overcast sky, a little more contrast.'),
  cinematic: l10n.t('Teal shadows, orange highlights, more contrast.'),
  noir: l10n.t('Black and white, hard contrast, deep blacks.'),
  vintage: l10n.t('Old print: soft, yellowed highlights, purple shadows, reduced colors.'),
  faded: l10n.t('Lifted blacks, dimmed whites, pale colors.'),
  vivid: l10n.t('Strong colors, a little more contrast.'),
  'bleach-bypass': l10n.t('Silvery: hard contrast, half the saturation.'),
  'golden-hour': l10n.t('Low sun: warm light, open shadows, orange highlights.'),
  moonlight: l10n.t('Day for night: dark, cold, blue shadows.'),
});

export const adjustDocs = (): Record<AdjustKey, string> => ({
  exposure: l10n.t('Exposure in stops: +1 doubles the light, -1 halves it.'),
  contrast: l10n.t('Contrast around middle gray: 1 doubles it, -1 halves it.'),
  highlights: l10n.t('Brightens or darkens bright tones; white stays.'),
  shadows: l10n.t('Brightens or darkens dark tones; black stays.'),
  whites: l10n.t('Lifts the brightest tones to white, or dims them.'),
  blacks: l10n.t('Lifts the darkest tones, or lowers them to black.'),
  temperature: l10n.t('Positive values are warmer (more red, less blue), negative ones cooler.'),
  tint: l10n.t('Positive values add magenta, negative ones green.'),
  vibrance: l10n.t('Saturation, applied most to weakly saturated colors.'),
  saturation: l10n.t('Saturation: 1 doubles it, -1 is black and white.'),
});

export const gradingFieldDocs = () => ({
  preset: l10n.t('The look to start from. Default: `neutral`.'),
  intensity: l10n.t('Scales the preset and `adjust`. 0 leaves the frame unchanged. 0 to 1, default: 1.'),
  adjust: "Each field overrides the preset's value.",
  colorSpace: l10n.t(
    'Color space of curves and saturation: display values (`srgb`, the default; `rec709` is a synonym) or linear light (`linear`).',
  ),
});

export const colorSpaceDocs = () => ({
  srgb: l10n.t('Display values. Default.'),
  rec709: l10n.t('Synonym of `srgb`.'),
  linear: l10n.t('Linear light.'),
});
