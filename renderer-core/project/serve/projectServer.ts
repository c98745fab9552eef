// The HTTP server of a project: serves its files, and virtual files of the renderer, to the browser on this machine.

import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { access, constants, open, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import mime from 'mime';
import { UserError } from '../../errors.ts';
import { escapeInvalidPercents, percentDecode } from '../../model/text/percentText.ts';
import { type FileReads, fileVersion, recordReads } from '../fileReads.ts';
import { pathInside } from '../pathInside.ts';
import { readRange } from './byteRange.ts';
import { rewrittenScript } from './rewrittenScript.ts';
import { type FallbackEncodings, typeWithEncoding } from './servedEncoding.ts';

/** A file that is not in the project folder: its content, or the absolute path of a file. `immutable`: it never changes. */
export type VirtualFile = ({ body: string | Uint8Array } | { file: string }) & { type: string; immutable?: boolean };

/** Creates the file for a request with `query`. */
export type VirtualFileHandler = (query: URLSearchParams) => Promise<VirtualFile>;

export type ProjectServer = {
  origin: string;
  /** Adds a file at `path`, which takes precedence over a file on disk. `path` is decoded, or encoded in `/__framework/`. */
  setVirtual(path: string, file: VirtualFile | VirtualFileHandler): void;
  /** Removes a virtual file; the file on disk is served again. */
  clearVirtual(path: string): void;
  /** Absolute path of the file that is served at an encoded `pathname`; undefined when there is none. */
  resolveFile(pathname: string): Promise<string | undefined>;
  /** Sets how browsers decode style sheets, scripts and documents that declare no encoding; by default as UTF-8. */
  setEncodings(encodings: FallbackEncodings): void;
  /** The files in the project folder that pages have requested. */
  reads: FileReads;
  /** Records that a page uses the URL `pathname`, which its browser may have in its cache. */
  noteUse(pathname: string): void;
  /** Refused requests, except HEAD requests, which only check whether a file exists. */
  missing: MissingFile[];
  /** Closes all connections at once. Can be called twice. */
  close(): Promise<void>;
};

type Content = {
  type: string;
  /** For the ETag; undefined when changes cannot be detected. */
  version?: string;
  /** Whether the content never changes. */
  immutable?: boolean;
  size: number;
  /** The bytes from `start` to `end`, both inclusive. */
  read(start: number, end: number): Readable;
  close(): Promise<void>;
};

/** `outside`: the path is a link that leads out of the folder, or the host is wrong. `hidden`: a part of its path starts with a dot. */
export type Refusal = 'missing' | 'outside' | 'hidden' | 'unreadable';

/** `url` is the path and query, escaped so that URL parsers accept it. */
export type MissingFile = { url: string; referer: string; reason: Refusal };

/** Reserved for virtual files: files of the project in this folder are not served. */
const reservedFolder = '__framework';

/**
 * `secret`: the first folder of every path. Requests without it get nothing; requests with it may use any host name, for
 * example of a forwarded port. Absolute paths of the project's own pages are redirected to paths below the secret.
 * `port`: 0 selects a free port.
 * `edition`: for files that change while they are served. Browsers revalidate files with each request, but keep those
 * whose path contains the current edition.
 * `rewriteScript`: changes the code of files that pages run. Characters of its argument are bytes.
 */
export type ServerOptions = {
  secret?: string;
  port?: number;
  edition?: Edition;
  rewriteScript?(code: string): string;
};

/** The number increases with each known change. With the folder `of/`, the path `/of/3/index.html` serves index.html. */
export type Edition = { folder: string; number(): number };

const [never, oneDay] = ['no-store', 'max-age=86400'];
/** Seconds after which browsers revalidate a file of the current edition: some changes are not noticed. */
const editionAge = 60;

type Virtual = ReadonlyMap<string, VirtualFile | VirtualFileHandler>;

/** `folder` is the secret with slashes; `host` is the only accepted host name, unless there is a secret. */
type ServerState = {
  realRoot: string;
  reads: FileReads;
  virtual: Virtual;
  missing: MissingFile[];
  folder: string | undefined;
  edition: Edition | undefined;
  encodings: FallbackEncodings;
  rewriteScript(code: string): string;
  host: string;
};

/** Listens on 127.0.0.1. Serves only files inside `root`, after all links are resolved. Throws UserError `port_taken`. */
export async function startProjectServer(root: string, options: ServerOptions = {}): Promise<ProjectServer> {
  const { secret, port = 0, edition, rewriteScript = (code) => code } = options;
  const virtual = new Map<string, VirtualFile | VirtualFileHandler>();
  const missing: MissingFile[] = [];
  const folder = secret === undefined ? undefined : `/${secret}/`;
  const reads = recordReads();
  const encodings = { page: 'utf-8', fallbacks: new Map() };
  const realRoot = await realpath(root);
  const state: ServerState = { realRoot, reads, virtual, missing, folder, edition, encodings, rewriteScript, host: '' };
  const server = createServer((request, response) => {
    respond(state, request, response).catch(() => {
      // The client disconnected, or the file could not be read completely: closing the connection signals the error.
      if (response.headersSent) response.destroy();
      else sendStatus(response, 500);
    });
  });
  // An idle connection that is closed at the moment of its next request makes that request fail.
  server.keepAliveTimeout = 0;
  server.listen(port, '127.0.0.1');
  await listening(server, port);
  // A connection that could not be accepted only affects its client.
  server.on('error', () => undefined);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  state.host = `127.0.0.1:${address.port}`;

  return {
    origin: `http://${state.host}`,
    setVirtual: (path, file) => {
      virtual.set(path, file);
    },
    clearVirtual: (path) => {
      virtual.delete(path);
    },
    setEncodings(fallback) {
      state.encodings = fallback;
    },
    resolveFile: (pathname) => resolveFile(state, pathname),
    reads,
    noteUse: (pathname) => reads.addCached(projectPath(percentDecode(pathname))),
    missing,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { folder, edition, host, missing } = state;
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  let target = request.url ?? '';
  if (folder !== undefined) {
    if (!holdsSecret(target, folder)) return redirectToSecret(request, response, folder);
    target = target.slice(folder.length - 1);
  }
  const refuse = (reason: Refusal): void => {
    const referer = request.headers.referer ?? '';
    if (request.method !== 'HEAD') missing.push({ url: parseableTarget(target), referer, reason });
    sendStatus(response, reason === 'outside' || reason === 'unreadable' ? 403 : 404);
  };
  // Prevents DNS rebinding: a site whose name resolves to this machine could read the project.
  if (folder === undefined && request.headers.host !== host) return refuse('outside');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return sendStatus(response, 405);
  }
  // Only requests to proxies have complete URLs.
  if (!target.startsWith('/')) return sendStatus(response, 400);
  const versioned = edition && editionIn(target, edition);
  if (versioned) target = versioned.rest;
  const [pathname = '', query = ''] = target.split(/\?(.*)/s, 2);
  const content = await findContent(state, pathname, query, request.headers['sec-fetch-dest']);
  if (typeof content === 'string') return refuse(content);
  await send(request, response, content, edition && (versioned?.isCurrent ? `max-age=${editionAge}` : 'no-cache'));
}

async function findContent(
  { realRoot, reads, virtual, encodings, rewriteScript }: ServerState,
  pathname: string,
  query: string,
  destination: unknown,
): Promise<Content | Refusal> {
  const path = percentDecode(pathname);
  const added = virtual.get(path) ?? (isReserved(path) ? virtual.get(pathname) : undefined);
  if (added) {
    const file = typeof added === 'function' ? await added(new URLSearchParams(query)) : added;
    return { ...(await virtualContent(file)), immutable: file.immutable ?? false };
  }
  if (isReserved(path)) return 'missing';
  if (!namesOf(path).every(isServedName)) return 'hidden';
  const content = await openFile(realRoot, path);
  reads.add(projectPath(path), typeof content === 'string' ? null : (content.version ?? null));
  if (typeof content === 'string') return content;
  const type = await typeWithEncoding(content, { path: projectPath(path), destination }, encodings);
  return rewrittenScript({ ...content, type }, destination, rewriteScript);
}

async function resolveFile({ realRoot, virtual }: ServerState, pathname: string): Promise<string | undefined> {
  const path = percentDecode(pathname);
  const added = virtual.get(path);
  if (added && 'file' in added) return added.file;
  if (isReserved(path) || !namesOf(path).every(isServedName)) return undefined;
  const found = await realFile(realRoot, path);
  return typeof found === 'string' ? undefined : found.real;
}

const namesOf = (path: string) => path.split('/').filter((name) => name !== '');
const projectPath = (path: string) => namesOf(path).join('/');
const isReserved = (path: string) => namesOf(path)[0] === reservedFolder;

/** Escapes `target` so that URL parsers accept it as a path, for messages. */
function parseableTarget(target: string): string {
  const [pathname = ''] = target.split('?', 1);
  return `/${escapeInvalidPercents(pathname).replace(/^[/\\]+/, '')}${target.slice(pathname.length)}`;
}

function editionIn(target: string, { folder, number }: Edition): { rest: string; isCurrent: boolean } | undefined {
  if (!target.startsWith(`/${folder}`)) return undefined;
  const [digits = '', ...rest] = target.slice(folder.length + 1).split('/');
  return /^\d+$/.test(digits) ? { rest: `/${rest.join('/')}`, isCurrent: Number(digits) === number() } : undefined;
}

/** Names with a leading dot are secrets, tool folders (.env, .git) or `..`. A backslash separates folders on Windows. */
function isServedName(name: string): boolean {
  return !name.startsWith('.') && !name.includes('\\') && !name.includes('\0');
}

/** Link targets may be hidden: package managers link from node_modules to hidden folders in it. */
async function openFile(realRoot: string, path: string): Promise<Content | Refusal> {
  const found = await realFile(realRoot, path);
  return typeof found === 'string' ? found : fileContent(found.real, typeOf(path));
}

async function fileContent(path: string, type: string): Promise<Content> {
  const handle = await open(path);
  const info = await handle.stat();
  return {
    type,
    version: fileVersion(info),
    size: info.size,
    // Several parts may be read; `close` ends it.
    read: (start, end) => handle.createReadStream({ start, end, autoClose: false }),
    close: () => handle.close(),
  };
}

/** The current version and the absolute path of the file that is served at a path in the project; null if there is none. */
export async function servedFile(realRoot: string, path: string): Promise<{ real: string; version: string } | null> {
  if (isReserved(path) || !namesOf(path).every(isServedName)) return null;
  const found = await realFile(realRoot, path);
  return typeof found === 'string' ? null : { ...found, version: fileVersion(await stat(found.real)) };
}

/** The regular file at `path`, after all links are resolved. */
async function realFile(realRoot: string, path: string): Promise<{ real: string } | Refusal> {
  try {
    const real = await realpath(join(realRoot, path));
    if (pathInside(realRoot, real) === undefined) return 'outside';
    // Opening a named pipe would wait for a writer, so the type is checked first.
    if (!(await stat(real)).isFile()) return 'missing';
    await access(real, constants.R_OK);
    return { real };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL'].includes(code)) return 'missing';
    if (code === 'EACCES' || code === 'EPERM') return 'unreadable';
    throw error;
  }
}

async function virtualContent(added: VirtualFile): Promise<Content> {
  if ('file' in added) return fileContent(added.file, added.type);
  const { body, type } = added;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return {
    type,
    size: bytes.length,
    read: (start, end) => Readable.from([bytes.subarray(start, end + 1)]),
    close: async () => undefined,
  };
}

function typeOf(path: string): string {
  return mime.getType(path) ?? 'application/octet-stream';
}

/** The Cache-Control header and the ETag of a response. */
function caching(
  { immutable, version, type }: Content,
  ofEdition: string | undefined,
): { control: string; tag?: string } {
  if (immutable) return { control: oneDay };
  // Images are cached, because a frame does not wait for images of its styles: they must be shown without a request.
  if (ofEdition === undefined) return { control: type.startsWith('image/') ? oneDay : never };
  // Media is read in ranges, which browsers combine with cached ranges in ways that are hard to predict.
  if (version === undefined || /^(?:video|audio)\//.test(type)) return { control: never };
  return { control: ofEdition, tag: `"${version}"` };
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  content: Content,
  ofEdition: string | undefined,
): Promise<void> {
  try {
    const { size } = content;
    const { control, tag } = caching(content, ofEdition);
    const ifRange = request.headers['if-range'];
    const isRanged = request.method === 'GET' && (ifRange === undefined || ifRange === tag);
    const range = isRanged ? readRange(request.headers.range, size) : undefined;
    response.setHeader('accept-ranges', 'bytes');
    response.setHeader('cache-control', control);
    if (tag !== undefined) {
      response.setHeader('etag', tag);
      if (request.headers['if-none-match'] === tag) {
        response.writeHead(304);
        response.end();
        return;
      }
    }
    if (range === 'unsatisfiable') {
      response.setHeader('content-range', `bytes */${size}`);
      return sendStatus(response, 416);
    }
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const length = end - start + 1;
    if (range) response.setHeader('content-range', `bytes ${start}-${end}/${size}`);
    response.setHeader('content-type', content.type);
    response.setHeader('content-length', length);
    response.writeHead(range ? 206 : 200);
    if (request.method === 'HEAD' || length === 0) {
      response.end();
      return;
    }
    await pipeline(content.read(start, end), (chunks) => exactly(length, chunks), response);
  } finally {
    await content.close();
  }
}

/** Throws when a file becomes shorter while it is read: otherwise, the client would wait for the rest forever. */
async function* exactly(length: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = length;
  for await (const chunk of chunks) {
    rest -= chunk.length;
    yield chunk;
  }
  if (rest > 0) throw new Error('the file has become shorter');
}

/** Compares in constant time. */
function holdsSecret(path: string, folder: string): boolean {
  const [given, wanted] = [Buffer.from(path.slice(0, folder.length)), Buffer.from(folder)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Redirects an absolute path of a page that knows the secret. Other requests get 404. */
function redirectToSecret(request: IncomingMessage, response: ServerResponse, folder: string): void {
  const { referer = '' } = request.headers;
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  const isOwn = from !== undefined && from.host === request.headers.host && holdsSecret(from.pathname, folder);
  const target = request.url ?? '';
  if (!isOwn || !target.startsWith('/') || target.startsWith('//')) sendStatus(response, 404);
  else response.writeHead(307, { location: folder + target.slice(1) }).end();
}

async function listening(server: Server, port: number): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    if (!['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new UserError('port_taken', `Port ${port} is not available: another program uses it, or it is reserved.`, {
      hint: 'Choose another port with --port, or omit it to use a free one.',
      cause: error,
    });
  }
}

function sendStatus(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': never });
  response.end(`${status}\n`);
}
