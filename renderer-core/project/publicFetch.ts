// `fetch` that connects to the public internet alone: names and addresses are judged where the connection is made.
import { isIP } from 'node:net';
import { isPublicAddress, notPublicError, publicLookup } from './publicAddress.ts';

/** Where requests for a project may go: anywhere, or to the public internet alone. */
export type Network = 'any' | 'public';

/** The platform's own `fetch` where anything may be reached. */
export async function fetchOver(network: Network): Promise<typeof fetch> {
  if (network === 'any') return fetch;
  loading ??= loadPublicFetch();
  return loading;
}

let loading: Promise<typeof fetch> | undefined;

// Loaded where it is needed: most renders never do.
async function loadPublicFetch(): Promise<typeof fetch> {
  const { Agent, buildConnector, fetch: fetchWith } = await import('undici');
  const connect = buildConnector({ lookup: publicLookup, timeout: 10_000 });
  const dispatcher = new Agent({
    connect(options, callback) {
      // Sockets look up names alone.
      const host = options.hostname.replace(/^\[(.*)\]$/s, '$1');
      if (isIP(host) && !isPublicAddress(host)) callback(notPublicError(options.hostname), null);
      else connect(options, callback);
    },
  });
  return ((input: string, init: object) => fetchWith(input, { ...init, dispatcher })) as unknown as typeof fetch;
}
