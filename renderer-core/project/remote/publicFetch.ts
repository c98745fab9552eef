// `fetch` with restricted destinations. Addresses are checked when the connection is made, after the DNS lookup.

/**
 * The hosts that a composition may connect to: all, or only those with public addresses. `proxy:<path>`: only those to which
 * the proxy at this Unix socket connects; for processes without a network.
 */
export type Network = 'any' | 'public' | `proxy:${string}`;

export async function fetchOver(network: Network): Promise<typeof fetch> {
  if (network === 'any') return fetch;
  if (network === 'public') return (await import('./publicAgent.ts')).publicFetch;
  return (await import('./proxyAgent.ts')).fetchThrough(network.slice('proxy:'.length));
}
