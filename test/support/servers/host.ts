import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenInTest, stopListening } from './listen.ts';

export type Answer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Starts the body and never ends it. */
  hangs?: boolean;
  /** Delay before the response. */
  afterMs?: number;
  /** Closes the connection after the body, before the promised length. */
  cuts?: boolean;
};

/** The response of each path: constant, or depending on the number of earlier requests and on the headers. */
type Answers = Record<string, Answer | ((before: number, headers: IncomingHttpHeaders) => Answer)>;

export type Host = {
  origin: string;
  /** `GET /a.png`, in order. */
  requests: string[];
  /** The maximum number of concurrent requests. */
  mostAtOnce(): number;
  close(): Promise<void>;
};

/** An address where no server listens: systems do not assign ports this low automatically. */
export const unreachableOrigin = 'http://127.0.0.1:28765';

/** Listens on 127.0.0.1 until the test ends. Unknown paths return 404. */
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
    const given = answers[request.url ?? ''] ?? { status: 404, body: 'not found' };
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
  const origin = await listenInTest(server);
  return {
    origin,
    requests,
    mostAtOnce: () => most,
    close: () => stopListening(server),
  };
}
