// URLs of embedded files' scripts that change with their content, so that only edited scripts are loaded again.
import { createHash } from 'node:crypto';
import type { VirtualFileHandler } from '../renderer-core/project/serve/projectServer.ts';

/** The query of a script's URL. */
export const versionOf = (text: string): string =>
  `?v=${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;

/** Serves the current version for all queries. Browsers may cache it only for the matching query. */
export const versionedScript =
  (text: string): VirtualFileHandler =>
  async (query) => ({
    body: text,
    type: 'text/javascript; charset=utf-8',
    immutable: `?${query}` === versionOf(text),
  });
