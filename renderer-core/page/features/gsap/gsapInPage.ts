import type { PagePart } from '../../runtime/pagePart.ts';

type Gsap = { ticker?: { lagSmoothing?: (threshold: number) => unknown } };

export const gsapInPage: PagePart = {
  install: ({ window }) => ({
    begin() {
      // GSAP treats a long step between frames as lag and slows down.
      (window as { gsap?: Gsap }).gsap?.ticker?.lagSmoothing?.(0);
    },
  }),
};
