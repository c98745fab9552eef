import type { PagePart } from '../../runtime/pagePart.ts';

type Gsap = {
  ticker?: { lagSmoothing?: (threshold: number) => unknown };
  context?: (run: () => void, scope?: unknown) => unknown;
};

export const gsapInPage: PagePart = {
  install({ window }) {
    const gsap = () => (window as { gsap?: Gsap }).gsap;
    return {
      begin() {
        // GSAP treats a long step between frames as lag and slows down.
        gsap()?.ticker?.lagSmoothing?.(0);
      },
      // GSAP finds selectors in the document; with a context, in the mount.
      runIn(mount, code) {
        const library = gsap();
        if (typeof library?.context !== 'function') return code();
        let result: ReturnType<typeof code> | undefined;
        library.context(() => {
          result = code();
        }, mount);
        return result as ReturnType<typeof code>;
      },
    };
  },
};
