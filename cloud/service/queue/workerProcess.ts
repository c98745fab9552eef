// Starts a worker process for one render, handles its messages, and kills it together with all its child processes.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Resolution } from '../../../renderer-core/plan/resolution.ts';
import { cacheRoot } from '../../../renderer-core/project/cacheFolder.ts';
import { type Sandbox, sandboxed } from '../isolation/sandbox.ts';
import { watchDisk } from './diskWatch.ts';
import { killTree } from './processTree.ts';
import { internalFailure, mayPass, type RenderFailure } from './renderFailure.ts';
import { startWatchdog, type TimeLimits, timeLimits } from './watchdog.ts';
import { channelFd, maxLineLength, receiveMessages, sendMessage } from './workerChannel.ts';
import { workerCheck } from './workerCheck.ts';
import { workerFile } from './workerFile.ts';
import type { FromWorker, ToWorker, WorkerJob, WorkerResult } from './workerMessages.ts';

export type WorkerLimits = TimeLimits & {
  /** JavaScript heap of the worker in MiB, without browser and ffmpeg. */
  heapMiB: number;
  /** All files in the worker's folder together. */
  diskBytes: number;
};

export const workerLimits: WorkerLimits = { ...timeLimits, heapMiB: 1024, diskBytes: 20 * 1024 ** 3 };

/** Why the service stops a render: the reason of its abort signal. */
export type StopReason = 'deleted' | 'lost' | 'closing';

export type WorkerEnd =
  | { kind: 'done'; result: WorkerResult }
  | { kind: 'failed'; failure: RenderFailure; detail: string }
  /** The worker, its browser or ffmpeg was killed or ran out of memory. `failure`: if it is not started again. */
  | { kind: 'died'; failure: RenderFailure; detail: string }
  | { kind: 'aborted' };

export type WorkerRun = {
  signal: AbortSignal;
  limits: WorkerLimits;
  /** Undefined: the worker runs like the service itself. */
  sandbox: Sandbox | undefined;
  /** The service's environment; the worker gets a part of it. */
  env: NodeJS.ProcessEnv;
  /** Called with the length in seconds; the worker waits until it resolves. */
  onPlan(plan: { seconds: number; resolution: Resolution }): Promise<void>;
  onProgress(value: number): void;
};

/** Rejects only if `onPlan` does. When it resolves, no process of the render is left. */
export async function runWorker(
  job: WorkerJob,
  { signal, limits, sandbox, env, onPlan, onProgress }: WorkerRun,
  file = workerFile,
): Promise<WorkerEnd> {
  if (signal.aborted) return { kind: 'aborted' };
  const node = [`--max-old-space-size=${limits.heapMiB}`, file];
  const [program, args] = sandbox
    ? sandboxed(sandbox, job.folder, [process.execPath, ...node])
    : [process.execPath, node];
  const child = spawn(program, args, {
    cwd: job.folder,
    env: workerEnvironment(job, env),
    // The last one is the pipe for messages, which Windows can only read and write at once if it is overlapped.
    stdio: ['ignore', 'ignore', 'pipe', 'overlapped'],
    // A process group of its own: it does not get signals for the service's group, and ffmpeg can be killed with it.
    detached: true,
  });
  const tail = tailOf(child);
  // Missing if the process could not be started.
  const channel = child.stdio?.[channelFd] as Duplex | undefined;
  // The worker may close it; the end of the process is handled below.
  channel?.on('error', () => undefined);
  const send = (message: ToWorker) => channel && sendMessage(channel, message);
  let onExpired: (failure: RenderFailure) => void = () => undefined;
  const watchdog = startWatchdog(limits, job, (failure) => onExpired(failure));
  const disk = watchDisk(job.folder, limits.diskBytes, (failure) => onExpired(failure));
  try {
    send({ type: 'start', job });
    return await new Promise<WorkerEnd>((resolve, reject) => {
      const end = (detail: string) => resolve({ kind: 'died', failure: internalFailure, detail });
      const { check, acceptPlan } = workerCheck();
      const allow = (): void => {
        acceptPlan();
        send({ type: 'continue' });
      };
      const onMessage = (message: FromWorker): void => {
        watchdog.observe(message);
        if (message.type === 'progress') onProgress(message.value);
        else if (message.type === 'done') resolve({ kind: 'done', result: message.result });
        else if (message.type === 'failed') resolve(failedEnd(message, tail()));
        else onPlan(message).then(allow, reject);
      };
      if (channel)
        receiveMessages(channel, (value) => onMessage(check(value)), {
          maxLength: maxLineLength,
          onError: ({ message }) => end(message),
        });
      child.on('error', (error) => end(String(error)));
      const died = (code: number | null, by: string | null) => end(`exit ${code ?? by}: ${tail()}`);
      // Its last message may arrive after `exit`, but before `close`. `close` may never come if a child survives.
      child.on('close', died);
      child.on('exit', (code, by) => setTimeout(() => died(code, by), lastMessageMs));
      signal.addEventListener('abort', () => resolve({ kind: 'aborted' }), { once: true });
      onExpired = (failure) => resolve({ kind: 'failed', failure, detail: tail() });
    });
  } finally {
    watchdog.stop();
    disk.stop();
    const continuesElsewhere = signal.aborted && signal.reason !== ('deleted' satisfies StopReason);
    send({ type: 'stop', reason: continuesElsewhere ? 'detach' : 'cancel' });
    await endChild(child, job.folder);
    channel?.destroy();
  }
}

function failedEnd({ failure, detail }: FromWorker & { type: 'failed' }, tail: string): WorkerEnd {
  return { kind: mayPass(failure) ? 'died' : 'failed', failure, detail: `${detail}\n${tail}`.trim() };
}

const lastMessageMs = 2_000;

/** Time for a worker to close its browser after `stop`, before it is killed. */
const graceMs = 4_000;

async function endChild(child: ChildProcess, folder: string): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const grace = new AbortController();
    const exited = new Promise((resolve) => child.once('exit', resolve));
    await Promise.race([exited, sleep(graceMs, undefined, { signal: grace.signal })]);
    grace.abort();
  }
  await killTree(pid, folder);
  child.kill('SIGKILL');
}

/** Paths of programs, libraries, fonts and browsers. The worker gets no keys and no addresses of the service. */
const inheritedVariables = [
  ...['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'],
  ...[
    'FRAMEWORK_BROWSER',
    'FRAMEWORK_FFMPEG',
    'FRAMEWORK_FEATURES',
    'PUPPETEER_CACHE_DIR',
    'NODE_EXTRA_CA_CERTS',
    'SystemRoot',
    'SystemDrive',
  ],
];

/** Credentials and region. Safe to pass on: a worker that renders on the stack runs no code of the project itself. */
const stackVariables = /^AWS_|^FRAMEWORK_S3_PATH_STYLE$/;

function workerEnvironment({ folder, stack }: WorkerJob, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const forStack = stack === null ? [] : Object.keys(env).filter((name) => stackVariables.test(name));
  const names = [...inheritedVariables, ...forStack];
  const known = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  // Temporary files of browser and ffmpeg go into the worker's folder, which is removed with the render.
  return { ...Object.fromEntries(known), FRAMEWORK_CACHE: cacheRoot(env), TMPDIR: folder, TEMP: folder, TMP: folder };
}

const tailLength = 4_000;

function tailOf({ stderr }: ChildProcess): () => string {
  let tail = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-tailLength);
  });
  return () => tail.trim();
}
