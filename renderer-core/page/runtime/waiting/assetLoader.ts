// Loads and decodes the images and fonts of the page before they are shown, and reports those that cannot be used.
import { describeElement } from '../describeElement.ts';
import { assetErrorPrefix, type BrokenAsset } from '../page.ts';
import { finder, type Tree, type Trees, watchShadowRoots } from '../shadowRoots.ts';
import { familyName, fontSources, styleImages as imagesOfStyles } from '../styleSheets.ts';

/** An `<image>`, which Chrome decodes as it does `<img>`; not in TypeScript's DOM types. */
export type SvgImage = SVGImageElement & { decode(): Promise<void> };

export type Assets = {
  /** Waits for everything that the page shows. Call it again after scripts have added something. */
  load(): Promise<void>;
  /** Call after the last `load`: loads what styles may show later. Rejects when an asset cannot be used. */
  complete(): Promise<void>;
  /** Waits for assets that the last seek has added. Rejects when one cannot be used. */
  pending(): Promise<unknown> | undefined;
  trees: Trees;
  /** The `<img>` elements of the document and its shadow trees. */
  images(): HTMLImageElement[];
  /** The `<image>` elements of drawings. */
  svgImages(): SvgImage[];
  /** Images of styles. Without a reference, the browser would drop the decoded images. */
  styleImages: readonly HTMLImageElement[];
};

/** Call before `watchReadiness` and `installClock`, because it needs the browser's own `fetch` and timer. */
export function watchAssets(window: Window & typeof globalThis): Assets {
  const { document } = window;
  const realFetch = window.fetch.bind(window);
  const realTimeout = window.setTimeout.bind(window);
  const styleImages: HTMLImageElement[] = [];
  /** Whether there are font faces that only some characters need, which a later text may use. */
  let hasMoreFonts = false;
  const trees: Tree[] = [document];
  watchShadowRoots(window, (root) => trees.push(root));
  const connectedTrees = () => trees.filter(({ isConnected }) => isConnected);
  const images = finder<HTMLImageElement>(document, connectedTrees, 'img');
  const svgImages = finder<SvgImage>(document, connectedTrees, 'image');

  /** The address of each broken image that was reported. The preview shows the page nevertheless. */
  const reported = new WeakMap<HTMLImageElement, string>();

  /** Decodes an image. Rejects when that fails and the page does not replace or remove the image. */
  const decode = async (image: HTMLImageElement): Promise<void> => {
    try {
      await image.decode();
    } catch {
      // The page's error handlers may replace or remove the image.
      await new Promise<void>((resolve) => realTimeout(resolve, 0));
      if (!isBroken(image)) return;
      reported.set(image, image.currentSrc);
      throw imageError(image, image.currentSrc);
    }
  };

  const loadStyleImage = async (url: string, needsConsent: boolean): Promise<void> => {
    // An unused rule may reference a file that does not exist, as in any browser. If a style uses the image already, the image
    // must be the same one, and would be another one after a request for the file.
    const isUsed = window.performance.getEntriesByName(url).length > 0;
    if (!isUsed && !(await exists(realFetch, url))) return;
    const image = new window.Image();
    styleImages.push(image);
    if (needsConsent) image.crossOrigin = 'anonymous';
    image.src = url;
    await image.decode().catch(async () => {
      if (!isUsed || (await exists(realFetch, url))) throw assetError({ kind: 'image', url, element: 'a style' });
    });
  };

  const loadingImages = () =>
    images().filter((image) => {
      // The browser does not load lazy images outside of the viewport, but a later frame may show them. Also those that are
      // complete: styles may depend on the attribute, and not on when an image arrives.
      if (image.loading === 'lazy') image.loading = 'eager';
      return !image.complete;
    });

  /** The addresses that images of drawings had when they were decoded. */
  const decodedHrefs = new WeakMap<SvgImage, string>();

  const decodeSvgImage = (image: SvgImage): Promise<void> | undefined => {
    const { baseVal } = image.href;
    if (decodedHrefs.get(image) === baseVal) return undefined;
    decodedHrefs.set(image, baseVal);
    // Failed requests are reported elsewhere.
    return image.decode().catch(() => undefined);
  };

  /** Rejects when an image cannot be decoded and the page does not replace or remove it. */
  const checkSvgImage = async (image: SvgImage): Promise<void> => {
    const { baseVal } = image.href;
    const isBroken = await image.decode().then(
      () => false,
      () => baseVal !== '',
    );
    if (!isBroken) return;
    // The page's error handlers may replace or remove the image.
    await new Promise<void>((resolve) => realTimeout(resolve, 0));
    if (!image.isConnected) return;
    if (image.href.baseVal === baseVal) throw imageError(image, absoluteUrl(baseVal, document.baseURI));
    await checkSvgImage(image);
  };

  return {
    styleImages,
    trees: connectedTrees,
    images,
    svgImages,
    async load() {
      // `complete` reports what is broken.
      await Promise.all(loadingImages().map((image) => image.decode().catch(() => undefined)));
      await loadFonts(document);
    },
    async complete() {
      await Promise.all(images().map(decode));
      await Promise.all(svgImages().map(checkSvgImage));
      refuseBrokenFonts(document);
      const ofStyles = imagesOfStyles(connectedTrees());
      await Promise.all(ofStyles.map(({ url, needsConsent }) => loadStyleImage(url, needsConsent)));
      hasMoreFonts = [...document.fonts].some(({ status }) => status === 'unloaded');
    },
    pending() {
      const loading: (Promise<unknown> | undefined)[] = [
        ...loadingImages().map(decode),
        // Those that scripts have added and that have failed meanwhile.
        ...images()
          .filter((image) => isBroken(image) && reported.get(image) !== image.currentSrc)
          .map(decode),
        ...svgImages().map(decodeSvgImage),
      ];
      if (hasMoreFonts) {
        // Reading this property makes the browser determine which fonts the text needs.
        const { ready } = document.fonts;
        if (document.fonts.status === 'loading') loading.push(ready.then(() => refuseBrokenFonts(document)));
      }
      return loading.length === 0 ? undefined : Promise.all(loading);
    },
  };
}

