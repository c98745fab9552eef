// Serves a project folder to the browser that renders it: its files and what the renderer adds, to nobody else.
import { once } from 'node:events';
import { access, constants, open, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import mime from 'mime';

/** A file that the renderer adds: its content, or the absolute path of where it is kept. */
export type VirtualFile = { body: string | Uint8Array; type: string } | { file: string; type: string };

/** Makes the file that a request with `query` gets. */
export type VirtualAnswer = (query: URLSearchParams) => Promise<VirtualFile>;

export type ProjectServer = {
  origin: string;
  /** Puts a file at `path` (a decoded pathname; encoded ones work too below `/__framework/`), over one on disk. */
  setVirtual(path: string, file: VirtualFile | VirtualAnswer): void;
  /** Absolute path of the project's file at `pathname` as URLs have it; undefined where nothing is served from the folder. */
  fileAt(pathname: string): Promise<string | undefined>;
  /** Every request that was answered 403 or 404, as path and query that URL parsers can read. */
  missing: { url: string; referer: string }[];
  /** Ends all connections at once. May be called again. */
  close(): Promise<void>;
};

type Content = {
  type: string;
  size: number;
  /** The bytes from `start` to `end`, both included. */
  read(start: number, end: number): Readable;
  close(): Promise<void>;
};

type Refusal = 403 | 404;

/** Paths below it belong to the renderer: the folder has no say in them. */
const reservedFolder = '__framework';

/** Listens on a free port of this machine. Serves only what lies inside `root` once all links are followed. */
export async function startProjectServer(root: string): Promise<ProjectServer> {
  const realRoot = await realpath(root);
  const virtual = new Map<string, VirtualFile | VirtualAnswer>();
  const missing: ProjectServer['missing'] = [];
  let host = '';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('cache-control', 'no-store');
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    const target = request.url ?? '';
    const refuse = (status: Refusal): void => {
      missing.push({ url: parseableTarget(target), referer: request.headers.referer ?? '' });
      sendStatus(response, status);
    };
    // A site whose name was made to point here (DNS rebinding) is refused: it would read the project.
    if (request.headers.host !== host) return refuse(403);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendStatus(response, 405);
    }
    // Proxies are asked for whole URLs; this is none.
    if (!target.startsWith('/')) return sendStatus(response, 400);
    const [pathname = '', query = ''] = target.split(/\?(.*)/s, 2);
    const content = await find(pathname, query);
    if (typeof content === 'number') return refuse(content);
    await send(request, response, content);
  }

  async function find(pathname: string, query: string): Promise<Content | Refusal> {
    const path = decodePath(pathname);
    if (path === undefined) return 404;
    const added = virtual.get(path) ?? (isReserved(path) ? virtual.get(pathname) : undefined);
    if (added) return virtualContent(typeof added === 'function' ? await added(new URLSearchParams(query)) : added);
    return isReserved(path) || !namesOf(path).every(isServedName) ? 404 : openFile(realRoot, path);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      // The client left, or the file could not be read to its end: a cut connection tells them so.
      if (response.headersSent) response.destroy();
      else sendStatus(response, 500);
    });
  });
  // A connection that is closed for being idle, just when the browser uses it again, is a failed request.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A connection that could not be accepted concerns its client, not this process.
  server.on('error', () => undefined);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  host = `127.0.0.1:${address.port}`;

  return {
    origin: `http://${host}`,
    setVirtual: (path, file) => {
      virtual.set(path, file);
    },
    async fileAt(pathname) {
      const path = decodePath(pathname);
      if (path === undefined || isReserved(path) || !namesOf(path).every(isServedName)) return undefined;
      const found = await realFile(realRoot, path);
      return typeof found === 'string' ? found : undefined;
    },
    missing,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const namesOf = (path: string) => path.split('/').filter((name) => name !== '');
const isReserved = (path: string) => namesOf(path)[0] === reservedFolder;

function decodePath(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

/** `target` so that URL parsers take it for a path of this server and can decode it: it is there to be reported. */
function parseableTarget(target: string): string {
  const [pathname = ''] = target.split('?', 1);
  const escaped = decodePath(pathname) === undefined ? pathname.replaceAll('%', '%25') : pathname;
  return `/${escaped.replace(/^[/\\]+/, '')}${target.slice(pathname.length)}`;
}

/** Names with a leading dot are secrets and tool folders (.env, .git), or `..`. A backslash is a separator on Windows. */
function isServedName(name: string): boolean {
  return !name.startsWith('.') && !name.includes('\\') && !name.includes('\0');
}

/** Only the names asked for may not be hidden: package managers link from node_modules to hidden folders in it. */
async function openFile(realRoot: string, path: string): Promise<Content | Refusal> {
  const real = await realFile(realRoot, path);
  return typeof real === 'string' ? fileContent(real, typeOf(path)) : real;
}

async function fileContent(path: string, type: string): Promise<Content> {
  const handle = await open(path);
  const { size } = await handle.stat();
  return {
    type,
    size,
    read: (start, end) => handle.createReadStream({ start, end }),
    close: () => handle.close(),
  };
}

/** The plain file behind `path`, all links followed. */
async function realFile(realRoot: string, path: string): Promise<string | Refusal> {
  try {
    const real = await realpath(join(realRoot, path));
    if (real !== realRoot && !real.startsWith(join(realRoot, sep))) return 403;
    // Looked at before it is opened: opening a pipe would wait for somebody to write into it.
    if (!(await stat(real)).isFile()) return 404;
    await access(real, constants.R_OK);
    return real;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL'].includes(code)) return 404;
    if (code === 'EACCES' || code === 'EPERM') return 403;
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
  const type = mime.getType(path) ?? 'application/octet-stream';
  return /^text\/|[/+](?:json|xml)$/.test(type) ? `${type}; charset=utf-8` : type;
}

async function send(request: IncomingMessage, response: ServerResponse, content: Content): Promise<void> {
  try {
    const { size } = content;
    const range = askedRange(request, size);
    response.setHeader('accept-ranges', 'bytes');
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

/** A file may become shorter while it is read: without a cut connection, the client would wait for the rest for ever. */
async function* exactly(length: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = length;
  for await (const chunk of chunks) {
    rest -= chunk.length;
    yield chunk;
  }
  if (rest > 0) throw new Error('the file has become shorter');
}

/** The one range that is asked for. Several ranges, other units and nonsense get the whole file, as HTTP allows. */
function askedRange(
  request: IncomingMessage,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  // No answer carries a validator, so whatever If-Range names has changed.
  if (request.method !== 'GET' || request.headers['if-range'] !== undefined) return undefined;
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(request.headers.range ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}

function sendStatus(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${status}\n`);
}
