// Sends one webhook to a server that may be slow, hostile, endless or on a private network.
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, notPublicError } from '../renderer-core/project/remote/publicAddress.ts';
import { publicLookup } from '../renderer-core/project/remote/publicLookup.ts';

export type WebhookRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Allows plain http, and private addresses. */
  allowPrivate: boolean;
  /** For the whole request: DNS lookup, connection and response. */
  timeoutMs: number;
};

/**
 * `statusCode` is null if there was no response; `error` then has the reason, which is safe to show to the account's
 * owner.
 */
export type WebhookResponse = { statusCode: number | null; error: string | null };

/** The response body does not matter. This much of it is read and discarded, so that the server can finish normally. */
const readBytes = 64 * 1024;
const maxErrorLength = 300;

/** Never throws. Does not follow redirects. */
export async function postWebhook(request: WebhookRequest): Promise<WebhookResponse> {
  try {
    const url = checkedTarget(request.url, request.allowPrivate);
    const statusCode = await post(url, request);
    const isRedirect = statusCode >= 300 && statusCode < 400;
    return { statusCode, error: isRedirect ? 'redirects are not followed' : null };
  } catch (error) {
    return { statusCode: null, error: errorText(error, request.timeoutMs) };
  }
}

/**
 * The connection checks the address that a host name resolves to. IP addresses are not resolved, so they are checked
 * here.
 */
function checkedTarget(text: string, allowPrivate: boolean): URL {
  const url = new URL(text);
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) throw new Error('the URL is not https');
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw notPublicError(host);
  return url;
}

async function post(url: URL, { headers, body, allowPrivate, timeoutMs }: WebhookRequest): Promise<number> {
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    // A new connection, so that the host name is resolved and checked for each attempt.
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
    ...(allowPrivate ? {} : { lookup: publicLookup }),
  };
  const request = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.on('error', reject);
      request.once('close', () => reject(new Error('the connection was closed')));
      request.end(body);
    });
    await drain(response);
    return response.statusCode ?? 0;
  } finally {
    request.destroy();
  }
}

/** The status is already known, so errors in the body do not matter. */
async function drain(response: IncomingMessage): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of response) {
      size += (chunk as Buffer).length;
      if (size > readBytes) return;
    }
  } catch {
    // The body was cut off or timed out.
  }
}

function errorText(error: unknown, timeoutMs: number): string {
  const { name, message, code, errors } = error as NodeJS.ErrnoException & { errors?: Error[] };
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return `no response within ${timeoutMs / 1000} s`;
  // Text from the other server's certificate may contain control characters.
  const text = (message || errors?.[0]?.message || code || name).replaceAll(/\p{C}+/gu, ' ');
  return text.length > maxErrorLength ? `${text.slice(0, maxErrorLength - 1)}…` : text;
}
