// Loads files of other hosts through a cache. Cached files are revalidated, and used without revalidation when offline.
import pLimit from 'p-limit';
import type { Network } from './publicFetch.ts';
import { RemoteFailure, type RemoteRequest, requestFile } from './remoteRequest.ts';
import { openRemoteStore, type StoredFile } from './remoteStore.ts';

export type RemoteAssets = {
  /**
   * Returns the file of an http or https URL; requests it at most once. Rejects with RemoteFailure, or with UserError
   * when the cache cannot be written.
   */
  get(url: string, headers?: Record<string, string>): Promise<StoredFile>;
  /** The error of an earlier `get`. */
  failure(url: string): Error | undefined;
  /** Whether any file was requested. */
  isUsed(): boolean;
  /** Aborts running requests. */
  close(): void;
};

/** `origin` is the origin of the page, sent with every request. `network` defaults to 'any'. */
export type RemoteAssetOptions = {
  cache: string;
  origin: string;
  signal: AbortSignal;
  network?: Network;
  mayLoadFrom?: RemoteRequest['mayLoadFrom'];
};

/** Hosts refuse clients that send hundreds of requests at once. */
const maxConcurrent = 12;

export function openRemoteAssets({
  cache,
  origin,
  signal,
  network = 'any',
  mayLoadFrom,
}: RemoteAssetOptions): RemoteAssets {
  const closing = new AbortController();
  const ended = AbortSignal.any([signal, closing.signal]);
  const store = openRemoteStore(cache, origin);
  const requested = new Map<string, Promise<StoredFile>>();
  const failures = new Map<string, Error>();
  const limit = pLimit(maxConcurrent);

  async function load(url: string, headers: Record<string, string>): Promise<StoredFile> {
    const known = await store.find(url);
    const rules = { signal: ended, network, mayLoadFrom };
    const request = { url, headers: { ...headers, origin }, known: known?.headers, ...rules };
    try {
      const file = await requestFile(request, (response) => store.add(url, response));
      return file === 'unchanged' ? (known as StoredFile) : file;
    } catch (error) {
      ended.throwIfAborted();
      // An outdated file is better than none.
      if (known && error instanceof RemoteFailure && error.isTemporary) return known;
      throw error;
    }
  }

  return {
    get(url, headers = {}) {
      const address = withoutFragment(url);
      const known = requested.get(address);
      if (known) return known;
      const work = limit(() => load(address, headers));
      requested.set(address, work);
      work.then(
        // The page follows redirects itself and requests the final URL next.
        (file) => void requested.set(file.url, work),
        (error) => void failures.set(address, error),
      );
      return work;
    },
    failure: (url) => failures.get(withoutFragment(url)),
    isUsed: () => requested.size > 0,
    close: () => closing.abort(),
  };
}

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');
