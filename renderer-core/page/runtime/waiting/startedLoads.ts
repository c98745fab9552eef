// Files that scripts load through elements: images, media, scripts and style sheets.
import { type Begin, endWith } from './begin.ts';

type Page = Window & typeof globalThis;

/** Images whose source a script sets, also outside of the document, as textures. */
export function watchImageSources({ HTMLImageElement: { prototype } }: Page, begin: Begin): void {
  const loading = new WeakMap<HTMLImageElement, () => void>();
  afterSource(prototype, (image) => {
    // The browser sends events for the newest source only, and loads no lazy image that is not shown.
    loading.get(image)?.();
    if (image.getAttribute('src') && image.loading !== 'lazy')
      loading.set(image, endWith(image, ['load', 'error'], begin(image.src)));
  });
}

/** Media outside of the document, of which scripts read the length, the size or frames. The others follow the clock. */
export function watchMediaSources({ HTMLMediaElement: { prototype } }: Page, begin: Begin): void {
  afterSource(prototype, (media) => {
    if (media.isConnected || !media.getAttribute('src') || media.preload === 'none') return;
    endWith(media, ['loadedmetadata', 'error', 'emptied'], begin(media.src));
  });
}

/** Calls `then` after a script has set the property `src` of an element. */
function afterSource<Found extends HTMLElement>(prototype: Found, then: (element: Found) => void): void {
  const source = Object.getOwnPropertyDescriptor(prototype, 'src');
  if (!source?.set) return;
  const { set } = source;
  Object.defineProperty(prototype, 'src', {
    ...source,
    set(this: Found, url: string) {
      set.call(this, url);
      then(this);
    },
  });
}

type Loading = HTMLScriptElement | HTMLLinkElement | HTMLImageElement;

/** Files of elements that scripts insert. `find` begins with those that were inserted since the last call. */
export function watchInsertedFiles(window: Page, begin: Begin): { find(): void } {
  const { document } = window;
  /** Scripts that a script has created and not inserted yet. Scripts of markup do not run when they are inserted or moved. */
  const created = new Set<HTMLScriptElement>();
  for (const name of ['createElement', 'createElementNS'] as const) {
    const create = document[name] as (...args: unknown[]) => Element;
    Object.assign(document, {
      [name](this: Document, ...args: unknown[]) {
        const element = create.apply(this, args);
        if (element instanceof window.HTMLScriptElement) created.add(element);
        return element;
      },
    });
  }
  const links = document.getElementsByTagName('link');
  const images = document.getElementsByTagName('img');
  const waiting = new Map<Loading, () => void>();
  /** The addresses of links that have been loaded, or could not be. */
  const ended = new WeakMap<Node, string>();
  const wait = (element: Loading, url: string): void => {
    if (!waiting.has(element)) waiting.set(element, begin(url));
  };
  const end = (element: Loading): void => {
    waiting.get(element)?.();
    waiting.delete(element);
  };
  for (const type of ['load', 'error'])
    document.addEventListener(
      type,
      ({ target }) => {
        if (target instanceof window.HTMLLinkElement) ended.set(target, target.href);
        end(target as Loading);
      },
      true,
    );
  // The browser itself waits for those that are inserted before.
  window.addEventListener('load', () => {
    for (const link of links) ended.set(link, link.href);
    for (const script of created) if (script.isConnected) created.delete(script);
  });
  return {
    find() {
      if (document.readyState !== 'complete') return;
      for (const script of created) {
        if (!script.isConnected) continue;
        created.delete(script);
        if (script.matches(loadedScripts)) wait(script, script.src);
      }
      for (const link of links)
        if (!link.sheet && ended.get(link) !== link.href && link.matches(loadedSheets)) wait(link, link.href);
      for (const image of images) if (!image.complete && image.loading !== 'lazy') wait(image, image.currentSrc);
      // Those that are removed send no event.
      for (const element of waiting.keys()) if (!element.isConnected) end(element);
    },
  };
}

const loadedSheets =
  'link[rel~="stylesheet" i][href]:not([href=""]):not([disabled]):is(:not([type]),[type=""],[type="text/css" i])';
const loadedScripts =
  'script[src]:not([src=""]):not([nomodule]):is(:not([type]),[type=""],[type="module" i],[type$="/javascript" i])';
