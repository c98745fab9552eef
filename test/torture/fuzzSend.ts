// Sends a request of the fuzzer as it is, also if no HTTP library would, and returns the response.
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { FuzzRequest } from './fuzzRequests.ts';

export type FuzzResponse = { status: number; type: string; text: string };

export type Sendable = Pick<FuzzRequest, 'method' | 'path' | 'headers' | 'body' | 'raw' | 'isCut'>;

/** Headers that say where a body ends, or keep the connection open. The service waits for what they announce. */
const framing = /^(?:content-length|transfer-encoding|expect|upgrade|connection|te)$/i;

/** Whether the service may wait for more, or close the connection without a response. */
export const mayStayOpen = ({ raw, isCut, headers, method, path }: Sendable): boolean =>
  raw !== undefined ||
  headerBytes(path, headers) > maxHeaderBytes ||
  isCut === true ||
  method === 'TRACE' ||
  headers.some(([name]) => framing.test(name));

/** The limit of Node, which closes the connection before it has read the rest, which often removes its response. */
const maxHeaderBytes = 15_000;

const headerBytes = (path: string, headers: Sendable['headers']): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value) + 4, path.length);

/** `undefined`: there was no response. */
export type Send = (request: Sendable) => Promise<FuzzResponse | undefined>;

/** Until the rest of a response must have arrived. */
const restMs = 100;

const maxWaitMs = { open: 1_000, closed: 30_000 };

export function createSender(url: string, connections: number): { send: Send; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  const send: Send = async (request) => {
    const text = request.raw ?? (isSendable(request) ? undefined : asText(request, hostname));
    const timeout = maxWaitMs[mayStayOpen(request) ? 'open' : 'closed'];
    if (text !== undefined) return sendText(text, { host: hostname, port: Number(port), timeout });
    try {
      return await sendHttp(request, { agent, hostname, port });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_'))
        return sendText(asText(request, hostname), { host: hostname, port: Number(port), timeout });
      throw error;
    }
  };
  return { send, close: () => agent.destroy() };
}

/** Node's client refuses anything else. */
const isSendable = ({ path, headers }: Sendable): boolean =>
  /^\/[\x21-\x7e]*$/.test(path) &&
  headers.every(([name, value]) => /^[\w-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value));

function sendHttp(
  request: Sendable,
  at: { agent: Agent; hostname: string; port: string },
): Promise<FuzzResponse | undefined> {
  const { method, path, headers, body, isCut } = request;
  return new Promise((resolve) => {
    // The next request on the connection of one that announces a longer body would be read as that body.
    const options = mayStayOpen(request) ? { agent: false, timeout: maxWaitMs.open } : { timeout: maxWaitMs.closed };
    const outgoing = httpRequest({ ...at, method, path, headers: Object.fromEntries(headers), ...options });
    outgoing.on('timeout', () => outgoing.destroy());
    // The service closes idle connections, possibly at the moment when one is used again.
    const again = () => (outgoing.reusedSocket && !mayStayOpen(request) ? sendHttp(request, at) : undefined);
    outgoing.on('error', () => resolve(again()));
    outgoing.on('upgrade', (_, socket) => socket.destroy());
    outgoing.on('close', () => resolve(undefined));
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text });
      });
    });
    if (isCut && body !== undefined) {
      outgoing.setHeader('content-length', body.length + 100);
      outgoing.write(body.slice(0, body.length / 2));
      setTimeout(() => outgoing.destroy(), 20);
    } else {
      // Otherwise Node sends the body of a DELETE as if it were the next request, and the service closes the connection.
      if (body !== undefined && !mayStayOpen(request))
        outgoing.setHeader('content-length', Buffer.byteLength(body as string));
      outgoing.end(body);
    }
  });
}

/** Bytes are sent as they are. */
function asText({ method, path, headers, body }: Sendable, host: string): string {
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const lines = [
    `${method} ${bytesOf(path)} HTTP/1.1`,
    `host: ${host}`,
    'connection: close',
    ...headers.map(([name, value]) => `${name}: ${bytesOf(value)}`),
    ...(bytes === undefined ? [] : [`content-length: ${bytes.length}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${bytes?.toString('latin1') ?? ''}`;
}

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

function sendText(
  text: string,
  { host, port, timeout }: { host: string; port: number; timeout: number },
): Promise<FuzzResponse | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    let answer = '';
    const end = (): void => {
      socket.destroy();
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0);
      const [head = '', ...rest] = answer.split('\r\n\r\n');
      const type = /^content-type: (.*)$/im.exec(head)?.[1]?.trim() ?? '';
      resolve(status === 0 ? undefined : { status, type, text: rest.join('\r\n\r\n') });
    };
    socket.setTimeout(timeout, end);
    socket.on('error', end).on('close', end);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk;
      // The service keeps most connections open after a response.
      socket.setTimeout(restMs);
    });
    // Ended only by the response: Node closes a connection whose client has ended it.
    socket.write(text, 'latin1');
  });
}
