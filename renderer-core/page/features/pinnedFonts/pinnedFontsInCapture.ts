import type { CapturePart } from '../capturePart.ts';
import type { PinnedFonts } from './pinnedFontsInPage.ts';

export const pinnedFontsInCapture: CapturePart<PinnedFonts> = {
  inAllPages: true,
  begin: (_, fonts) =>
    fonts && { results: async () => ({ faces: fonts.usedFaces(), missing: await fonts.missingCharacters() }) },
};
