// Detects that a page is ready for its first frame: everything that its scripts have started at load time has finished.
import type { Assets } from './assetLoader.ts';

export type Readiness = {
  /** Resolves when the document, its fonts and images are loaded and all requests of scripts have finished. */
  settled(runDue: () => Promise<boolean>, isLoading: () => boolean): Promise<void>;
};

/** Watches what scripts load. Call before `installClock`, because it needs the browser's own timer. */
export function watchReadiness(window: Window & typeof globalThis, assets: Assets): Readiness {
  const { document } = window;
  const realTimeout = window.setTimeout.bind(window);
  let requests = 0;
  const track: Track = (work) => {
    requests++;
    return work.finally(() => requests--);
  };

  const { fetch } = window;
  window.fetch = (...args: Parameters<typeof fetch>) =>
    track(fetch(...args)).catch((error: Error) => {
      // The browser's message does not say what failed to load.
      if (error instanceof window.TypeError)
        error.message += `: ${args[0] instanceof window.Request ? args[0].url : args[0]}`;
      throw error;
    });
  const { send } = window.XMLHttpRequest.prototype;
  window.XMLHttpRequest.prototype.send = function (this: XMLHttpRequest, ...args: Parameters<typeof send>) {
    void track(new Promise<void>((resolve) => this.addEventListener('loadend', () => resolve(), { once: true })));
    send.apply(this, args);
  };

  // After a response has arrived, its body is still being read, and WebAssembly compiled.
  for (const name of ['arrayBuffer', 'blob', 'formData', 'json', 'text'] as const)
    trackMethod(window.Response.prototype, name, track);
  for (const name of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'] as const)
    trackMethod(window.WebAssembly, name, track);
  for (const name of ['arrayBuffer', 'text'] as const) trackMethod(window.Blob.prototype, name, track);
  trackMethod(window.FontFace.prototype, 'load', track);
  const { createImageBitmap } = window;
  // Mounts call it with another `this`.
  Object.assign(window, {
    createImageBitmap: (...args: unknown[]) => track(Reflect.apply(createImageBitmap, window, args)),
  });
  const stopImages = trackImages(window, track);
  const inserted = watchInsertedFiles(window, realTimeout);

  const nextTask = () => new Promise<void>((resolve) => realTimeout(resolve, 0));
  const loaded = new Promise<void>((resolve) => {
    if (document.readyState === 'complete') resolve();
    else window.addEventListener('load', () => resolve(), { once: true });
  });

  return {
    async settled(runDue, isLoading) {
      await loaded;
      for (let quiet = 0; quiet < 2; ) {
        await assets.load();
        const busy = (await runDue()) || isLoading() || requests > 0;
        await nextTask();
        quiet = busy || requests > 0 || inserted.areLoading() ? 0 : quiet + 1;
      }
      inserted.stop();
      stopImages();
      await assets.complete();
    },
  };
}

/** Images outside of the document, as textures: those in it are found by `assets`. Returns a function that ends this. */
function trackImages({ HTMLImageElement: { prototype } }: Window & typeof globalThis, track: Track): () => void {
  const source = Object.getOwnPropertyDescriptor(prototype, 'src');
  if (!source?.set) return () => undefined;
  const { set } = source;
  Object.defineProperty(prototype, 'src', {
    ...source,
    set(this: HTMLImageElement, url: string) {
      set.call(this, url);
      // The page's own handlers decide about an image that fails.
      if (!this.complete && !this.isConnected && this.loading !== 'lazy')
        void track(this.decode()).catch(() => undefined);
    },
  });
  return () => Object.defineProperty(prototype, 'src', source);
}

/** How long to wait for an inserted file, in milliseconds: the browser does not load some of them, and sends no event. */
const longestLoad = 10_000;

/** Scripts and style sheets that are inserted after the browser has loaded the page. */
function watchInsertedFiles(
  window: Window & typeof globalThis,
  timeout: (callback: () => void, ms: number) => unknown,
): { areLoading(): boolean; stop(): void } {
  const { document } = window;
  const loading = new Set<Element>();
  /** Scripts of markup do not run when they are inserted or moved. */
  const created = new WeakSet<Element>();
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
  const loads = (element: Element): boolean =>
    element.matches(loadedSheets) || (created.delete(element) && element.matches(loadedScripts));
  const observer = new window.MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof window.Element)) continue;
      for (const element of [node, ...node.querySelectorAll('script,link')]) {
        if (!loads(element)) continue;
        loading.add(element);
        const end = () => loading.delete(element);
        for (const type of ['load', 'error']) element.addEventListener(type, end);
        timeout(end, longestLoad);
      }
    }
  });
  window.addEventListener('load', () => observer.observe(document, { childList: true, subtree: true }));
  return {
    areLoading: () => [...loading].some(({ isConnected }) => isConnected),
    stop: () => observer.disconnect(),
  };
}

const loadedSheets =
  'link[rel~="stylesheet" i][href]:not([href=""]):not([disabled]):is(:not([type]),[type=""],[type="text/css" i])';
const loadedScripts =
  'script[src]:not([src=""]):not([nomodule]):is(:not([type]),[type=""],[type="module" i],[type="text/javascript" i])';

type Track = <T>(work: Promise<T>) => Promise<T>;

/** Replaces a method that returns a promise with one whose promise is tracked. */
function trackMethod(owner: object, name: string, track: Track): void {
  const method = Reflect.get(owner, name) as (...args: unknown[]) => Promise<unknown>;
  Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
    return track(method.apply(this, args));
  });
}
