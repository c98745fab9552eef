// Limits the size of request bodies that are read into memory.
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

export type BodyLimit = {
  /** In bytes. */
  maxSize: number;
  onError: (c: Context) => Response | Promise<Response>;
};

/** Also limits bodies of unknown length (`Transfer-Encoding: chunked`). */
export function limitBody(limit: BodyLimit): MiddlewareHandler {
  const limited = bodyLimit(limit);
  return async (c, next) => {
    const { url, method, headers, body } = c.req.raw;
    // To count the bytes, the library copies the request, and it can copy only those of the platform. The adapter's are not.
    if (body !== null && headers.has('transfer-encoding'))
      c.req.raw = new Request(url, { method, headers, body, duplex: 'half' } as RequestInit);
    return limited(c, next);
  };
}
