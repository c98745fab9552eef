// Starts and stops the hosted service: database, secrets, object store, background parts and the HTTP server.
import { once } from 'node:events';
import { mkdir, statfs } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { UserError } from '../../renderer-core/errors.ts';
import { ApiError, apiErrorStatus } from './api/apiErrors.ts';
import { createApp } from './api/app.ts';
import { errorResponse } from './api/middleware.ts';
import type { ServiceApp } from './api/requestEnv.ts';
import { limitBodyTime } from './api/slowBodies.ts';
import { createOauthServer } from './auth/oauthServer.ts';
import { openSecrets } from './auth/secrets.ts';
import type { ServiceContext, ServiceLog } from './context.ts';
import { createMailer } from './mail/mailer.ts';
import { createMetrics } from './metrics.ts';
import { startRenderQueue } from './queue/renderQueue.ts';
import type { ServiceSettings } from './settings.ts';
import { openDatabase } from './storage/database.ts';
import { lockData } from './storage/dataLock.ts';
import { isOfActiveAccount } from './storage/fileUrls.ts';
import { newInstanceName } from './storage/ids.ts';
import { limitCounts } from './storage/limitCounts.ts';
import { openObjects } from './storage/openObjects.ts';
import { checkProject } from './storage/projectCheck.ts';
import { startRetention } from './storage/retention.ts';
import { startWebhooks } from './webhooks/webhooks.ts';

export type ServiceIo = {
  log: ServiceLog;
  now?: () => number;
  random?: () => number;
  freeBytes?: () => Promise<number>;
  env?: NodeJS.ProcessEnv;
};

export type Service = {
  app: ServiceApp;
  context: ServiceContext;
  /** Starts no more renders, lets short ones finish, and requeues the others. */
  drain(): Promise<void>;
  close(): Promise<void>;
};

/** Creates everything but the HTTP server. `app.request()` handles requests, for tests. */
export async function createService(settings: ServiceSettings, io: ServiceIo): Promise<Service> {
  const { log, now = Date.now, random = Math.random, env = process.env } = io;
  const { freeBytes = () => freeBytesOf(settings.dataDir) } = io;
  const database = await openDatabase(settings);
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const closing: (() => Promise<void>)[] = [() => database.destroy()];
  // In reverse order, because later parts use earlier ones.
  const close = async (): Promise<void> => {
    for (const part of closing.splice(0).reverse()) await part();
  };
  try {
    const secrets = await openSecrets(database);
    const { objects, mount } = await openObjects(settings, {
      ...{ urlKey: secrets.urlKey, now, env },
      mayRead: (key) => isOfActiveAccount(database, key),
    });
    const instance = newInstanceName();
    const metrics = createMetrics({ database, workers: settings.workers, freeBytes, now });
    const mailer = settings.mail && (await createMailer(settings.mail, log));
    if (mailer) closing.push(() => mailer.close());
    const measures = { now, random, freeBytes, metrics, openCounts: limitCounts(settings, database) };
    const context: ServiceContext = { settings, database, objects, secrets, ...measures, env, log, mailer, instance };
    const oauth = await createOauthServer(context);
    const webhooks = await startWebhooks(context);
    closing.push(() => webhooks.close());
    const queue = await startRenderQueue(context, webhooks);
    closing.push(() => queue.close());
    const retention = startRetention(context);
    closing.push(() => retention.close());
    const app = createApp({ context, queue, oauth, checkProject });
    mount(app);
    return { app, context, drain: queue.drain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export type RunningService = {
  /** The public URL, or the address that the service listens on. */
  url: string;
  /** Whether there is no account yet. */
  isEmpty(): Promise<boolean>;
  /** Finishes requests in progress and short renders, requeues other running renders and stops. */
  close(): Promise<void>;
};

/** Time for requests in progress. */
const shutdownMs = 10_000;

/**
 * With `publicUrl: undefined`, the public URL is the address that the server listens on. Throws UserError `port_taken`
 * or `config_invalid`.
 */
export async function startService(
  settings: Omit<ServiceSettings, 'publicUrl'> & { publicUrl: string | undefined },
  io: ServiceIo,
): Promise<RunningService> {
  let service: Service | undefined;
  // Listen first, because signed URLs and tokens contain the port.
  const listener = getRequestListener(
    async (request, env) => {
      limitBodyTime(env as HttpBindings);
      const response = (await service?.app.fetch(request, env)) ?? startingResponse();
      discardRest(env as HttpBindings, response.status === apiErrorStatus.request_timeout ? slowRestMs : discardMs);
      return response;
    },
    {
      overrideGlobalObjects: false,
      // `discardRest` waits longer, so that a client which only reads after it has sent everything gets the response.
      autoCleanupIncoming: false,
      errorHandler: invalidRequestResponse,
    },
  );
  const server = createServer(
    { requestTimeout: 60 * 60 * 1000, headersTimeout: 30_000, keepAliveTimeout: 65_000 },
    listener,
  );
  server.maxConnections = settings.maxConnections;
  // Closes connections without any traffic.
  server.setTimeout(2 * 60 * 1000);
  await listen(server, settings);
  const url = settings.publicUrl ?? addressOf(server, settings.host);
  let unlock = (): void => undefined;
  try {
    if (settings.databaseUrl === undefined) unlock = await lockData(settings.dataDir);
    service = await createService({ ...settings, publicUrl: url }, io);
  } catch (error) {
    unlock();
    server.close();
    server.closeAllConnections();
    throw error;
  }
  const opened = service;
  return {
    url,
    isEmpty: async () =>
      (await opened.context.database.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) === undefined,
    async close() {
      await Promise.all([stop(server), opened.drain()]);
      await opened.close().finally(unlock);
    },
  };
}

const discardMs = 30_000;
/** For a client that is too slow. Until then, the response can arrive. */
const slowRestMs = 1_000;

/** Reads what a client still sends after its request was answered, for a limited time. Then closes the connection. */
function discardRest({ incoming, outgoing }: HttpBindings, limitMs: number): void {
  if (incoming.complete) return;
  // With `connection: close`, the response would be lost together with the connection.
  const isLast = !outgoing.shouldKeepAlive;
  outgoing.shouldKeepAlive = true;
  outgoing.once('finish', () => {
    // Whatever was reading the body has given up.
    incoming.removeAllListeners('data');
    incoming.resume();
    const { socket } = incoming;
    const timer = setTimeout(() => socket.destroy(), limitMs);
    timer.unref();
    incoming.once('close', () => {
      clearTimeout(timer);
      if (isLast) socket.end();
    });
  });
}

function startingResponse(): Response {
  return errorResponse(new ApiError('service_unavailable', 'The service is starting.', { retryAfter: 1 }));
}

/** For requests that cannot be parsed. All others are handled by the app. */
function invalidRequestResponse(error: unknown): Response {
  return errorResponse(
    error instanceof RequestError
      ? new ApiError('invalid_parameter', `The URL or the Host header of the request is invalid: ${error.message}.`)
      : new ApiError('internal_error', 'An internal error occurred. Try again.'),
  );
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new UserError('port_taken', `Port ${port} on ${host} is already in use`, {
        hint: 'Choose another port with --port; 0 chooses a free one.',
      });
    if (code === 'EACCES')
      throw new UserError('port_taken', `Permission denied to listen on port ${port}`, {
        hint: 'Choose a port from 1024 with --port.',
      });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UserError('usage', `${host} is not an address of this machine`, {
        hint: 'Choose an address with --host, such as 127.0.0.1.',
      });
    throw error;
  }
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), shutdownMs);
  await closed;
  clearTimeout(timer);
}

/** Without the space that only the system may use. */
async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
