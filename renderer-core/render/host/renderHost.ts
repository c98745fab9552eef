// The render host: renders and takes snapshots for other processes of the user, one at a time, with a browser that stays open.
import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { acquireLock } from '../../project/fileLock.ts';
import { isAlive } from '../../project/output/tempFiles.ts';
import { launch, renderWith } from '../pipeline.ts';
import { deferred } from '../promises.ts';
import type { RenderEvent } from '../renderReport.ts';
import type { Surroundings } from '../session.ts';
import { takeSnapshotWith } from '../snapshot/takeSnapshot.ts';
import { createWarmPrograms, type WarmPrograms } from '../warmPrograms.ts';
import { connectTo } from './hostClient.ts';
import {
  type ClientMessage,
  errorMessage,
  type HostMessage,
  type HostRequest,
  receiveMessages,
  sendMessage,
} from './hostMessages.ts';

export type HostOptions = {
  address: string;
  /** How long it waits for a request, in milliseconds. */
  idleMs: number;
  /** Makes folder and environment of a client those of this process. False if that is not possible. */
  enter(request: Pick<HostRequest, 'folder' | 'env'>): boolean;
  leave(): void;
  /** Unix milliseconds. */
  now(): number;
  /** See `Surroundings`. */
  renderNow: Surroundings['now'];
  signal: AbortSignal;
};

/** In milliseconds. */
const checkEvery = 1000;

/** Resolves when the host has nothing to do any more: it is idle, its owners have ended, or `signal` is aborted. */
export async function runRenderHost(options: HostOptions): Promise<void> {
  const { address, idleMs, now, signal } = options;
  const ended = deferred<void>();
  const renderer = createRenderer(options);
  const owners = new Set<number>();
  let hasOwners = false;
  let idleSince = now();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('close', () => renderer.cancel(socket));
    receiveMessages<ClientMessage>(socket, async (message) => {
      if (message.type === 'cancel') return renderer.cancel(socket);
      owners.add(message.owner);
      hasOwners = true;
      await renderer.serve(message, socket);
      idleSince = now();
    });
  });
  const check = () => {
    for (const owner of owners) if (!isAlive(owner)) owners.delete(owner);
    const isIdle = !renderer.isBusy() && now() - idleSince >= idleMs;
    if (isIdle || (hasOwners && owners.size === 0)) ended.resolve();
  };
  signal.addEventListener('abort', () => ended.resolve());
  if (!(await listen(server, address, now))) return;
  const timer = setInterval(check, checkEvery);
  await ended.promise;
  clearInterval(timer);
  server.close();
  await renderer.close();
}

/** False if another host listens already. */
async function listen(server: Server, address: string, now: () => number): Promise<boolean> {
  const isPipe = address.startsWith('\\\\');
  const lock = isPipe ? undefined : await acquireLock(address, { now });
  try {
    const running = await connectTo(address);
    running?.destroy();
    if (running) return false;
    // Left by a host that was killed.
    if (!isPipe) await rm(address, { force: true });
    return await new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(address, () => resolve(true));
    });
  } finally {
    await lock?.release();
  }
}

type Current = { socket: Socket; stop: AbortController; ended: Promise<void> };

function createRenderer({ enter, leave, renderNow }: HostOptions) {
  let warm: WarmPrograms | undefined;
  /** What `warm` was created for. */
  let warmFor = '';
  let current: Current | undefined;

  async function programsFor({
    request: { browserPath, ffmpegPath },
    folder,
    env,
  }: HostRequest): Promise<WarmPrograms> {
    const isNamed = browserPath !== undefined || ffmpegPath !== undefined;
    const key = JSON.stringify([browserPath, ffmpegPath, isNamed ? folder : '', env]);
    if (key !== warmFor) {
      await warm?.close();
      warm = undefined;
    }
    warmFor = key;
    warm ??= createWarmPrograms();
    return warm;
  }

  async function work(asked: HostRequest, socket: Socket, signal: AbortSignal): Promise<HostMessage> {
    try {
      const programs = await programsFor(asked);
      const launchWarm: typeof launch = (options, use) => launch({ ...options, warm: programs }, use);
      const surroundings = { env: asked.env, now: renderNow };
      const own = {
        gpu: 'auto' as const,
        signal,
        onEvent: (event: RenderEvent) => sendMessage(socket, { type: 'event', event }),
      };
      const report =
        asked.type === 'render'
          ? await renderWith(launchWarm, { ...own, ...asked.request }, surroundings)
          : await takeSnapshotWith(launchWarm, { ...own, ...asked.request }, surroundings);
      return { type: 'done', report };
    } catch (error) {
      return errorMessage(error);
    } finally {
      leave();
    }
  }

  return {
    isBusy: () => current !== undefined,
    async serve(request: HostRequest, socket: Socket): Promise<void> {
      if (current || !enter(request)) {
        sendMessage(socket, { type: 'refused' });
        socket.end();
        return;
      }
      const stop = new AbortController();
      const rendered = work(request, socket, stop.signal);
      current = { socket, stop, ended: rendered.then(() => undefined) };
      const message = await rendered;
      current = undefined;
      sendMessage(socket, message);
      socket.end();
    },
    cancel(socket: Socket): void {
      if (current?.socket === socket) current.stop.abort();
    },
    async close(): Promise<void> {
      current?.stop.abort();
      await current?.ended;
      await warm?.close();
    },
  };
}
