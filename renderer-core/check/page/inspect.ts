// Runs in the page around a composition that is checked, and reports what its frames show.
import type { Player } from '../../page/runtime/control.ts';
import { describeElement } from '../../page/runtime/describeElement.ts';
import { intersect } from '../boxes.ts';
import type { Box, Look, SeenClip, SeenContrast, SeenImage, Sight } from '../sight.ts';
import { changeTimes } from './changeTimes.ts';
import { areaOf, boxOf, isReplaced, isVisible, paintsBox, seen, styleOf } from './elements.ts';
import { contrasts, look } from './pixels.ts';
import { seenTexts } from './texts.ts';

const frame = (): Window & typeof globalThis => {
  const found = document.querySelector('iframe')?.contentWindow;
  if (!found) throw new Error('there is no composition');
  return found as Window & typeof globalThis;
};

const player = (): Player => (frame() as unknown as Record<symbol, Player>)[Symbol.for('framework.player')] as Player;

let sight: Sight = { texts: [], images: [], clips: [], width: 0, height: 0 };

/** Elements that ignore the pointer are found at a point too. */
const takingPointer = '*{pointer-events:auto!important}';
/** Shadows and outlines of texts stay: they are behind the letters. */
const withoutTexts = '*{-webkit-text-fill-color:transparent!important}text,tspan{fill-opacity:0!important}';

function addSheet(window: Window & typeof globalThis, css: string): () => void {
  const { document } = window;
  const sheet = new window.CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}

function seenImages(document: Document, bounds: Box): SeenImage[] {
  return [...document.images].flatMap((image) => {
    const box = boxOf(image.getBoundingClientRect());
    const { naturalWidth, naturalHeight, currentSrc } = image;
    if (naturalWidth === 0 || /\.svg(?:[?#]|$)|^data:image\/svg/i.test(currentSrc)) return [];
    if (!isVisible(image) || areaOf(intersect(box, bounds)) === 0) return [];
    const [x, y] = [box.width / naturalWidth, box.height / naturalHeight];
    const fit = styleOf(image).objectFit;
    const scale = fit === 'contain' || fit === 'scale-down' ? Math.min(x, y) : fit === 'none' ? 1 : Math.max(x, y);
    return [{ ...seen(image), box, scale, url: currentSrc }];
  });
}

/** Whether an element itself could be seen, if it is visible. */
function paints(element: Element): boolean {
  const style = styleOf(element);
  const hasText = [...element.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ''),
  );
  return isReplaced(element) || hasText || paintsBox(style) || element.shadowRoot !== null || hasPseudo(element);
}

const hasPseudo = (element: Element): boolean =>
  ['::before', '::after'].some(
    (pseudo) => !/^(?:none|normal)$/.test(frame().getComputedStyle(element, pseudo).content),
  );

const smallest = 4;

/** Clips that an earlier frame has shown: looking at all of their content again would take long. */
const shownClips = new WeakSet<Element>();

function seenClips(bounds: Box): SeenClip[] {
  return player()
    .clips()
    .filter(({ element }) => !element.matches('audio,script,style,template'))
    .map(({ element, start, end }) => {
      const facts = { ...seen(element), start, end };
      if (shownClips.has(element)) return { ...facts, isShown: true, isEmpty: false };
      const painted = [element, ...element.querySelectorAll('*')].filter(paints);
      const isShown = painted.some(
        (one) => isVisible(one) && areaOf(intersect(boxOf(one.getBoundingClientRect()), bounds)) >= smallest,
      );
      if (isShown) shownClips.add(element);
      return { ...facts, isShown, isEmpty: painted.length === 0 };
    });
}

const api = {
  /** What the frame shows now. */
  see(): Sight {
    const window = frame();
    const bounds = { left: 0, top: 0, width: window.innerWidth, height: window.innerHeight };
    const remove = addSheet(window, takingPointer);
    try {
      const { width, height } = bounds;
      const texts = seenTexts(window.document, bounds);
      sight = { texts, images: seenImages(window.document, bounds), clips: seenClips(bounds), width, height };
      return sight;
    } finally {
      remove();
    }
  },

  /** Times in seconds at which clips and animations begin or end. Those of animations are known when they run. */
  changes: (now: number): number[] => changeTimes(frame(), player().clips(), now),

  /** Hides the letters of all texts, from the next rendering on until `showTexts`. */
  hideTexts(): void {
    removeHiding = addSheet(frame(), withoutTexts);
  },

  showTexts(): void {
    removeHiding();
  },

  contrasts: (url: string, keys: readonly number[]): Promise<SeenContrast[]> =>
    contrasts(
      url,
      sight.texts.filter(({ key }) => keys.includes(key)),
    ),

  /** The sources of media elements by the names that sounds have. */
  sounds(): Record<string, string | null> {
    const elements = [...frame().document.querySelectorAll('audio,video')];
    return Object.fromEntries(elements.map((element) => [describeElement(element), seen(element).source]));
  },

  look: (url: string, isFirst: boolean): Promise<Look> => look(url, isFirst),
};

let removeHiding: () => void = () => undefined;

export type InspectApi = typeof api;

Object.assign(window, { __inspect: api });
