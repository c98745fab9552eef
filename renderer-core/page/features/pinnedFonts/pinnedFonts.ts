import type { Feature } from '../feature.ts';

export const pinnedFonts: Feature = {
  name: 'pinnedFonts',
  about: 'Text, whose generic families become pinned fonts. Reports its fonts, and characters that no font has',
  share: 'all',
};
