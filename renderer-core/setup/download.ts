// Downloads one file, through the proxy of the environment, and verifies its checksum.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Dispatcher, EnvHttpProxyAgent, fetch } from 'undici';
import { UserError } from '../errors.ts';

export type Download = {
  url: string;
  /** Path of the file, which must not exist yet. */
  target: string;
  /** In hexadecimal. */
  sha256: string;
  /** The URL is on a mirror: its file `<url>.sha256`, if it exists, replaces `sha256`. */
  isMirror: boolean;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** Called before anything is written. An error that it throws ends the download. */
  onStart?: (totalBytes: number | null) => void | Promise<void>;
  onProgress?: (doneBytes: number, totalBytes: number | null) => void;
};

/**
 * Writes the verified file to `target`. After an error, the caller deletes it.
 * Throws UserError `download_failed`, and errors of the disk.
 */
export async function download(options: Download): Promise<void> {
  const { url, target, env, isMirror, signal } = options;
  const agent = agentFor(env);
  try {
    const expected = (isMirror ? await mirrorChecksum(url, agent, signal) : undefined) ?? options.sha256;
    const response = await request(url, agent, signal);
    if (!response.ok || !response.body) throw refused(url, response.status, isMirror);
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    const totalBytes = Number.isFinite(length) ? length : null;
    await options.onStart?.(totalBytes);
    const hash = createHash('sha256');
    let done = 0;
    const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        done += chunk.length;
        hash.update(chunk);
        options.onProgress?.(done, totalBytes);
        yield chunk;
      }
    };
    await pipeline(
      Readable.fromWeb(response.body),
      counted,
      createWriteStream(target, { flags: 'wx', mode: 0o600 }),
      signal ? { signal } : {},
    );
    const found = hash.digest('hex');
    if (found !== expected) throw wrongChecksum(url, done, found, expected);
  } catch (error) {
    signal?.throwIfAborted();
    throw toDownloadError(error, url, env);
  } finally {
    await agent.destroy();
  }
}

const timeouts = { connectMs: 20_000, headersMs: 60_000, idleMs: 60_000 };

function agentFor(env: NodeJS.ProcessEnv): Dispatcher {
  const [httpProxy, httpsProxy, noProxy] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => env[name] ?? env[name.toUpperCase()] ?? '',
  );
  try {
    return new EnvHttpProxyAgent({
      httpProxy: httpProxy ?? '',
      httpsProxy: httpsProxy ?? '',
      noProxy: noProxy ?? '',
      connect: { timeout: timeouts.connectMs },
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.idleMs,
    });
  } catch (error) {
    throw new UserError('download_failed', `The proxy of the environment is invalid: ${(error as Error).message}`, {
      hint: 'Set HTTPS_PROXY and HTTP_PROXY to URLs such as http://proxy.example:3128.',
      cause: error,
    });
  }
}

/** Has its own timeout, because undici reconnects endlessly to a proxy that closes the connection without a response. */
async function request(url: string, dispatcher: Dispatcher, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const timedOut = Object.assign(new Error('no response'), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => controller.abort(timedOut), timeouts.headersMs);
  const signals = signal ? [controller.signal, signal] : [controller.signal];
  try {
    return await fetch(url, { dispatcher, signal: AbortSignal.any(signals) });
  } finally {
    clearTimeout(timer);
  }
}

/** Reads `<url>.sha256` in the format of `sha256sum`; undefined when it does not exist. */
async function mirrorChecksum(
  url: string,
  dispatcher: Dispatcher,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const response = await request(`${url}.sha256`, dispatcher, signal);
  const text = response.ok ? await response.text() : '';
  return /^[0-9a-f]{64}\b/i.exec(text.trim())?.[0].toLowerCase();
}

function refused(url: string, status: number, isMirror: boolean): UserError {
  const fix = isMirror ? 'Check FRAMEWORK_BROWSER_MIRROR and FRAMEWORK_FFMPEG_MIRROR' : 'Update framework';
  const hint =
    status === 404 || status === 410
      ? `${fix}, or install the program yourself and set --browser or --ffmpeg.`
      : 'Try again later. If you use a proxy, check that it allows this URL.';
  return new UserError('download_failed', `The download failed with HTTP status ${status}: ${url}`, { hint });
}

function wrongChecksum(url: string, bytes: number, found: string, expected: string): UserError {
  return new UserError(
    'download_failed',
    `The checksum of ${url} is wrong: its SHA-256 is ${found} (${bytes} bytes), expected ${expected}. The file was deleted.`,
    { hint: 'A proxy may have replaced the file. Try again, or from another network.' },
  );
}

const offline = ['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN'];
const connection = ['ECONNREFUSED', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'];
const broken = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'];

/** Converts errors of the network to UserError; returns any other error unchanged. */
function toDownloadError(error: unknown, url: string, env: NodeJS.ProcessEnv): unknown {
  if (error instanceof UserError) return error;
  const host = new URL(url).host;
  const { code, message } = firstCause(error);
  const proxy = env.https_proxy ?? env.HTTPS_PROXY ?? env.http_proxy ?? env.HTTP_PROXY;
  const proxyHint = proxy
    ? 'Check the proxy in the environment variables HTTPS_PROXY and HTTP_PROXY.'
    : 'Check your network connection. If you need a proxy, set HTTPS_PROXY.';
  const fail = (text: string, hint = proxyHint) => new UserError('download_failed', text, { hint, cause: error });
  if (/Proxy response/.test(message)) return fail(`The proxy refused the download from ${host}: ${message}.`);
  if (offline.includes(code)) return fail(`Cannot reach ${host}: this machine seems to be offline (${code}).`);
  if (connection.includes(code)) return fail(`${host} does not respond (${code}).`);
  if (broken.includes(code) || message === 'terminated')
    return fail(`The download from ${host} was interrupted (${code || message}).`, 'Run the command again.');
  if (/CERT|SIGNATURE|SSL|TLS/.test(code)) {
    const hint = 'If a proxy inspects TLS connections, set NODE_EXTRA_CA_CERTS to a file with its certificate.';
    return fail(`The certificate of ${host} is not trusted (${code}).`, hint);
  }
  if (message === 'fetch failed' || code.startsWith('UND_ERR'))
    return fail(`The download failed: ${message} (${code}).`);
  return error;
}

/** The innermost cause with a code, which is the error of the connection. */
function firstCause(error: unknown): { code: string; message: string } {
  let found = { code: '', message: '' };
  for (let at = error; at instanceof Error; at = at.cause ?? (at as AggregateError).errors?.[0]) {
    const code = (at as NodeJS.ErrnoException).code;
    found = { code: typeof code === 'string' ? code : found.code, message: at.message || found.message };
  }
  return found;
}
