// Starts and stops the hosted service: database, secrets, files, background parts, and the server in front of them.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { UserError } from '../errors.ts';
import { errorResponse } from './answers.ts';
import { ApiError } from './apiErrors.ts';
import { createApp, type ServiceApp } from './app.ts';
import { checkArchive } from './archive.ts';
import type { ServiceContext, ServiceLog } from './context.ts';
import { openDatabase } from './database.ts';
import { lockData } from './dataLock.ts';
import { createDiskObjects } from './diskObjects.ts';
import { newInstanceName } from './ids.ts';
import { createOauthServer } from './oauth.ts';
import type { ObjectStore } from './objects.ts';
import { startRenderQueue } from './renderQueue.ts';
import { startRetention } from './retention.ts';
import { openSecrets } from './secrets.ts';
import type { ServiceSettings } from './settings.ts';
import { startWebhooks } from './webhooks.ts';

export type ServiceIo = { log: ServiceLog; now?: () => number };

export type Service = { app: ServiceApp; context: ServiceContext; close(): Promise<void> };

/** All of it but the server: `app.request()` answers. */
export async function createService(settings: ServiceSettings, io: ServiceIo): Promise<Service> {
  const { log, now = Date.now } = io;
  const database = await openDatabase(settings);
  const closing: (() => Promise<void>)[] = [() => database.destroy()];
  // What was opened last may still use what was opened before it.
  const close = async (): Promise<void> => {
    for (const part of closing.splice(0).reverse()) await part();
  };
  try {
    const secrets = await openSecrets(database);
    const { objects, mount } = await openObjects(settings, secrets.urlKey, now);
    const context: ServiceContext = { settings, database, objects, secrets, now, log, instance: newInstanceName() };
    const oauth = await createOauthServer(context);
    const webhooks = await startWebhooks(context);
    closing.push(() => webhooks.close());
    const queue = await startRenderQueue(context, webhooks);
    closing.push(() => queue.close());
    const retention = startRetention(context);
    closing.push(() => retention.close());
    const app = createApp({ context, queue, oauth, checkArchive: async (file) => void (await checkArchive(file)) });
    mount(app);
    return { app, context, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type OpenObjects = { objects: ObjectStore; mount(app: ServiceApp): void };

/** Files of a bucket are read at the bucket's own URLs. */
async function openObjects(settings: ServiceSettings, urlKey: Buffer, now: () => number): Promise<OpenObjects> {
  const { objects: kind, dataDir, publicUrl } = settings;
  if (kind.kind === 's3') {
    // A second until it is loaded, which who keeps files on disk need not wait.
    const { openS3Objects } = await import('./s3Objects.ts');
    return { objects: await openS3Objects(kind, now), mount: () => undefined };
  }
  const disk = createDiskObjects({ folder: join(dataDir, 'objects'), publicUrl, urlKey, now });
  return { objects: disk, mount: disk.mount };
}

export type RunningService = {
  /** Where it is reached: the public URL, or the address it listens on. */
  url: string;
  /** There is no account yet. */
  isEmpty(): Promise<boolean>;
  /** Finishes what is asked, hands back what is rendered, and ends. */
  close(): Promise<void>;
};

/** Requests that are under way have so long to be finished. */
const finishMs = 10_000;

/** `publicUrl` undefined: the address that it listens on. Throws UserError `port_taken`, or `config_invalid`. */
export async function startService(
  settings: Omit<ServiceSettings, 'publicUrl'> & { publicUrl: string | undefined },
  io: ServiceIo,
): Promise<RunningService> {
  let service: Service | undefined;
  // The port first: signed URLs and tokens name it.
  const answer = getRequestListener(
    async (request, env) => {
      const response = (await service?.app.fetch(request, env)) ?? starting();
      discardRest(env as HttpBindings);
      return response;
    },
    {
      overrideGlobalObjects: false,
      // Ours waits longer: a client that only listens when it has sent everything is to hear why it was refused.
      autoCleanupIncoming: false,
      errorHandler: unreadable,
    },
  );
  const server = createServer(
    { requestTimeout: 60 * 60 * 1000, headersTimeout: 30_000, keepAliveTimeout: 65_000 },
    answer,
  );
  // A connection on which nothing moves.
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
      await stop(server);
      await opened.close().finally(unlock);
    },
  };
}

const discardMs = 30_000;

/** Reads on, for a while, what a client still sends when its request is answered already. */
function discardRest({ incoming, outgoing }: HttpBindings): void {
  if (incoming.complete) return;
  // Who asked for a connection of one request would else lose the answer with it.
  const isLast = !outgoing.shouldKeepAlive;
  outgoing.shouldKeepAlive = true;
  outgoing.once('finish', () => {
    // Whoever began to read it has given up.
    incoming.removeAllListeners('data');
    incoming.resume();
    const { socket } = incoming;
    const timer = setTimeout(() => socket.destroy(), discardMs);
    timer.unref();
    incoming.once('close', () => {
      clearTimeout(timer);
      if (isLast) socket.end();
    });
  });
}

function starting(): Response {
  return errorResponse(new ApiError('service_unavailable', 'The service is starting.', { retryAfter: 1 }));
}

/** Everything that can be read is answered by the application itself. */
function unreadable(error: unknown): Response {
  return errorResponse(
    error instanceof RequestError
      ? new ApiError('invalid_parameter', 'The address of this request cannot be read.')
      : new ApiError('internal_error', 'Something went wrong here. Try again.'),
  );
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new UserError('port_taken', `Port ${port} of ${host} is in use`, {
        hint: 'Choose another with --port; 0 takes a free one.',
      });
    if (code === 'EACCES')
      throw new UserError('port_taken', `This user may not listen on port ${port}`, {
        hint: 'Choose one from 1024 up.',
      });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UserError('usage', `${host} is no address of this machine`, { hint: 'Choose one with --host.' });
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
  const timer = setTimeout(() => server.closeAllConnections(), finishMs);
  await closed;
  clearTimeout(timer);
}
