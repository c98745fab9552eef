// Serves a project folder to the browser that renders it: its files and what the renderer adds, to nobody else.
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { access, constants, open, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import mime from 'mime';
import { UserError } from '../errors.ts';
import { escapeStraySigns, percentDecode } from '../model/percentText.ts';
import { readRange } from './byteRange.ts';

/** A file that the renderer adds: its content, or the absolute path of where it is kept. `stays`: it never changes. */
export type VirtualFile = ({ body: string | Uint8Array } | { file: string }) & { type: string; stays?: boolean };

/** Makes the file that a request with `query` gets. */
export type VirtualAnswer = (query: URLSearchParams) => Promise<VirtualFile>;

export type ProjectServer = {
  origin: string;
  /** Puts a file at `path` (a decoded pathname; encoded ones work too below `/__framework/`), over one on disk. */
  setVirtual(path: string, file: VirtualFile | VirtualAnswer): void;
  /** Takes such a file away again: what is on disk is there again. */
  clearVirtual(path: string): void;
  /** Absolute path of the file that is served at `pathname` as URLs have it; undefined where none is. */
  fileAt(pathname: string): Promise<string | undefined>;
  /**
   * Every request to read a file that was refused, as path and query that URL parsers can read. To ask with HEAD whether
   * a file is there is not to need it.
   */
  missing: MissingFile[];
  /** Ends all connections at once. May be called again. */
  close(): Promise<void>;
};

type Content = {
  type: string;
  /** Changes whenever the bytes do; absent where nobody knows. */
  tag?: string;
  /** Whether a browser that has it need not ask again. */
  stays?: boolean;
  size: number;
  /** The bytes from `start` to `end`, both included. */
  read(start: number, end: number): Readable;
  close(): Promise<void>;
};

/** Why a file is not served: it is not there, a link leads out of the folder, its name is hidden, or it cannot be read. */
export type Refusal = 'missing' | 'outside' | 'hidden' | 'unreadable';

export type MissingFile = { url: string; referer: string; reason: Refusal };

/** Paths below it belong to the renderer: the folder has no say in them. */
const reservedFolder = '__framework';

/**
 * `secret`: the first folder of every path. Who does not know it gets nothing; who knows it may come by any name, also
 * through a port that is forwarded. Paths from the root that a page of the folder names are sent on into it.
 * `port`: 0 takes a free one. `edition`: files change while they are served, and this number with every change that is
 * known of. Browsers ask again each time whether a file has changed, but not soon where its path begins with the edition's
 * `folder` and `number`.
 */
export type ServerOptions = { secret?: string; port?: number; edition?: Edition };

/** With the folder `of/`: `/of/3/index.html` is index.html, as it was found by then. */
export type Edition = { folder: string; number(): number };

const [never, aDay] = ['no-store', 'max-age=86400'];
/** What has changed without anybody's knowledge is still seen after a while. Seconds. */
const editionAge = 60;

/** Listens on a port of this machine. Serves only what lies inside `root` once all links are followed. */
export async function startProjectServer(root: string, options: ServerOptions = {}): Promise<ProjectServer> {
  const { secret, port = 0, edition } = options;
  const folder = secret === undefined ? undefined : `/${secret}/`;
  const realRoot = await realpath(root);
  const virtual = new Map<string, VirtualFile | VirtualAnswer>();
  const missing: ProjectServer['missing'] = [];
  let host = '';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    let target = request.url ?? '';
    if (folder !== undefined) {
      if (!holdsSecret(target, folder)) return sendOn(request, response, folder);
      target = target.slice(folder.length - 1);
    }
    const refuse = (reason: Refusal): void => {
      const referer = request.headers.referer ?? '';
      if (request.method !== 'HEAD') missing.push({ url: parseableTarget(target), referer, reason });
      sendStatus(response, reason === 'outside' || reason === 'unreadable' ? 403 : 404);
    };
    // A site whose name was made to point here (DNS rebinding) is refused: it would read the project.
    if (folder === undefined && request.headers.host !== host) return refuse('outside');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendStatus(response, 405);
    }
    // Proxies are asked for whole URLs; this is none.
    if (!target.startsWith('/')) return sendStatus(response, 400);
    const named = edition && editionIn(target, edition);
    if (named) target = named.rest;
    const [pathname = '', query = ''] = target.split(/\?(.*)/s, 2);
    const content = await find(pathname, query);
    if (typeof content === 'string') return refuse(content);
    await send(request, response, content, edition && (named?.isCurrent ? `max-age=${editionAge}` : 'no-cache'));
  }

  async function find(pathname: string, query: string): Promise<Content | Refusal> {
    const path = percentDecode(pathname);
    const added = virtual.get(path) ?? (isReserved(path) ? virtual.get(pathname) : undefined);
    if (added) {
      const file = typeof added === 'function' ? await added(new URLSearchParams(query)) : added;
      return { ...(await virtualContent(file)), stays: file.stays ?? false };
    }
    if (isReserved(path)) return 'missing';
    return namesOf(path).every(isServedName) ? openFile(realRoot, path) : 'hidden';
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
  server.listen(port, '127.0.0.1');
  await listening(server, port);
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
    clearVirtual: (path) => {
      virtual.delete(path);
    },
    async fileAt(pathname) {
      const path = percentDecode(pathname);
      const added = virtual.get(path);
      if (added && 'file' in added) return added.file;
      if (isReserved(path) || !namesOf(path).every(isServedName)) return undefined;
      const found = await realFile(realRoot, path);
      return typeof found === 'string' ? undefined : found.real;
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

/** `target` so that URL parsers take it for a path of this server and can decode it: it is there to be reported. */
function parseableTarget(target: string): string {
  const [pathname = ''] = target.split('?', 1);
  return `/${escapeStraySigns(pathname).replace(/^[/\\]+/, '')}${target.slice(pathname.length)}`;
}

function editionIn(target: string, { folder, number }: Edition): { rest: string; isCurrent: boolean } | undefined {
  if (!target.startsWith(`/${folder}`)) return undefined;
  const [digits = '', ...rest] = target.slice(folder.length + 1).split('/');
  return /^\d+$/.test(digits) ? { rest: `/${rest.join('/')}`, isCurrent: Number(digits) === number() } : undefined;
}

/** Names with a leading dot are secrets and tool folders (.env, .git), or `..`. A backslash is a separator on Windows. */
function isServedName(name: string): boolean {
  return !name.startsWith('.') && !name.includes('\\') && !name.includes('\0');
}

/** Only the names asked for may not be hidden: package managers link from node_modules to hidden folders in it. */
async function openFile(realRoot: string, path: string): Promise<Content | Refusal> {
  const found = await realFile(realRoot, path);
  return typeof found === 'string' ? found : fileContent(found.real, typeOf(path));
}

async function fileContent(path: string, type: string): Promise<Content> {
  const handle = await open(path);
  const { size, mtimeMs } = await handle.stat();
  return {
    type,
    tag: `"${size.toString(36)}-${mtimeMs.toString(36)}"`,
    size,
    read: (start, end) => handle.createReadStream({ start, end }),
    close: () => handle.close(),
  };
}

/** The plain file behind `path`, all links followed. */
async function realFile(realRoot: string, path: string): Promise<{ real: string } | Refusal> {
  try {
    const real = await realpath(join(realRoot, path));
    if (real !== realRoot && !real.startsWith(join(realRoot, sep))) return 'outside';
    // Looked at before it is opened: opening a pipe would wait for somebody to write into it.
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
  const type = mime.getType(path) ?? 'application/octet-stream';
  return /^text\/|[/+](?:json|xml)$/.test(type) ? `${type}; charset=utf-8` : type;
}

/** Whether a browser may keep it, and the tag by which it asks whether it has changed. */
function caching({ stays, tag, type }: Content, ofEdition: string | undefined): { control: string; tag?: string } {
  if (stays) return { control: aDay };
  // An image that is loaded already may be shown again at once: a frame does not wait for what its styles bring in.
  if (ofEdition === undefined) return { control: type.startsWith('image/') ? aDay : never };
  // What is read piece by piece is not kept: a browser that has some of them asks for the others in ways of its own.
  return tag === undefined || /^(?:video|audio)\//.test(type) ? { control: never } : { control: ofEdition, tag };
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

/** A file may become shorter while it is read: without a cut connection, the client would wait for the rest for ever. */
async function* exactly(length: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = length;
  for await (const chunk of chunks) {
    rest -= chunk.length;
    yield chunk;
  }
  if (rest > 0) throw new Error('the file has become shorter');
}

/** Compared in constant time. */
function holdsSecret(path: string, folder: string): boolean {
  const [given, wanted] = [Buffer.from(path.slice(0, folder.length)), Buffer.from(folder)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** A path from the root, named by a page that knows the secret, is one from its folder; nobody else gets anything. */
function sendOn(request: IncomingMessage, response: ServerResponse, folder: string): void {
  const { referer = '' } = request.headers;
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  const isOwn = from !== undefined && from.host === request.headers.host && holdsSecret(from.pathname, folder);
  const target = request.url ?? '';
  if (!isOwn || !target.startsWith('/') || target.startsWith('//')) sendStatus(response, 404);
  else response.writeHead(307, { location: folder + target.slice(1) }).end();
}

/** Throws UserError where the port is taken. */
async function listening(server: Server, port: number): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    if (!['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new UserError('port_taken', `Port ${port} cannot be used: another program has it, or it is reserved.`, {
      hint: 'Name another one with --port, or leave it out to take a free one.',
      cause: error,
    });
  }
}

function sendStatus(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': never });
  response.end(`${status}\n`);
}
