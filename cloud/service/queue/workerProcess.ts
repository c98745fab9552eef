// Starts a worker process for one render, listens to it, and ends it with everything that it has started.
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cacheRoot } from '../project/cacheFolder.ts';
import { killTree } from './processTree.ts';
import type { RenderFailure } from './renderFailure.ts';
import type { StopReason } from './renderRun.ts';
import type { FromWorker, ToWorker, WorkerJob, WorkerResult } from './workerMessages.ts';

export type WorkerLimits = {
  /** Of a whole render. */
  wallMs: number;
  /** Without any sign of life. */
  idleMs: number;
  /** JavaScript memory of the worker, in MiB; browser and ffmpeg have their own. */
  heapMiB: number;
};

export const workerLimits: WorkerLimits = { wallMs: 60 * 60_000, idleMs: 10 * 60_000, heapMiB: 1024 };

export type WorkerEnd =
  | { kind: 'done'; result: WorkerResult }
  | { kind: 'failed'; failure: RenderFailure; detail: string }
  /** It ended without a word, being killed or out of memory, or of what may pass. */
  | { kind: 'died'; detail: string }
  | { kind: 'aborted' };

export type WorkerRun = {
  signal: AbortSignal;
  limits: WorkerLimits;
  /** The length is known: the worker waits until this resolves. */
  onPlan(seconds: number): Promise<void>;
  onProgress(value: number): void;
};

/** Beside the bundle that holds this code; seen from the sources, below dist. */
const workerFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/renderWorker.js' : './renderWorker.js', import.meta.url),
);

/** Never rejects but with what `onPlan` rejects with. When it resolves, no process of the render is left. */
export async function runWorker(job: WorkerJob, { signal, limits, onPlan, onProgress }: WorkerRun): Promise<WorkerEnd> {
  if (signal.aborted) return { kind: 'aborted' };
  const child = fork(workerFile, [], {
    cwd: job.folder,
    env: workerEnvironment(job),
    execArgv: [`--max-old-space-size=${limits.heapMiB}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A group of its own: a signal to the service's group is not for it, and one to its group ends ffmpeg too.
    detached: true,
    serialization: 'json',
  });
  const tail = tailOf(child);
  const send = (message: ToWorker) => void (child.connected && child.send(message, () => undefined));
  const watch = watchdog(limits);
  try {
    send({ type: 'start', job });
    return await new Promise<WorkerEnd>((resolve, reject) => {
      const onMessage = (message: FromWorker): void => {
        watch.touch();
        if (message.type === 'progress') onProgress(message.value);
        else if (message.type === 'done') resolve({ kind: 'done', result: message.result });
        else if (message.type === 'failed') resolve(failedEnd(message, tail()));
        else onPlan(message.seconds).then(() => send({ type: 'go' }), reject);
      };
      child.on('message', onMessage);
      child.on('error', (error) => resolve({ kind: 'died', detail: String(error) }));
      const died = (code: number | null, by: string | null) =>
        resolve({ kind: 'died', detail: `exit ${code ?? by}: ${tail()}` });
      // What it has said last may come after its exit, but before everything is closed.
      child.on('close', died);
      child.on('exit', (code, by) => setTimeout(() => died(code, by), lastWordsMs));
      signal.addEventListener('abort', () => resolve({ kind: 'aborted' }), { once: true });
      watch.onExpired((failure) => resolve({ kind: 'failed', failure, detail: tail() }));
    });
  } finally {
    watch.stop();
    const goesOn = signal.aborted && signal.reason !== ('deleted' satisfies StopReason);
    send({ type: 'stop', reason: goesOn ? 'goes on' : 'ended' });
    await endChild(child);
  }
}

function failedEnd({ failure, detail, mayPass }: FromWorker & { type: 'failed' }, tail: string): WorkerEnd {
  const all = `${detail}\n${tail}`.trim();
  return mayPass ? { kind: 'died', detail: all } : { kind: 'failed', failure, detail: all };
}

const lastWordsMs = 2_000;

/** A worker that was asked to stop puts its browser away first; one that does not answer is killed. */
const graceMs = 4_000;

async function endChild(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const grace = new AbortController();
    const exited = new Promise((resolve) => child.once('exit', resolve));
    await Promise.race([exited, sleep(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)]);
    grace.abort();
  }
  await killTree(pid);
  child.kill('SIGKILL');
  if (child.connected) child.disconnect();
}

/** What a worker may know: where programs, libraries, fonts and unpacked browsers are. No key and no address of the service. */
const passedOn = [
  ...['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'],
  ...[
    'FRAMEWORK_BROWSER',
    'FRAMEWORK_FFMPEG',
    'PUPPETEER_CACHE_DIR',
    'NODE_EXTRA_CA_CERTS',
    'SystemRoot',
    'SystemDrive',
  ],
];

/** What names the account of the stack. Nothing of a stranger runs in a worker that only hands its render on. */
const passedToStack = Object.keys(process.env).filter((name) => /^AWS_|^FRAMEWORK_S3_PATH_STYLE$/.test(name));

function workerEnvironment({ folder, stack }: WorkerJob): NodeJS.ProcessEnv {
  const names = stack === null ? passedOn : [...passedOn, ...passedToStack];
  const known = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  // What it leaves lies in its own folder, also what browsers and ffmpeg leave.
  return { ...Object.fromEntries(known), FRAMEWORK_CACHE: cacheRoot(), TMPDIR: folder, TEMP: folder, TMP: folder };
}

const tailLength = 4_000;

function tailOf({ stderr }: ChildProcess): () => string {
  let tail = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-tailLength);
  });
  return () => tail.trim();
}

const inMinutes = (ms: number): string => `${Math.max(1, Math.round(ms / 60_000))} min`;

function watchdog({ wallMs, idleMs }: WorkerLimits) {
  let expire: (failure: RenderFailure) => void = () => undefined;
  const late = (message: string) => () => expire({ code: 'render_timeout', message });
  const wall = setTimeout(late(`The render was not done after ${inMinutes(wallMs)}.`), wallMs);
  const idle = setTimeout(late(`The render made no progress for ${inMinutes(idleMs)}.`), idleMs);
  return {
    touch: () => void idle.refresh(),
    onExpired(tell: (failure: RenderFailure) => void): void {
      expire = tell;
    },
    stop(): void {
      clearTimeout(wall);
      clearTimeout(idle);
    },
  };
}
