// The images and fonts of the page: loaded and decoded before they are shown, and told about when they cannot be.
import { assetFault, type BrokenAsset } from './page.ts';
import { familyName, fontSources, styleImages } from './styleSheets.ts';

export type Assets = {
  /** Waits for everything that the page shows; once more when scripts have added to it. */
  load(): Promise<void>;
  /** After the last `load`: brings in what styles may show later. Rejects when something cannot be used. */
  complete(): Promise<void>;
  /** What the last seek brought in and is loading now. Rejects when it cannot be used. */
  pending(): Promise<void> | undefined;
};

/** Takes the real `fetch` and timer: whoever counts requests or replaces the clock comes later. */
export function watchAssets(window: Window & typeof globalThis): Assets {
  const { document } = window;
  const ask = window.fetch.bind(window);
  const realTimeout = window.setTimeout.bind(window);
  /** Loaded for later: the browser forgets images that nobody holds. */
  const held: HTMLImageElement[] = [];
  /** Whether faces are left that only some characters need, and that a later text may ask for. */
  let hasMoreFonts = false;
  const brokenSvgImages = new Set<SVGImageElement>();
  const watch = (type: 'error' | 'load', note: (image: SVGImageElement) => unknown) =>
    document.addEventListener(type, ({ target }) => target instanceof SVGImageElement && note(target), true);
  watch('error', (image) => brokenSvgImages.add(image));
  watch('load', (image) => brokenSvgImages.delete(image));

  /** Decodes an image; rejects when that is impossible and the page has nothing else to show in its place. */
  const decode = async (image: HTMLImageElement): Promise<void> => {
    try {
      await image.decode();
    } catch {
      // The page's own handlers get the chance to put another image there, or to take this one out.
      await new Promise<void>((resolve) => realTimeout(resolve, 0));
      if (isBroken(image)) throw fault({ kind: 'image', url: image.currentSrc, element: describe(image) });
    }
  };

  const loadStyleImage = async (url: string, needsConsent: boolean): Promise<void> => {
    // A rule that nothing uses may name a file that does not exist, as in any browser.
    if (!(await isThere(ask, url))) return;
    const image = new window.Image();
    held.push(image);
    if (needsConsent) image.crossOrigin = 'anonymous';
    image.src = url;
    await image.decode().catch(() => {
      throw fault({ kind: 'image', url, element: 'a style' });
    });
  };

  const loadingImages = () => [...document.images].filter((image) => !image.complete && image.loading !== 'lazy');

  return {
    async load() {
      await Promise.all(loadingImages().map((image) => image.decode().catch(() => undefined)));
      await loadFonts(document);
    },
    async complete() {
      await Promise.all([...document.images].map(decode));
      for (const image of brokenSvgImages) {
        if (image.isConnected)
          throw fault({
            kind: 'image',
            url: new URL(image.href.baseVal, document.baseURI).href,
            element: describe(image),
          });
      }
      refuseBrokenFonts(document);
      await Promise.all(styleImages(document).map(({ url, needsConsent }) => loadStyleImage(url, needsConsent)));
      hasMoreFonts = [...document.fonts].some(({ status }) => status === 'unloaded');
    },
    pending() {
      const loading: Promise<unknown>[] = loadingImages().map(decode);
      if (hasMoreFonts) {
        // To ask for this promise makes the browser look which fonts the text needs now.
        const { ready } = document.fonts;
        if (document.fonts.status === 'loading') loading.push(ready.then(() => refuseBrokenFonts(document)));
      }
      return loading.length === 0 ? undefined : Promise.all(loading).then(() => undefined);
    },
  };
}

const fault = (broken: BrokenAsset): Error => new Error(`${assetFault}${JSON.stringify(broken)}`);

const isBroken = (image: HTMLImageElement): boolean =>
  image.isConnected && image.complete && image.naturalWidth === 0 && image.currentSrc !== '';

async function isThere(ask: typeof fetch, url: string): Promise<boolean> {
  const answer = await ask(url, { method: 'HEAD', mode: 'no-cors' }).catch(() => undefined);
  // Another site's answer says nothing but that there is one.
  return answer !== undefined && (answer.ok || answer.type === 'opaque');
}

/**
 * Faces that only appear in a later scene would load in mid-render: all declared ones are loaded now. Those for some
 * characters alone come when the text has such characters; families of other scripts have hundreds.
 */
async function loadFonts(document: Document): Promise<void> {
  const isForAll = ({ unicodeRange }: FontFace) => /^U\+0+-10FFFF$/i.test(unicodeRange);
  const faces = [...document.fonts].filter((face) => face.status === 'unloaded' && isForAll(face));
  await Promise.all(faces.map((face) => face.load().catch(() => undefined)));
  await document.fonts.ready;
}

/** Faces that a script made are the script's to watch. */
function refuseBrokenFonts(document: Document): void {
  const failed = [...document.fonts].filter(({ status }) => status === 'error');
  if (failed.length === 0) return;
  const sources = fontSources(document);
  for (const face of failed) {
    const sameFamily = sources.filter(({ family }) => family === familyName(face.family));
    const source = sameFamily.find(({ weight }) => weight === face.weight) ?? sameFamily[0];
    const url = source?.urls.at(-1);
    if (url !== undefined) throw fault({ kind: 'font', url, element: `@font-face "${familyName(face.family)}"` });
  }
}

/** `<img id="logo">`: enough to find the element by. */
function describe(element: Element): string {
  const label = ['id', 'class', 'alt'].find((name) => element.getAttribute(name));
  return `<${element.localName}${label ? ` ${label}="${element.getAttribute(label)}"` : ''}>`;
}
