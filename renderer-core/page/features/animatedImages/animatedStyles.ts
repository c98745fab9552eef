// Animated files in styles show the frame at the time of the video. Browsers would play them in real time.
//
// Their URLs become references to custom properties of the root element, whose values change with the time. All places of
// a file show the same frame, as in a browser.

import type { Tree, Trees } from '../../runtime/shadowRoots.ts';
import { isSameState, type Styled, sheetState, shorthands, styledIn } from '../../runtime/styleSheets.ts';
import { replaceUrls } from '../../runtime/styleUrls.ts';
import type { MovingFiles } from './movingFiles.ts';
import type { MovingImage } from './movingImage.ts';

export type AnimatedStyles = {
  /** Resolves when the styles show their frames at `ms` of the top-level time. Returns the URLs of the frames. */
  show(ms: number): Promise<string[]>;
};

/**
 * An animated file, and the custom property with its frame. `mayMask`: whether a mask or a shape may use it; `mask`: the URL
 * that was loaded for them last.
 */
type StyledFile = { file: MovingImage; property: string; mayMask: boolean; mask: string };

const imageProperties = /^--|^background$|image|source|^content$|^list-style$|^mask$|shape-outside/;

/** `images`: those of styles that have been loaded so far. */
export function createAnimatedStyles(
  { documentElement: root }: Document,
  trees: Trees,
  images: () => readonly HTMLImageElement[],
  files: MovingFiles,
): AnimatedStyles {
  const known = new Set<string>();
  const moving = new Map<string, StyledFile>();
  /** The state of the style sheets whose rules have references, with `moving.size` files. */
  const read = new WeakMap<Tree, readonly unknown[]>();

  const find = async ({ src }: HTMLImageElement): Promise<void> => {
    if (known.has(src)) return;
    known.add(src);
    const file = await files.open(src);
    if (file) moving.set(src, { file, property: `--framework-image-${moving.size}`, mayMask: false, mask: '' });
  };
  const refer = ({ style, base }: Styled): void => {
    for (const property of [...style, ...shorthands]) {
      if (!imageProperties.test(property)) continue;
      const value = style.getPropertyValue(property);
      const written = replaceUrls(value, base, (url) => {
        const found = moving.get(url);
        if (found) found.mayMask ||= /^--|mask|shape/.test(property);
        return found && `var(${found.property})`;
      });
      if (written !== value) style.setProperty(property, written, style.getPropertyPriority(property));
    }
  };
  const referIn = (tree: Tree): void => {
    const state = [moving.size, ...sheetState(tree)];
    const hasRead = isSameState(read.get(tree), state);
    read.set(tree, state);
    for (const styled of styledIn(tree, !hasRead)) refer(styled);
  };

  return {
    async show(ms) {
      await Promise.all(images().map(find));
      if (moving.size === 0) return [];
      const shown = await Promise.all([...moving.values()].map(({ file }) => file.show(ms)));
      // Nothing is awaited from here: in between, rules would refer to properties without a value.
      let isChanged = false;
      for (const [index, { property }] of [...moving.values()].entries()) {
        const value = `url("${shown[index]}")`;
        // A script may have replaced all styles of the root.
        if (root.style.getPropertyValue(property) === value) continue;
        root.style.setProperty(property, value);
        isChanged = true;
      }
      for (const tree of trees()) referIn(tree);
      if (isChanged) trees().forEach(endFades);
      await Promise.all([...moving.values()].map((styled, index) => loadMask(styled, shown[index] ?? '')));
      return shown;
    },
  };
}

/** Masks and shapes require CORS; the browser loads them again for such requests. */
function loadMask(styled: StyledFile, url: string): Promise<unknown> | undefined {
  if (!styled.mayMask || styled.mask === url) return undefined;
  styled.mask = url;
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.src = url;
  return image.decode();
}

/** Ends the transitions that the new frames have started: `transition: all` also fades images. Those of authors are paused. */
function endFades(tree: Tree): void {
  for (const animation of tree.getAnimations()) {
    const isFade = 'transitionProperty' in animation && imageProperties.test(String(animation.transitionProperty));
    if (isFade && animation.playState === 'running') animation.cancel();
  }
}
