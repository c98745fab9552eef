// Animated files in styles show the frame at the time of the video. Browsers would play them in real time.
//
// Their URLs become references to custom properties of the root element, whose values change with the time. All places of
// a file show the same frame, as in a browser.
import type { MovingImage } from './control.ts';
import type { MovingFiles } from './movingFiles.ts';
import type { Tree, Trees } from './shadowRoots.ts';
import { plainShorthands, type Styled, styledIn } from './styleSheets.ts';
import { replaceUrls } from './styleUrls.ts';

export type AnimatedStyles = {
  /** Resolves when the styles show their frames at `ms` of the top-level time. Returns the URLs of the frames. */
  show(ms: number): Promise<string[]>;
};

/** An animated file, and the custom property with its frame. */
type StyledFile = { file: MovingImage; property: string; shown: string };

const imageProperties = /^--|^background$|image|source|^content$|^list-style$|shape-outside/;

/** `images`: those of styles that have been loaded so far. */
export function createAnimatedStyles(
  { documentElement: root }: Document,
  trees: Trees,
  images: () => readonly HTMLImageElement[],
  files: MovingFiles,
): AnimatedStyles {
  const known = new Set<string>();
  const moving = new Map<string, StyledFile>();
  /** The number of style sheets whose rules have references, with `moving.size` files. */
  const read = new WeakMap<Tree, string>();

  const find = async ({ src }: HTMLImageElement): Promise<void> => {
    if (known.has(src)) return;
    known.add(src);
    const file = await files.open(src);
    if (file) moving.set(src, { file, property: `--framework-image-${moving.size}`, shown: '' });
  };
  const refer = ({ style, base }: Styled): void => {
    for (const property of [...style, ...plainShorthands]) {
      if (!imageProperties.test(property)) continue;
      const value = style.getPropertyValue(property);
      const written = replaceUrls(value, base, (url) => {
        const found = moving.get(url);
        return found && `var(${found.property})`;
      });
      if (written !== value) style.setProperty(property, written, style.getPropertyPriority(property));
    }
  };
  const referIn = (tree: Tree): void => {
    const state = `${tree.styleSheets.length + tree.adoptedStyleSheets.length} ${moving.size}`;
    const hasRead = read.get(tree) === state;
    read.set(tree, state);
    for (const styled of styledIn(tree, !hasRead)) refer(styled);
  };

  return {
    async show(ms) {
      await Promise.all(images().map(find));
      if (moving.size === 0) return [];
      for (const tree of trees()) referIn(tree);
      let isChanged = false;
      for (const styled of moving.values()) {
        const url = await styled.file.show(ms);
        if (url === styled.shown) continue;
        styled.shown = url;
        root.style.setProperty(styled.property, `url("${url}")`);
        isChanged = true;
      }
      if (isChanged) trees().forEach(endFades);
      return [...moving.values()].map(({ shown }) => shown);
    },
  };
}

/** Ends the transitions that the new frames have started: `transition: all` also fades images. Those of authors are paused. */
function endFades(tree: Tree): void {
  for (const animation of tree.getAnimations()) {
    const isFade = 'transitionProperty' in animation && imageProperties.test(String(animation.transitionProperty));
    if (isFade && animation.playState === 'running') animation.cancel();
  }
}
