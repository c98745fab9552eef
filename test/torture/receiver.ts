// Receives webhooks. It rejects or ignores the first attempt of some, by the seed.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { seeded } from './random.ts';

export type Received = { headers: IncomingHttpHeaders; body: string };
export type HookReceiver = { url: string; received: Received[]; stop(): void };

export async function startHookReceiver(seed: number): Promise<HookReceiver> {
  const random = seeded(seed, 'webhooks');
  const received: Received[] = [];
  const known = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    // The sender was killed before it had sent everything.
    if (body === undefined) return;
    received.push({ headers: request.headers, body });
    const id = String(request.headers['webhook-id']);
    const answer = known.has(id) ? 'accept' : random.weighted({ accept: 90, reject: 8, cut: 2 });
    known.add(id);
    if (answer === 'cut') request.socket.destroy();
    else response.writeHead(answer === 'reject' ? 500 : 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
