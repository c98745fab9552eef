// Renders and takes snapshots with the user's render host, which is started on demand; without one, in this process.

import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../errors.ts';
import { cacheRoot } from '../../project/cacheFolder.ts';
import { isStandardOutput } from '../../project/output/outputPath.ts';
import type { RenderReport } from '../renderReport.ts';
import type { Surroundings } from '../session.ts';
import type { SnapshotReport } from '../snapshot/snapshotReport.ts';
import type { SnapshotRequest } from '../snapshot/takeSnapshot.ts';
import type { RenderRequest } from '../types.ts';
import { findHostAddress, hostProgram } from './hostAddress.ts';
import {
  errorOf,
  type HostMessage,
  type HostRequest,
  type HostWork,
  receiveMessages,
  renderEnvironment,
  sendMessage,
} from './hostMessages.ts';

export type HostUser = Surroundings & {
  /** ID of the process that will ask for further renders or snapshots. */
  owner: number;
};

/** Like `renderVideo`, with the same result; the second render is faster. */
export async function renderWithHost(request: RenderRequest, user: HostUser): Promise<RenderReport> {
  const canAsk = request.onPlan === undefined && request.resume !== true;
  const report = canAsk ? await atHost('render', request, user) : undefined;
  return report ?? (await import('../pipeline.ts')).renderVideo(request, user);
}

/** Like `takeSnapshot`, with the same result; the second snapshot is faster. */
export async function snapshotWithHost(request: SnapshotRequest, user: HostUser): Promise<SnapshotReport> {
  return (
    (await atHost('snapshot', request, user)) ??
    (await import('../snapshot/takeSnapshot.ts')).takeSnapshot(request, user)
  );
}

/** Undefined if there is no host for the request, or if it refuses or ends. Throws UserError. */
async function atHost<Name extends keyof HostWork>(
  type: Name,
  request: HostWork[Name]['request'],
  user: HostUser,
): Promise<HostWork[Name]['report'] | undefined> {
  if (!canBeHosted(request) || request.signal?.aborted) return undefined;
  const socket = await reachHost(user.env);
  return socket && askHost(socket, type, request, user);
}

/** A host cannot write to the streams of this process. */
const canBeHosted = ({ output, network = 'any' }: HostWork[keyof HostWork]['request']): boolean =>
  network === 'any' && !isStandardOutput(output) && !output?.startsWith('/dev/');

/** Undefined if nothing listens there. */
export function connectTo(address: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path: address });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

/** In milliseconds. */
const startTime = 10_000;
const connectEvery = 20;

async function reachHost(env: NodeJS.ProcessEnv): Promise<Socket | undefined> {
  const address = await findHostAddress(cacheRoot(env));
  if (address === undefined) return undefined;
  const running = await connectTo(address);
  if (running) return running;
  const child = spawn(process.execPath, [hostProgram, address], {
    env: { ...env },
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  let hasFailed = false;
  child.once('error', () => {
    hasFailed = true;
  });
  // It ends with status 0 if another process has started one at the same time.
  child.once('exit', (status) => {
    hasFailed ||= status !== 0;
  });
  child.unref();
  for (let waited = 0; waited < startTime && !hasFailed; waited += connectEvery) {
    await sleep(connectEvery);
    const started = await connectTo(address);
    if (started) return started;
  }
  return undefined;
}

function askHost<Name extends keyof HostWork>(
  socket: Socket,
  type: Name,
  request: HostWork[Name]['request'],
  { owner, env }: HostUser,
): Promise<HostWork[Name]['report'] | undefined> {
  const { signal, onEvent, stdout: _, ...sent } = request;
  const message = { type, request: sent, folder: process.cwd(), env: renderEnvironment(env), owner } as HostRequest;
  // The host answers when everything is removed.
  const cancel = () => sendMessage(socket, { type: 'cancel' });
  return new Promise<HostWork[Name]['report'] | undefined>((resolve, reject) => {
    receiveMessages<HostMessage>(socket, (answer) => {
      if (answer.type === 'event') onEvent?.(answer.event);
      else if (answer.type === 'done') resolve(answer.report as HostWork[Name]['report']);
      else if (answer.type === 'error') reject(errorOf(answer.error));
      else resolve(undefined);
    });
    socket.once('close', () => {
      if (signal?.aborted) reject(new UserError('cancelled', cancelledText(type)));
      else resolve(undefined);
    });
    socket.on('error', () => undefined);
    signal?.addEventListener('abort', cancel, { once: true });
    sendMessage(socket, message);
    if (signal?.aborted) cancel();
  }).finally(() => {
    signal?.removeEventListener('abort', cancel);
    socket.destroy();
  });
}

const cancelledText = (type: keyof HostWork): string =>
  type === 'render'
    ? 'The render was cancelled; nothing was written.'
    : 'The snapshot was cancelled; nothing was written.';