/** The address itself if it is invalid. */
const absoluteUrl = (url: string, base: string): string => (URL.canParse(url, base) ? new URL(url, base).href : url);

const assetError = (broken: BrokenAsset): Error => new Error(`${assetErrorPrefix}${JSON.stringify(broken)}`);

const imageError = (image: Element, url: string): Error =>
  assetError({ kind: 'image', url, element: describeElement(image, ['id', 'class', 'alt']) });

const isBroken = (image: HTMLImageElement): boolean =>
  image.isConnected && image.complete && image.naturalWidth === 0 && image.currentSrc !== '';

async function exists(realFetch: typeof fetch, url: string): Promise<boolean> {
  const response = await realFetch(url, { method: 'HEAD', mode: 'no-cors' }).catch(() => undefined);
  // An opaque response of another site shows only that it exists.
  return response !== undefined && (response.ok || response.type === 'opaque');
}

/**
 * Loads all declared font faces now, because those of later scenes would otherwise load during the render. Faces for a
 * range of characters are loaded when the text contains such characters; some families have hundreds of them. Faces that fail
 * are reported by `refuseBrokenFonts`.
 */
async function loadFonts(document: Document): Promise<void> {
  const isForAll = ({ unicodeRange }: FontFace) => /^U\+0+-10FFFF$/i.test(unicodeRange);
  const faces = [...document.fonts].filter((face) => face.status === 'unloaded' && isForAll(face));
  await Promise.all(faces.map((face) => face.load().catch(() => undefined)));
  await document.fonts.ready;
}

/** Throws for declared faces that failed to load. Faces that a script has created are ignored: the script handles them. */
function refuseBrokenFonts(document: Document): void {
  const failed = [...document.fonts].filter(({ status }) => status === 'error');
  if (failed.length === 0) return;
  const sources = fontSources(document);
  for (const face of failed) {
    const sameFamily = sources.filter(({ family }) => family === familyName(face.family));
    const source = sameFamily.find(({ weight }) => weight === face.weight) ?? sameFamily[0];
    const url = source?.urls.at(-1);
    if (url !== undefined) throw assetError({ kind: 'font', url, element: `@font-face "${familyName(face.family)}"` });
  }
}
