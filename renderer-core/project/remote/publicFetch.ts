// `fetch` with restricted destinations. Addresses are checked when the connection is made, after the DNS lookup.

/** The hosts that a composition may connect to: all, or only those with public addresses. */
export type Network = 'any' | 'public';

export async function fetchOver(network: Network): Promise<typeof fetch> {
  if (network === 'any') return fetch;
  return (await import('./publicAgent.ts')).publicFetch;
}
