import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, listenInTest, stopListening } from '../../support/servers/listen.ts';

export type Asked = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

/** An answer: a status, or more of it; an object as body becomes JSON. */
export type Answer = number | { status?: number; headers?: Record<string, string>; body?: unknown };

/** `answer` also receives the number of the request, from 0. Closed when the test ends. */
export async function answering(answer: (asked: Asked, index: number) => Answer | Promise<Answer>) {
  const asked: Asked[] = [];
  const url = await serving(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url: path = '', headers } = request;
    const one = { method, url: path, headers, body: Buffer.concat(chunks).toString() };
    asked.push(one);
    const given = await answer(one, asked.length - 1);
    const { status = 200, headers: more = {}, body = {} } = typeof given === 'number' ? { status: given } : given;
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { url, asked };
}

export async function serving(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  const server = createServer(async (request, response) => {
    try {
      await handle(request, response);
    } catch (error) {
      response.destroy(error as Error);
    }
  });
  return listenInTest(server);
}

/** A local address without a server. */
export async function closedAddress(): Promise<string> {
  const server = createServer();
  const address = await listen(server);
  await stopListening(server);
  return address;
}
