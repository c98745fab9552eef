// A small fake of the hosted API on a real connection. It records requests and fails on demand.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ApiClient } from '../../../cloud/client/apiClient.ts';
import type { RenderOrder, RenderRecord } from '../../../cloud/client/apiTypes.ts';
import { createApiClient } from '../../../sdk/services.ts';
import { listenInTest } from '../servers/listen.ts';

export type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer };

/** Replaces a response: a status with a body, or `cut`, which closes the connection without one. */
export type Fault = { status: number; code?: string; headers?: Record<string, string> } | 'cut';

export type CloudService = {
  origin: string;
  env: NodeJS.ProcessEnv;
  client: ApiClient;
  /** Requests to the API in order, without those for videos. */
  seen: Seen[];
  /** Requests as `GET /v3/…`, without the query. */
  calls(): string[];
  orders(): RenderOrder[];
  archives(): Buffer[];
  renders: Map<string, RenderRecord>;
  /** Faults for the next requests of a kind (`POST /v3/assets`, `GET render`, `GET video`), each used once. */
  faults: Record<string, Fault[]>;
  /** The states of a render, one for each poll; the last one repeats. Default: `completed`. */
  script: Partial<RenderRecord>[];
  /** The bytes of every video, and the requested ranges. */
  video: Buffer;
  ranges: (string | undefined)[];
  /** Closes the connection after this number of bytes of a video, once for each entry. */
  cutsAfter: number[];
  /** Called for each request for a video. */
  onVideo?: () => void;
  /** Invalidates all signed URLs created before. */
  expire(): void;
};

/** The environment variables with the service's address and a key. */
export const credentialsFor = (origin: string): NodeJS.ProcessEnv => ({
  SERVICE_API_URL: origin,
  SERVICE_API_KEY: 'key',
});

/** Listens on 127.0.0.1 until the test ends. */
export async function startCloudService(): Promise<CloudService> {
  const server = createServer((request, response) => {
    answer(service, request, response).catch(() => response.destroy());
  });
  const origin = await listenInTest(server);
  let signature = 1;
  const service: CloudService & { signature(): number } = {
    origin,
    env: credentialsFor(origin),
    // Disables retries, so that a test sees every failure.
    client: createApiClient({ env: credentialsFor(origin), version: '0', retry: { attempts: 1 } }),
    seen: [],
    calls: () => service.seen.map(({ method, url }) => `${method} ${url.replace(/\?.*/s, '')}`),
    orders: () =>
      service.seen
        .filter(({ method, url }) => method === 'POST' && url === '/v3/framework/renders')
        .map(({ body }) => JSON.parse(body.toString('utf8'))),
    archives: () =>
      service.seen.filter(({ url }) => url === '/v3/assets').map(({ body, headers }) => filePart(body, headers)),
    renders: new Map(),
    faults: {},
    script: [],
    video: Buffer.from('a video of some bytes, and then some more'.repeat(1000)),
    ranges: [],
    cutsAfter: [],
    expire: () => {
      signature++;
    },
    signature: () => signature,
  };
  return service;
}

type Service = CloudService & { signature(): number };

async function answer(service: CloudService, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  const { method = '' } = request;
  const path = url.replace(/\?.*/s, '');
  if (path.startsWith('/videos/')) return sendVideo(service as Service, request, response);
  // A request whose body is cut off does not count.
  const body = await buffer(request);
  service.seen.push({ method, url, headers: request.headers, body });
  const renderId = /^\/v3\/framework\/renders\/([^/]+)$/.exec(path)?.[1];
  const fault = service.faults[renderId ? `${method} render` : `${method} ${path}`]?.shift();
  if (fault) return fail(response, fault);
  if (path === '/v3/assets') {
    const archive = filePart(body, request.headers);
    const sha256 = createHash('sha256').update(archive).digest('hex');
    return send(response, 201, {
      data: { asset_id: `asset_${sha256.slice(0, 8)}`, size_bytes: archive.length, sha256 },
    });
  }
  if (path === '/v3/framework/renders' && method === 'POST') {
    const record = newRecord(JSON.parse(body.toString('utf8')));
    service.renders.set(record.render_id, record);
    return send(response, 201, { data: { render_id: record.render_id, status: 'queued' } });
  }
  if (path === '/v3/framework/renders') return sendPage(service, new URL(url, service.origin).searchParams, response);
  const record = service.renders.get(decodeURIComponent(renderId ?? ''));
  if (!record) return fail(response, { status: 404, code: 'framework_render_not_found' });
  if (method === 'DELETE') {
    service.renders.delete(record.render_id);
    response.writeHead(204).end();
    return;
  }
  const step = service.script.length > 1 ? service.script.shift() : service.script[0];
  Object.assign(record, step ?? { status: 'completed', progress: 1 });
  const videoUrl = `${service.origin}/videos/${record.render_id}?signature=${(service as Service).signature()}`;
  send(response, 200, {
    data: { ...record, video_url: record.status === 'completed' ? videoUrl : null, not_known_yet: 1 },
  });
}

