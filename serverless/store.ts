// What the steps of a render need of the place for their files: a bucket, or a folder that several machines share.

export type Store = {
  /** Bytes of an object; undefined when it does not exist. */
  size(key: string): Promise<number | undefined>;
  getJson<T>(key: string): Promise<T | undefined>;
  putJson(key: string, value: unknown): Promise<void>;
  /** Keys with a prefix, with their sizes. `deep: false` leaves out keys with a slash after the prefix. */
  list(prefix: string, options?: { deep: boolean }): Promise<ListedObject[]>;
  upload(key: string, path: string, contentType: string): Promise<void>;
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Starts an object that is sent in parts, in any order. It appears when it is completed. */
  startParts(key: string, contentType: string): Promise<Parts>;
  /** Writes the file at `path` atomically. Rejects when the object does not exist. */
  download(key: string, path: string): Promise<void>;
};

export type Parts = {
  /** Numbers start with 1. Parts have at least 5 MiB, except the last one. A part that is sent again replaces the earlier one. */
  send(number: number, bytes: Buffer): Promise<void>;
  /** Puts the parts together up to number `last`. */
  complete(last: number): Promise<void>;
  /** Discards all parts. */
  abort(): Promise<void>;
};

export type ListedObject = { key: string; bytes: number; modifiedAt: Date };
