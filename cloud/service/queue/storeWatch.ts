// Holds renders back while the object store is not available: they would render a whole video, and fail to store it.
import type { ServiceContext } from '../context.ts';
import { isStoreUnavailable } from '../storage/unavailable.ts';

export type StoreWatch = {
  /** Whether `error`, which has ended a render, is one of a store that is not available. */
  hasEnded(error: unknown): boolean;
  /** Whether renders can start. After an error, it asks the store again until there is an answer. */
  isReady(): Promise<boolean>;
};

/** A valid key, so that any store answers this with "not found". */
const noObject = 'videos/none.mp4';

/** `pauseMs`: between two questions. */
export function watchStore({ objects, log, now }: ServiceContext, pauseMs: number): StoreWatch {
  let askAt: number | null = null;
  return {
    hasEnded(error) {
      if (!isStoreUnavailable(error)) return false;
      if (askAt === null)
        log('error', 'the object store or the database is not available; no renders start', { error: String(error) });
      askAt = now() + pauseMs;
      return true;
    },
    async isReady() {
      if (askAt === null) return true;
      if (now() < askAt) return false;
      try {
        await objects.size(noObject);
      } catch {
        askAt = now() + pauseMs;
        return false;
      }
      askAt = null;
      log('info', 'the object store is available again');
      return true;
    },
  };
}
