// `fetch` that connects to the public internet alone: names and addresses are judged where the connection is made.

/** Where requests for a project may go: anywhere, or to the public internet alone. */
export type Network = 'any' | 'public';

/** The platform's own `fetch` where anything may be reached. */
export async function fetchOver(network: Network): Promise<typeof fetch> {
  if (network === 'any') return fetch;
  return (await import('./publicAgent.ts')).publicFetch;
}
