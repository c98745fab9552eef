// Waits for what scripts have started and the browser does meanwhile: requests, decoding, reading. Its result belongs to the
// frame of the time at which it was started, however long it takes on this machine.

import { loadingErrorPrefix, trackedImport } from '../page.ts';
import { type Begin, endWith } from './begin.ts';
import { watchImageSources, watchInsertedFiles, watchMediaSources } from './startedLoads.ts';

type Page = Window & typeof globalThis;

export type StartedWork = {
  isPending(): boolean;
  /** Resolves when nothing is pending. Rejects with the names of what is, if it takes longer than a frame may. */
  done(): Promise<void>;
  /** The page is ready: from now on, work may only take as long as a frame may. */
  begin(): void;
};

/** The page as a whole may take a little longer. */
const longestStartMs = 50_000;
const longestFrameMs = 10_000;

/** Call before the clock is installed. */
export function watchStartedWork(window: Page): StartedWork {
  const timeout = window.setTimeout.bind(window);
  const clear = window.clearTimeout.bind(window);
  const pending = new Set<{ name: string }>();
  let ended: () => void = () => undefined;
  let longestMs = longestStartMs;
  const begin: Begin = (name) => {
    const work = { name };
    pending.add(work);
    return () => {
      if (pending.delete(work) && pending.size === 0) ended();
    };
  };
  const track: Track = (work, name) => work.finally(begin(name));
  watchRequests(window, begin, track);
  watchReaders(window, begin);
  watchPromises(window, track);
  watchDatabases(window, begin);
  watchMediaSources(window, begin);
  watchImageSources(window, begin);
  Object.defineProperty(window, Symbol.for(trackedImport), { value: track });
  const inserted = watchInsertedFiles(window, begin);
  const isPending = () => {
    inserted.find();
    return pending.size > 0;
  };

  return {
    isPending,
    begin() {
      longestMs = longestFrameMs;
    },
    async done() {
      if (!isPending()) return;
      const isDone = await new Promise<boolean>((resolve) => {
        const late = timeout(() => resolve(false), longestMs);
        ended = () => {
          clear(late);
          resolve(true);
        };
      });
      ended = () => undefined;
      if (isDone) return;
      const names = [...new Set([...pending].map(({ name }) => name))];
      // What has not ended by now may never end.
      pending.clear();
      throw new Error(`${loadingErrorPrefix}${JSON.stringify({ names, seconds: longestMs / 1000 })}`);
    },
  };
}

type Track = <T>(work: Promise<T>, name: string) => Promise<T>;

function watchRequests(window: Page, begin: Begin, track: Track): void {
  const { fetch } = window;
  const urlOf = (resource: unknown): string => (resource instanceof window.Request ? resource.url : String(resource));
  window.fetch = (...args: Parameters<typeof fetch>) =>
    track(fetch(...args), urlOf(args[0])).catch((error: Error) => {
      // The browser's message does not say what failed to load.
      if (error instanceof window.TypeError) error.message += `: ${urlOf(args[0])}`;
      throw error;
    });
  const urls = new WeakMap<XMLHttpRequest, string>();
  const { open, send } = window.XMLHttpRequest.prototype;
  Object.assign(window.XMLHttpRequest.prototype, {
    open(this: XMLHttpRequest, ...args: unknown[]) {
      urls.set(this, String(args[1]));
      Reflect.apply(open, this, args);
    },
    send(this: XMLHttpRequest, ...args: unknown[]) {
      Reflect.apply(send, this, args);
      if (this.readyState < XMLHttpRequest.DONE) endWith(this, ['loadend'], begin(urls.get(this) ?? 'XMLHttpRequest'));
    },
  });
}

/** Work whose result arrives in an event or a callback. */
function watchReaders(window: Page, begin: Begin): void {
  const { prototype } = window.FileReader;
  for (const name of ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText'] as const) {
    const read = prototype[name] as (...args: unknown[]) => void;
    prototype[name] = function (this: FileReader, ...args: unknown[]) {
      read.apply(this, args);
      endWith(this, ['loadend'], begin(`FileReader.${name}()`));
    };
  }
  const { toBlob } = window.HTMLCanvasElement.prototype;
  window.HTMLCanvasElement.prototype.toBlob = function (this: HTMLCanvasElement, callback, ...options) {
    const end = begin('canvas.toBlob()');
    const done: BlobCallback = (blob) => {
      end();
      callback(blob);
    };
    try {
      toBlob.call(this, done, ...options);
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** Methods that return a promise of something that the browser does. */
function watchPromises(window: Page, track: Track): void {
  const trackMethods = (owner: object | undefined, names: readonly string[]): void => {
    for (const name of names) {
      const method: unknown = owner && Reflect.get(owner, name);
      if (!owner || typeof method !== 'function') continue;
      const tracked = function (this: unknown, ...args: unknown[]) {
        const { url, src } = (this ?? {}) as { url?: string; src?: string };
        return track(method.apply(this, args), url || src || `${name}()`);
      };
      Reflect.defineProperty(owner, name, { value: tracked, configurable: true, enumerable: true, writable: true });
    }
  };
  const { Response, Blob, FontFace, HTMLImageElement, SubtleCrypto, OffscreenCanvas } = window;
  const { BaseAudioContext, OfflineAudioContext, Worklet, CacheStorage, Cache } = window;
  // After a response has arrived, its body is still being read.
  trackMethods(Response.prototype, ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']);
  trackMethods(Blob.prototype, ['arrayBuffer', 'bytes', 'text']);
  trackMethods(window.WebAssembly, ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming']);
  trackMethods(FontFace.prototype, ['load']);
  trackMethods(Object.getPrototypeOf(window.document.fonts), ['load']);
  trackMethods(HTMLImageElement.prototype, ['decode']);
  trackMethods(OffscreenCanvas.prototype, ['convertToBlob']);
  trackMethods(BaseAudioContext?.prototype, ['decodeAudioData']);
  trackMethods(OfflineAudioContext?.prototype, ['startRendering']);
  trackMethods(Worklet?.prototype, ['addModule']);
  for (const owner of [SubtleCrypto, CacheStorage, Cache])
    if (owner)
      trackMethods(
        owner.prototype,
        Object.getOwnPropertyNames(owner.prototype).filter((name) => name !== 'constructor'),
      );
  const { createImageBitmap } = window;
  // Mounts call it with another `this`.
  Object.assign(window, {
    createImageBitmap: (...args: unknown[]) =>
      track(Reflect.apply(createImageBitmap, window, args), 'createImageBitmap()'),
  });
}

/**
 * Requests and transactions of databases. A request ends with an event. Opening a database also waits for the transaction that
 * creates its stores.
 */
function watchDatabases(window: Window & typeof globalThis, begin: Begin): void {
  const { IDBFactory, IDBObjectStore, IDBIndex, IDBCursor, IDBRequest, IDBDatabase } = window;
  const owners = { IDBFactory, IDBObjectStore, IDBIndex, IDBCursor };
  for (const [owner, { prototype }] of Object.entries(owners)) {
    for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (typeof method !== 'function' || name === 'constructor') continue;
      Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]) {
        const result: unknown = method.apply(this, args);
        if (result instanceof IDBRequest) endWith(result, ['success', 'error'], begin(`${owner}.${name}()`));
        return result;
      });
    }
  }
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args) {
    const started = transaction.apply(this, args);
    endWith(started, ['complete', 'abort'], begin('IDBDatabase.transaction()'));
    return started;
  };
}
