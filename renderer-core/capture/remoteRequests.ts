// Answers a page's requests to other hosts from the cache, with the headers that the hosts sent.
import { open } from 'node:fs/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import type { RemoteAssets } from '../project/remote/remoteAssets.ts';
import { RemoteFailure } from '../project/remote/remoteRequest.ts';
import type { StoredFile } from '../project/remote/remoteStore.ts';
import { readRange } from '../project/serve/byteRange.ts';
import type { ProjectServer } from '../project/serve/projectServer.ts';

type Paused = Protocol.Fetch.RequestPausedEvent;
type Response = Omit<Protocol.Fetch.FulfillRequestRequest, 'requestId'>;
type Headers = Record<string, string>;

/** `isOpen`: the page may connect to everything when `remote` cannot answer a request. Otherwise, only `remote` answers. */
export type PageServices = { server: ProjectServer; remote: RemoteAssets; isOpen: boolean };

/** Maximum bytes in one response to a media element, because a response is one message. It requests the rest later. */
const mediaPartBytes = 4 * 1024 ** 2;

/** Requests that the cache cannot answer, such as streams and preflights. */
const uncachedTypes = new Set<string>(['EventSource', 'WebSocket', 'Ping', 'Preflight', 'CSPViolationReport']);

/** Answers the page's requests to other hosts from now on. `onImage` is called with the URLs of images and videos. */
export async function answerRemoteRequests(
  session: CDPSession,
  services: PageServices,
  onImage: (url: string) => void,
): Promise<void> {
  session.on('Fetch.requestPaused', (paused) => {
    // The page may be closed before the response is ready.
    handle(session, services, paused, onImage).catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: 'http://*' }, { urlPattern: 'https://*' }] });
}

async function handle(
  session: CDPSession,
  { server, remote, isOpen }: PageServices,
  paused: Paused,
  onImage: (url: string) => void,
): Promise<void> {
  const { requestId, request } = paused;
  const { origin } = server;
  const isOwn = request.url.startsWith(`${origin}/`);
  if (isOwn || (isOpen && !isForCache(paused))) {
    await session.send('Fetch.continueRequest', { requestId });
    return;
  }
  if (!isForCache(paused)) {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    return;
  }
  const headers = lowerCase(request.headers);
  try {
    const file = await remote.get(request.url, pick(headers, ['accept', 'accept-language', 'user-agent']));
    if (isImage(paused, file)) onImage(request.url);
    const response = await responseOf(file, paused, headers);
    allowOrigin(response.responseHeaders ?? [], origin, headers.origin);
    await session.send('Fetch.fulfillRequest', { requestId, ...response });
  } catch (error) {
    // Pass the host's error on, as it would be without the cache: scripts may handle it. HEAD only checks for existence.
    if (error instanceof RemoteFailure && error.status !== undefined && request.method === 'GET') {
      const response = { responseCode: error.status, responseHeaders: forwarded(error.headers) };
      allowOrigin(response.responseHeaders, origin, headers.origin);
      await session.send('Fetch.fulfillRequest', { requestId, ...response });
    } else await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionFailed' });
  }
}

/** Whether every client gets the same response: with a key or a cookie it may be a private one. */
function isForCache({ request, resourceType }: Paused): boolean {
  if (uncachedTypes.has(resourceType) || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
  return !Object.keys(request.headers).some((name) => /^(?:authorization|cookie|x-.*)$/i.test(name));
}

const isImage = ({ resourceType }: Paused, { headers }: StoredFile): boolean =>
  resourceType === 'Image' || (resourceType === 'Media' && !/^audio\//i.test(headers['content-type'] ?? ''));

async function responseOf(file: StoredFile, { request, resourceType }: Paused, headers: Headers): Promise<Response> {
  if (file.url !== request.url.replace(/#.*$/s, '')) {
    return {
      responseCode: 302,
      responseHeaders: [...corsHeaders(file.headers), { name: 'location', value: file.url }],
    };
  }
  const responseHeaders = forwarded(file.headers);
  const add = (name: string, value: string | number) => responseHeaders.push({ name, value: String(value) });
  const range = readRange(headers.range, file.size);
  add('accept-ranges', 'bytes');
  if (range === 'unsatisfiable') {
    add('content-range', `bytes */${file.size}`);
    return { responseCode: 416, responseHeaders };
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  const last = range && resourceType === 'Media' ? Math.min(end, start + mediaPartBytes - 1) : end;
  const length = last - start + 1;
  if (range) add('content-range', `bytes ${start}-${last}/${file.size}`);
  add('content-length', length);
  const body = request.method === 'HEAD' ? '' : await readPart(file.path, start, length);
  return { responseCode: range ? 206 : 200, responseHeaders, body };
}

async function readPart(path: string, start: number, length: number): Promise<string> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, start);
    return bytes.toString('base64');
  } finally {
    await file.close();
  }
}

/** Headers about the original transfer, and about the host's caches and cookies. */
const droppedHeaders =
  /^(?:connection|keep-alive|transfer-encoding|content-(?:encoding|length|range)|accept-ranges|cache-control|expires|pragma|age|vary|set-cookie|alt-svc|strict-transport-security)$/;

function forwarded(headers: Headers): Protocol.Fetch.HeaderEntry[] {
  const kept = Object.entries(headers).filter(([name]) => !droppedHeaders.test(name));
  // A render uses one version of a file, and an image that is loaded already can be shown again at once.
  return [...kept.map(([name, value]) => ({ name, value })), { name: 'cache-control', value: 'max-age=86400' }];
}

const corsHeaders = (headers: Headers) =>
  Object.entries(headers)
    .filter(([name]) => name.startsWith('access-control-'))
    .map(([name, value]) => ({ name, value }));

/** If the host allowed the page's origin, allow the request's: after a redirect the browser sends `null` as the origin. */
function allowOrigin(headers: Protocol.Fetch.HeaderEntry[], origin: string, requested: string | undefined): void {
  for (const header of headers) {
    if (header.name === 'access-control-allow-origin' && header.value === origin) header.value = requested ?? origin;
  }
}

const lowerCase = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const pick = (headers: Headers, names: string[]): Headers =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