let made = 0;

export function newRecord(order: Partial<RenderOrder> = {}): RenderRecord {
  return {
    render_id: `render_${++made}_${randomUUID().slice(0, 4)}`,
    status: 'queued',
    progress: 0,
    title: order.title ?? null,
    callback_id: order.callback_id ?? null,
    video_url: null,
    thumbnail_url: null,
    duration: 4,
    fps: order.fps ?? 30,
    quality: order.quality ?? 'standard',
    format: order.format ?? 'mp4',
    resolution: order.resolution ?? '1080p',
    aspect_ratio: order.aspect_ratio ?? '16:9',
    composition: order.composition ?? 'index.html',
    created_at: 1_795_291_680,
    completed_at: null,
    credits: null,
    failure_code: null,
    failure_message: null,
    engine: null,
    warnings: [],
  };
}

function sendPage({ renders }: CloudService, query: URLSearchParams, response: ServerResponse): void {
  const all = [...renders.values()].reverse();
  const start = Number(query.get('token') ?? 0);
  const end = start + Number(query.get('limit') ?? 10);
  const next = end < all.length ? String(end) : null;
  send(response, 200, { data: all.slice(start, end), has_more: next !== null, next_token: next });
}

function sendVideo(service: Service, request: IncomingMessage, response: ServerResponse): void {
  service.onVideo?.();
  const { range, 'x-api-key': key } = request.headers;
  service.ranges.push(range);
  const fault = service.faults['GET video']?.shift();
  if (fault) {
    fail(response, fault);
    return;
  }
  // A signed URL is sufficient: the request must not contain credentials.
  if (key !== undefined || !request.url?.endsWith(`signature=${service.signature()}`)) {
    fail(response, { status: 403 });
    return;
  }
  const { video } = service;
  const etag = `"${createHash('sha256').update(video).digest('hex').slice(0, 16)}"`;
  const isSame = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
  const start = isSame ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
  const rest = video.subarray(start);
  response.writeHead(start > 0 ? 206 : 200, {
    etag,
    'content-length': rest.length,
    ...(start > 0 ? { 'content-range': `bytes ${start}-${video.length - 1}/${video.length}` } : {}),
  });
  const cut = service.cutsAfter.shift();
  if (cut === undefined) response.end(rest);
  // A client that has not read the bytes when the connection ends loses them, so a busy one gets time for it.
  else response.write(rest.subarray(0, cut), () => setTimeout(() => response.destroy(), cut > 0 ? 500 : 20));
}

function fail(response: ServerResponse, fault: Fault): void {
  if (fault === 'cut') {
    response.destroy();
    return;
  }
  const { status, code = 'internal_error', headers = {} } = fault;
  send(response, status, { error: { code, message: `the service says ${code}` } }, headers);
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The content of the only part of a multipart/form-data body, which must be well-formed to the byte. */
function filePart(body: Buffer, headers: IncomingMessage['headers']): Buffer {
  const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(headers['content-type'] ?? '')?.[1];
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="project.zip"\r\nContent-Type: application/zip\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const isWhole = body.subarray(0, head.length).toString() === head && body.subarray(-tail.length).toString() === tail;
  if (!isWhole || Number(headers['content-length']) !== body.length) throw new Error('not a well-formed upload');
  return body.subarray(head.length, body.length - tail.length);
}
