// Delivers the files of all servers of this process as a slow network does: pages in pieces, other files in changing order.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** In milliseconds. The page runs what it has before the next piece arrives. */
const pause = 12;
/** In milliseconds: a file of the project arrives up to this much later. */
const longestDelay = 30;
const piecesOfPage = 5;

/** Delivers files like this while `use` runs. The same `seed` cuts pages at the same positions. */
export async function deliveredInPieces<T>(seed: number, use: () => Promise<T>): Promise<T> {
  const loading = new Set<ServerResponse>();
  const onRequest = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    slow(response, request.url ?? '', random(`${seed} ${request.url}`), loading);
  };
  subscribe('http.server.request.start', onRequest);
  try {
    return await use();
  } finally {
    unsubscribe('http.server.request.start', onRequest);
  }
}

/** `loading` are the responses that pages wait for. */
function slow(response: ServerResponse, url: string, next: () => number, loading: Set<ServerResponse>): void {
  const chunks: Buffer[] = [];
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  loading.add(response);
  const sendPage = async () => {
    loading.delete(response);
    for (const piece of cut(Buffer.concat(chunks), next)) {
      write(piece);
      // Parsers wait for scripts and style sheets, and would then have several pieces at once.
      do await wait(pause);
      while (loading.size > 0);
    }
    end();
  };
  const sendFile = async () => {
    if (!url.startsWith('/__framework/')) await wait(next() * longestDelay);
    for (const chunk of chunks) write(chunk);
    end();
    loading.delete(response);
  };
  const send = () => (String(response.getHeader('content-type')).startsWith('text/html') ? sendPage() : sendFile());
  Object.assign(response, {
    write: (chunk: Uint8Array) => chunks.push(Buffer.from(chunk)) > 0,
    end: (chunk?: string | Uint8Array) => {
      if (chunk !== undefined) chunks.push(Buffer.from(chunk));
      void send();
      return response;
    },
  });
}

/** Positions where parsers pause: after scripts and start tags, in words, in tags. */
const cutPositions = [/<\/script>/g, /<(?!script|style)\w[^<>]*>(?=[^\s<])/g, />[^<>]*\w(?=\w)/g, /<\w+(?= )/g];

function cut(body: Buffer, next: () => number): Buffer[] {
  const page = body.toString('latin1');
  const start = Math.max(0, page.indexOf('<body'));
  const ends = Array.from({ length: piecesOfPage - 1 }, () => {
    const kind = cutPositions[Math.floor(next() * cutPositions.length)] ?? /$/g;
    const found = [...page.matchAll(kind)].map((match) => match.index + match[0].length).filter((at) => at > start);
    return found[Math.floor(next() * found.length)] ?? start;
  });
  const sorted = [0, ...ends.sort((a, b) => a - b), body.length];
  return sorted.slice(1).map((at, index) => body.subarray(sorted[index], at));
}

/** Numbers from 0 to 1 (mulberry32). */
function random(text: string): () => number {
  let state = [...text].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0)) | 0, 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
