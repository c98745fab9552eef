// Reads files through the client: in virtual workspaces, and everything when this server runs in a web worker.
import { type ByteSource, type Files, maxTextBytes, skippedFolders, stripByteOrderMark } from './files.ts';
import type { ClientRequests } from './protocol.ts';

/** Media files are transferred whole, so larger ones are not read, and their duration is unknown. */
const maxMediaBytes = 64 * 1024 * 1024;

/** Sends a request to the client; rejects when the client fails to answer. */
export type AskClient = <Method extends keyof ClientRequests>(
  method: Method,
  params: ClientRequests[Method]['params'],
) => Promise<ClientRequests[Method]['result']>;

export function createClientFiles(ask: AskClient): Files {
  const read = (uri: string, as: 'text' | 'base64', maxBytes: number) =>
    ask('framework/readFile', { uri, as, maxBytes }).catch(() => null);
  return {
    list: (uri, limit) =>
      ask('framework/listFiles', { uri, skip: skippedFolders, limit }).catch(() => ({ paths: [], isComplete: false })),
    readText: async (uri) => {
      const text = await read(uri, 'text', maxTextBytes);
      return text === null ? undefined : stripByteOrderMark(text);
    },
    openBytes: async (uri) => {
      const text = await read(uri, 'base64', maxMediaBytes);
      return text === null ? undefined : sourceOf(text);
    },
  };
}

function sourceOf(base64: string): ByteSource | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end), close: () => undefined };
  } catch {
    return undefined;
  }
}
