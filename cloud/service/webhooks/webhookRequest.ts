// One request to somebody else's server, which may be slow, endless, hostile, or none of the public internet.
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, notPublicError } from '../project/publicAddress.ts';
import { publicLookup } from '../project/publicLookup.ts';

export type WebhookRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Also without TLS, and to addresses of this network. */
  allowPrivate: boolean;
  /** For all of it: name, connection, answer. */
  timeoutMs: number;
};

/** `statusCode` is null when there was no answer; `error` then says why, in words that can be shown to its owner. */
export type WebhookAnswer = { statusCode: number | null; error: string | null };

/** Nobody needs more of an answer than its status: what comes is read so far, for politeness, and thrown away. */
const readBytes = 64 * 1024;
const longestError = 300;

/** Never throws. Redirects are not followed. */
export async function postWebhook(request: WebhookRequest): Promise<WebhookAnswer> {
  try {
    const url = checkedTarget(request.url, request.allowPrivate);
    const statusCode = await post(url, request);
    const isRedirect = statusCode >= 300 && statusCode < 400;
    return { statusCode, error: isRedirect ? 'it redirects, which is not followed' : null };
  } catch (error) {
    return { statusCode: null, error: errorText(error, request.timeoutMs) };
  }
}

/** Where the connection goes is checked when it is made; but what is an address already is looked up by nobody. */
function checkedTarget(text: string, allowPrivate: boolean): URL {
  const url = new URL(text);
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) throw new Error('it is not https');
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw notPublicError(host);
  return url;
}

async function post(url: URL, { headers, body, allowPrivate, timeoutMs }: WebhookRequest): Promise<number> {
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    // A connection of its own, for which the name is looked up anew.
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
    ...(allowPrivate ? {} : { lookup: publicLookup }),
  };
  const request = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.on('error', reject);
      request.once('close', () => reject(new Error('the connection was closed')));
      request.end(body);
    });
    await drain(answer);
    return answer.statusCode ?? 0;
  } finally {
    request.destroy();
  }
}

/** What was answered stands, however the rest of it ends. */
async function drain(answer: IncomingMessage): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of answer) {
      size += (chunk as Buffer).length;
      if (size > readBytes) return;
    }
  } catch {
    // It broke off, or took too long.
  }
}

function errorText(error: unknown, timeoutMs: number): string {
  const { name, message, code, errors } = error as NodeJS.ErrnoException & { errors?: Error[] };
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return `no answer within ${timeoutMs / 1000} s`;
  // Names in a stranger's certificate may be anything.
  const text = (message || errors?.[0]?.message || code || name).replaceAll(/\p{C}+/gu, ' ');
  return text.length > longestError ? `${text.slice(0, longestError - 1)}…` : text;
}
