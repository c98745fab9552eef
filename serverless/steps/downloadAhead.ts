// Downloads files in the order in which they are used, some of them ahead.

/** What may be on the disk in addition to a video: three parts of 12 Mbit/s and four minutes. */
const defaultBytesAhead = 1024 ** 3;

export type Ahead = {
  /** Resolves when the file with this index is there. The files before it may be gone. */
  arrival(index: number): Promise<void>;
  /** Resolves when no download is running any more. */
  ended(): Promise<void>;
};

/** `sizes`: of the files, in bytes. Starts with the first ones immediately. */
export function downloadAhead(
  sizes: readonly number[],
  download: (index: number) => Promise<void>,
  maxBytes = defaultBytesAhead,
): Ahead {
  const started: Promise<void>[] = [];
  /** Bytes of the files that were started and are not in front of the one that is needed. */
  let bytes = 0;
  let needed = 0;
  const startUpTo = (index: number) => {
    for (; needed < index; needed++) bytes -= sizes[needed] ?? 0;
    for (let next = started.length; next < sizes.length; next++) {
      const size = sizes[next] ?? 0;
      if (next > index && bytes + size > maxBytes) return;
      bytes += size;
      const file = download(next);
      // Reported when it is needed.
      file.catch(() => undefined);
      started.push(file);
    }
  };
  startUpTo(0);
  return {
    async arrival(index) {
      startUpTo(index);
      await started[index];
    },
    ended: async () => void (await Promise.allSettled(started)),
  };
}
