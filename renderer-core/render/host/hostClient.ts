// Renders with the user's render host, which is started on demand; without one, renders in this process.

import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { UserError } from '../../errors.ts';
import { cacheRoot } from '../../project/cacheFolder.ts';
import { isStandardOutput } from '../../project/outputPath.ts';
import type { RenderReport } from '../renderReport.ts';
import type { RenderRequest } from '../types.ts';
import { findHostAddress, hostProgram } from './hostAddress.ts';
import {
  type ClientMessage,
  errorOf,
  type HostMessage,
  receiveMessages,
  renderEnvironment,
  sendMessage,
} from './hostMessages.ts';

export type HostUser = {
  /** ID of the process that will ask for further renders. */
  owner: number;
  env?: NodeJS.ProcessEnv;
};

/** Like `renderVideo`, with the same result; the second render is faster. */
export async function renderWithHost(
  request: RenderRequest,
  { owner, env = process.env }: HostUser,
): Promise<RenderReport> {
  const socket = canBeHosted(request) && !request.signal?.aborted ? await reachHost(env) : undefined;
  const report = socket && (await renderAt(socket, request, { owner, env }));
  return report ?? (await import('../pipeline.ts')).renderVideo(request);
}

/** A host cannot call functions of this process, nor write to its streams. */
const canBeHosted = ({ onPlan, output, network = 'any' }: RenderRequest): boolean =>
  onPlan === undefined && network === 'any' && !isStandardOutput(output) && !output?.startsWith('/dev/');

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

/** Undefined if the host refuses or ends. Throws UserError. */
function renderAt(
  socket: Socket,
  { signal, onEvent, onPlan: _, stdout: __, ...render }: RenderRequest,
  { owner, env = process.env }: HostUser,
): Promise<RenderReport | undefined> {
  const request: ClientMessage = { type: 'render', render, folder: process.cwd(), env: renderEnvironment(env), owner };
  // The host answers when everything is removed.
  const cancel = () => sendMessage(socket, { type: 'cancel' });
  return new Promise<RenderReport | undefined>((resolve, reject) => {
    receiveMessages<HostMessage>(socket, (message) => {
      if (message.type === 'event') onEvent?.(message.event);
      else if (message.type === 'done') resolve(message.report);
      else if (message.type === 'error') reject(errorOf(message.error));
      else resolve(undefined);
    });
    socket.once('close', () => {
      if (signal?.aborted) reject(new UserError('cancelled', l10n.t('The render was cancelled; nothing was written.')));
      else resolve(undefined);
    });
    socket.on('error', () => undefined);
    signal?.addEventListener('abort', cancel, { once: true });
    sendMessage(socket, request);
    if (signal?.aborted) cancel();
  }).finally(() => {
    signal?.removeEventListener('abort', cancel);
    socket.destroy();
  });
}
