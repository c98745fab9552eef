// The encoding of served files that declare none.

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { declaredEncoding } from '../../model/text/textEncoding.ts';

/**
 * Served pages are UTF-8, but files without a declaration have the encoding of the author's page: `page`, or one of `fallbacks`,
 * which has the files that the page names.
 */
export type FallbackEncodings = { page: string; fallbacks: ReadonlyMap<string, string> };

/** Kinds of requests (`Sec-Fetch-Dest`) whose responses have the encoding of the page if they declare none. */
const inheriting = new Set(['style', 'script', 'iframe', 'frame', 'object', 'embed']);

/** Declarations are at the start of a file. */
const searchedBytes = 64 * 1024;

/** The content type for the browser. Its encoding takes precedence over declarations, so it has none where the browser finds it. */
export async function typeWithEncoding(
  { type, size, read }: { type: string; size: number; read(start: number, end: number): Readable },
  { path, destination }: { path: string; destination: unknown },
  { page, fallbacks }: FallbackEncodings,
): Promise<string> {
  const fallback = fallbacks.get(path) ?? page;
  const isText = /^text\/(?:css|html|javascript)$/.test(type) && size > 0;
  if (fallback === 'utf-8' || !isText || !inheriting.has(String(destination))) return type;
  const start = await buffer(read(0, Math.min(size, searchedBytes) - 1));
  return declaredEncoding(start, path) === null ? `${type}; charset=${fallback}` : type;
}
