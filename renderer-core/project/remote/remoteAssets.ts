// Files of other hosts, fetched once: revalidated when the network is there, used as they are when it is not.
import type { Network } from './publicFetch.ts';
import { RemoteFailure, requestFile } from './remoteRequest.ts';
import { openRemoteStore, type StoredFile } from './remoteStore.ts';

export type RemoteAssets = {
  /**
   * The file at an http or https URL, asked for over the network at most once. Rejects with RemoteFailure, or UserError
   * where the cache cannot be written.
   */
  get(url: string, headers?: Record<string, string>): Promise<StoredFile>;
  /** Why a file could not be had, if it was asked for. */
  failure(url: string): Error | undefined;
  /** Ends what is under way. */
  close(): void;
};

/** `origin` is the page's; hosts see it as the one that asks. `network` is 'any' where it is left out. */
export type RemoteAssetOptions = { cache: string; origin: string; signal: AbortSignal; network?: Network };

/** Hosts turn away who asks for hundreds of files at once. */
const maxAtOnce = 12;

export function openRemoteAssets({ cache, origin, signal, network = 'any' }: RemoteAssetOptions): RemoteAssets {
  const closing = new AbortController();
  const ended = AbortSignal.any([signal, closing.signal]);
  const store = openRemoteStore(cache, origin);
  const asked = new Map<string, Promise<StoredFile>>();
  const failures = new Map<string, Error>();
  const inTurn = queue(maxAtOnce);

  async function load(url: string, headers: Record<string, string>): Promise<StoredFile> {
    const known = await store.find(url);
    const request = { url, headers: { ...headers, origin }, known: known?.headers, signal: ended, network };
    try {
      const file = await requestFile(request, (answer) => store.add(url, answer));
      return file === 'unchanged' ? (known as StoredFile) : file;
    } catch (error) {
      ended.throwIfAborted();
      // Without a network, or with a host in trouble, yesterday's file is better than none.
      if (known && error instanceof RemoteFailure && error.isPassing) return known;
      throw error;
    }
  }

  return {
    get(url, headers = {}) {
      const address = withoutFragment(url);
      const known = asked.get(address);
      if (known) return known;
      const work = inTurn(() => load(address, headers));
      asked.set(address, work);
      work.then(
        // The page follows redirects itself: it asks for the place where they end next.
        (file) => void asked.set(file.url, work),
        (error) => void failures.set(address, error),
      );
      return work;
    },
    failure: (url) => failures.get(withoutFragment(url)),
    close: () => closing.abort(),
  };
}

/** Runs so many at once, the others in their order. */
function queue(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // Whoever comes next takes the place over.
      if (next) next();
      else running--;
    }
  };
}

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');
