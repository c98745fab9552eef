// Downloads one file, by way of the proxy that the environment names, and checks that it is the one that was meant.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Dispatcher, EnvHttpProxyAgent, fetch } from 'undici';
import { UserError } from '../errors.ts';

export type Download = {
  url: string;
  /** The file, which must not be there yet. */
  target: string;
  /** In hexadecimal. */
  sha256: string;
  /** The publisher's place was replaced: a file `<url>.sha256` there goes before `sha256`, for a mirror of other builds. */
  isMirror: boolean;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** Told when the answer is there, before anything is written: what it throws ends the download. */
  onStart?: (totalBytes: number | null) => void | Promise<void>;
  onProgress?: (doneBytes: number, totalBytes: number | null) => void;
};

/**
 * What is at `target` afterwards is whole and the right file; after an error it is to be thrown away.
 * Throws UserError `download_failed`; faults of the disk pass through.
 */
export async function download(what: Download): Promise<void> {
  const { url, target, env, signal } = what;
  const agent = agentFor(env);
  try {
    const expected = what.isMirror ? await mirroredChecksum(url, agent, signal) : undefined;
    const response = await request(url, agent, signal);
    if (!response.ok || !response.body) throw refused(url, response.status, what.isMirror);
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    const totalBytes = Number.isFinite(length) ? length : null;
    await what.onStart?.(totalBytes);
    const hash = createHash('sha256');
    let done = 0;
    const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        done += chunk.length;
        hash.update(chunk);
        what.onProgress?.(done, totalBytes);
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
    if (found !== (expected ?? what.sha256)) throw otherFile(url, done, found, expected ?? what.sha256);
  } catch (error) {
    signal?.throwIfAborted();
    throw explained(error, url, env);
  } finally {
    await agent.destroy();
  }
}

const patience = { connectMs: 20_000, headersMs: 60_000, silenceMs: 60_000 };

function agentFor(env: NodeJS.ProcessEnv): Dispatcher {
  const [httpProxy, httpsProxy, noProxy] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => env[name] ?? env[name.toUpperCase()] ?? '',
  );
  try {
    return new EnvHttpProxyAgent({
      httpProxy: httpProxy ?? '',
      httpsProxy: httpsProxy ?? '',
      noProxy: noProxy ?? '',
      connect: { timeout: patience.connectMs },
      headersTimeout: patience.headersMs,
      bodyTimeout: patience.silenceMs,
    });
  } catch (error) {
    throw new UserError('download_failed', `The proxy of the environment cannot be used: ${(error as Error).message}`, {
      hint: 'Set HTTPS_PROXY and HTTP_PROXY to URLs such as http://proxy.example:3128.',
      cause: error,
    });
  }
}

/** A proxy that closes a connection without a word is asked again and again by the library: somebody has to end that. */
async function request(url: string, dispatcher: Dispatcher, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const silent = Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => controller.abort(silent), patience.headersMs);
  const signals = signal ? [controller.signal, signal] : [controller.signal];
  try {
    return await fetch(url, { dispatcher, signal: AbortSignal.any(signals) });
  } finally {
    clearTimeout(timer);
  }
}

/** What a mirror says beside the file, as `sha256sum` writes it; undefined where it says nothing. */
async function mirroredChecksum(
  url: string,
  dispatcher: Dispatcher,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const response = await request(`${url}.sha256`, dispatcher, signal);
  const text = response.ok ? await response.text() : '';
  return /^[0-9a-f]{64}\b/i.exec(text.trim())?.[0].toLowerCase();
}

function refused(url: string, status: number, isMirror: boolean): UserError {
  const where = isMirror ? 'Check FRAMEWORK_BROWSER_MIRROR and FRAMEWORK_FFMPEG_MIRROR' : 'Update framework';
  const hint =
    status === 404 || status === 410
      ? `${where}, or install the program yourself and name it with --browser or --ffmpeg.`
      : 'Try again later; behind a proxy, ask whether it lets this address through.';
  return new UserError('download_failed', `The download was answered with status ${status}: ${url}`, { hint });
}

function otherFile(url: string, bytes: number, found: string, expected: string): UserError {
  return new UserError(
    'download_failed',
    `What came from ${url} is not the file that was published: its SHA-256 is ${found} (${bytes} bytes), not ${expected}. It was thrown away.`,
    { hint: 'A proxy may have answered with a page of its own. Try again, or from another network.' },
  );
}

const offline = ['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN'];
const connection = ['ECONNREFUSED', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'];
const broken = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'];

/** Faults of the network in words; whatever else it is stays as it is. */
function explained(error: unknown, url: string, env: NodeJS.ProcessEnv): unknown {
  if (error instanceof UserError) return error;
  const host = new URL(url).host;
  const { code, message } = firstCause(error);
  const proxy = env.https_proxy ?? env.HTTPS_PROXY ?? env.http_proxy ?? env.HTTP_PROXY;
  const way = proxy
    ? 'The environment names a proxy (HTTPS_PROXY, HTTP_PROXY): check that it is right.'
    : 'Check the connection; behind a proxy, set HTTPS_PROXY.';
  const fail = (text: string, hint = way) => new UserError('download_failed', text, { hint, cause: error });
  if (/Proxy response/.test(message)) return fail(`The proxy refused the download from ${host}: ${message}.`);
  if (offline.includes(code)) return fail(`${host} cannot be reached: this machine seems to be offline (${code}).`);
  if (connection.includes(code)) return fail(`${host} does not answer (${code}).`);
  if (broken.includes(code) || message === 'terminated')
    return fail(`The download from ${host} broke off (${code || message}).`, 'Run the command again.');
  if (/CERT|SIGNATURE|SSL|TLS/.test(code)) {
    const hint = 'Where a proxy opens connections, set NODE_EXTRA_CA_CERTS to a file with its certificate.';
    return fail(`The certificate of ${host} is not trusted (${code}).`, hint);
  }
  if (message === 'fetch failed' || code.startsWith('UND_ERR'))
    return fail(`The download failed: ${message} (${code}).`);
  return error;
}

/** The innermost cause that has a code, which is what happened to the connection. */
function firstCause(error: unknown): { code: string; message: string } {
  let found = { code: '', message: '' };
  for (let at = error; at instanceof Error; at = at.cause ?? (at as AggregateError).errors?.[0]) {
    const code = (at as NodeJS.ErrnoException).code;
    found = { code: typeof code === 'string' ? code : found.code, message: at.message || found.message };
  }
  return found;
}
