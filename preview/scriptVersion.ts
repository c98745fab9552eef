// Scripts of embedded files, under addresses that change with them: only what was edited is loaded again.
import { createHash } from 'node:crypto';
import type { VirtualAnswer } from '../project/server.ts';

/** The query of a script's address. */
export const versionOf = (text: string): string =>
  `?v=${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;

/** Who asks for another version gets this one, and may not keep it. */
export const versionedScript =
  (text: string): VirtualAnswer =>
  async (query) => ({
    body: text,
    type: 'text/javascript; charset=utf-8',
    stays: `?${query}` === versionOf(text),
  });
