// Another host, for tests of files that come over the network: a real server that keeps what it was asked.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export type Answer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Begins the body and never ends it. */
  hangs?: boolean;
  /** Waits before it answers. */
  afterMs?: number;
  /** Ends the connection behind the body, although more was promised. */
  cuts?: boolean;
};

/** What a path gives: the same each time, or by how often it was asked before and with which headers. */
type Answers = Record<string, Answer | ((before: number, headers: IncomingHttpHeaders) => Answer)>;

export type Host = {
  origin: string;
  /** `GET /a.png`, in order. */
  requests: string[];
  /** The most requests that were under way at one time. */
  mostAtOnce(): number;
  close(): Promise<void>;
};

/** Where nobody listens: systems give out no ports as low as this one to who asks for any. */
export const nobodysOrigin = 'http://127.0.0.1:28765';

/** Listens on 127.0.0.1 until the test ends; what it does not have is 404. */
export async function startHost(answers: Answers): Promise<Host> {
  const requests: string[] = [];
  let running = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++running);
    response.on('close', () => running--);
    const asked = `${request.method} ${request.url}`;
    const before = requests.filter((earlier) => earlier === asked).length;
    requests.push(asked);
    const given = answers[request.url ?? ''] ?? { status: 404, body: 'not here' };
    const {
      status = 200,
      headers = {},
      body = '',
      afterMs,
      hangs,
      cuts,
    } = typeof given === 'function' ? given(before, request.headers) : given;
    if (afterMs) await sleep(afterMs);
    response.writeHead(status, headers);
    if (cuts) response.write(body, () => response.destroy());
    else if (hangs) response.write(body);
    else response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    requests,
    mostAtOnce: () => most,
    close,
  };
}
