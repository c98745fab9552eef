// Calls the worker that converts, writes and compares frames. Runs in the capture page.

import { tolerance } from '../samples.ts';
import type { WriterRequest } from './frameWriter.ts';
import { hooksOf } from './pageFeatures.ts';

let worker: Worker | undefined;
let calls = 0;
const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();

export function call<T>(message: WriterRequest, transfer: Transferable[] = []): Promise<T> {
  worker ??= startWorker();
  const id = calls++;
  const reply = new Promise<T>((resolve, reject) => waiting.set(id, { resolve, reject }));
  worker.postMessage({ ...message, call: id }, transfer);
  return reply;
}

function startWorker(): Worker {
  const started = new Worker('/__framework/frameWriter.js');
  started.onmessage = ({ data }: MessageEvent<{ call: number; result?: never; error?: string }>) => {
    const entry = waiting.get(data.call);
    waiting.delete(data.call);
    if (data.error === undefined) entry?.resolve(data.result as never);
    else entry?.reject(new Error(data.error));
  };
  return started;
}

/** The next call starts another worker. */
export function endWriter(): void {
  worker?.terminate();
}

type FrameMessage = Extract<WriterRequest, { type: 'frame' | 'layers' | 'keep' }>;

/** Sends frames to the worker and transfers them with the message. */
export function send(message: FrameMessage): Promise<unknown> {
  const transferred = Object.values(message).filter(
    (value) => value instanceof VideoFrame || value instanceof ArrayBuffer,
  );
  return call(message, transferred);
}

type KeptFrame = Omit<Extract<WriterRequest, { type: 'keep' }>, 'type' | 'tolerance'>;

/** Keeps a sample frame in the worker, to compare it with a screenshot. */
export const keep = (kept: KeptFrame): Promise<unknown> =>
  send({
    type: 'keep',
    ...kept,
    tolerance: Math.max(tolerance, ...hooksOf().map((hooks) => hooks.tolerance?.() ?? 0)),
  });
