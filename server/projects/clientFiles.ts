// Reads files through the client: in virtual workspaces, and everything when this server runs in a web worker.

import type { ClientRequests } from '../protocol.ts';
import { type ByteSource, decoded, type Files, maxTextBytes, skippedFolders } from './files.ts';

/** Media files are transferred whole, so larger ones are not read, and their duration is unknown. */
const maxMediaBytes = 64 * 1024 * 1024;

/** Sends a request to the client; rejects when the client fails to answer. */
export type AskClient = <Method extends keyof ClientRequests>(
  method: Method,
  params: ClientRequests[Method]['params'],
) => Promise<ClientRequests[Method]['result']>;

export function createClientFiles(ask: AskClient): Files {
  const read = async (uri: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    // A file that the client cannot read is as good as missing.
    const text = await ask('framework/readFile', { uri, maxBytes }).catch(() => null);
    return text === null ? undefined : bytesOf(text);
  };
  return {
    list: (uri, limit) =>
      ask('framework/listFiles', { uri, skip: skippedFolders, limit }).catch(() => ({ paths: [], isComplete: false })),
    readText: async (uri) => {
      const bytes = await read(uri, maxTextBytes);
      return bytes && decoded(bytes, uri);
    },
    openBytes: async (uri) => {
      const bytes = await read(uri, maxMediaBytes);
      return bytes && sourceOf(bytes);
    },
  };
}

const sourceOf = (bytes: Uint8Array<ArrayBuffer>): ByteSource => ({
  size: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
  close: () => undefined,
});

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
