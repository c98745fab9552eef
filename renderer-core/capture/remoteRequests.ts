// Answers what a page asks of other hosts out of the cache, with the headers that the hosts themselves sent.
import { open } from 'node:fs/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { readRange } from '../project/byteRange.ts';
import type { Network } from '../project/publicFetch.ts';
import type { RemoteAssets } from '../project/remoteAssets.ts';
import { RemoteFailure } from '../project/remoteRequest.ts';
import type { StoredFile } from '../project/remoteStore.ts';
import type { ProjectServer } from '../project/server.ts';

type Paused = Protocol.Fetch.RequestPausedEvent;
type Answer = Omit<Protocol.Fetch.FulfillRequestRequest, 'requestId'>;
type Headers = Record<string, string>;

/** `network`: where requests of the page that `remote` cannot answer may go. */
export type PageServices = { server: ProjectServer; remote: RemoteAssets; network: Network };

/** Bytes in one answer to a media element, which asks for the rest when it needs it. An answer is one message. */
const mediaPartBytes = 4 * 1024 ** 2;

/** Streams and preflights are between the page and the host. */
const passedOn = new Set<string>(['EventSource', 'WebSocket', 'Ping', 'Preflight', 'CSPViolationReport']);

/** From now on what the session's page asks of other hosts is answered from the cache; `onPicture` hears of pictures. */
export async function answerRemoteRequests(
  session: CDPSession,
  services: PageServices,
  onPicture: (url: string) => void,
): Promise<void> {
  session.on('Fetch.requestPaused', (paused) => {
    // The page may be gone before its answer is there.
    handle(session, services, paused, onPicture).catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: 'http://*' }, { urlPattern: 'https://*' }] });
}

async function handle(
  session: CDPSession,
  { server, remote, network }: PageServices,
  paused: Paused,
  onPicture: (url: string) => void,
): Promise<void> {
  const { requestId, request } = paused;
  const { origin } = server;
  const isOwn = request.url.startsWith(`${origin}/`);
  if (isOwn || (network === 'any' && !isForCache(paused))) {
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
    if (isPicture(paused, file)) onPicture(request.url);
    const answer = await answerOf(file, paused, headers);
    allowAsker(answer.responseHeaders ?? [], origin, headers.origin);
    await session.send('Fetch.fulfillRequest', { requestId, ...answer });
  } catch (error) {
    // Scripts may live with an error of the host, as they would without the cache. HEAD only asks whether it is there.
    if (error instanceof RemoteFailure && error.status !== undefined && request.method === 'GET') {
      const answer = { responseCode: error.status, responseHeaders: forwarded(error.headers) };
      allowAsker(answer.responseHeaders, origin, headers.origin);
      await session.send('Fetch.fulfillRequest', { requestId, ...answer });
    } else await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionFailed' });
  }
}

/** Only what everybody would get: a key of the request makes the answer one of its own. */
function isForCache({ request, resourceType }: Paused): boolean {
  if (passedOn.has(resourceType) || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
  return !Object.keys(request.headers).some((name) => /^(?:authorization|cookie|x-.*)$/i.test(name));
}

const isPicture = ({ resourceType }: Paused, { headers }: StoredFile): boolean =>
  resourceType === 'Image' || (resourceType === 'Media' && !/^audio\//i.test(headers['content-type'] ?? ''));

async function answerOf(file: StoredFile, { request, resourceType }: Paused, headers: Headers): Promise<Answer> {
  if (file.url !== request.url.replace(/#.*$/s, '')) {
    return { responseCode: 302, responseHeaders: [...consent(file.headers), { name: 'location', value: file.url }] };
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

/** Headers about the transfer, which is another one now, and about the host's own caches and cookies. */
const ownHeaders =
  /^(?:connection|keep-alive|transfer-encoding|content-(?:encoding|length|range)|accept-ranges|cache-control|expires|pragma|age|vary|set-cookie|alt-svc|strict-transport-security)$/;

function forwarded(headers: Headers): Protocol.Fetch.HeaderEntry[] {
  const kept = Object.entries(headers).filter(([name]) => !ownHeaders.test(name));
  // One render sees one version; and an image that is loaded already may be shown again at once.
  return [...kept.map(([name, value]) => ({ name, value })), { name: 'cache-control', value: 'max-age=86400' }];
}

const consent = (headers: Headers) =>
  Object.entries(headers)
    .filter(([name]) => name.startsWith('access-control-'))
    .map(([name, value]) => ({ name, value }));

/** A host that allowed the page's origin allows the page; behind a redirect the browser gives the origin as `null`. */
function allowAsker(headers: Protocol.Fetch.HeaderEntry[], origin: string, asker: string | undefined): void {
  for (const header of headers) {
    if (header.name === 'access-control-allow-origin' && header.value === origin) header.value = asker ?? origin;
  }
}

const lowerCase = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const pick = (headers: Headers, names: string[]): Headers =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
