// Runs a command in-process and collects what it prints, which has to be what is documented of it; the renderer is replaced
// by what the test gives.
import type { CliIo } from '../../renderer-core/cli/command.ts';
import type { Engine } from '../../renderer-core/cli/engine.ts';
import { runCli } from '../../renderer-core/cli/runCli.ts';
import type { RenderReport } from '../../renderer-core/render/renderVideo.ts';
import { checkAnswer } from '../support/answers.ts';

export type CliRun = { status: number; stdout: string; stderr: string };

export type CliOptions = {
  engine?: Partial<Engine>;
  stdin?: string | Uint8Array;
  env?: NodeJS.ProcessEnv;
  tty?: boolean;
  signal?: AbortSignal;
  /** Told everything that goes to standard error, while the command runs. */
  onStderr?: (text: string) => void;
};

export async function cli(argv: string[], options: CliOptions = {}): Promise<CliRun> {
  const stdout = stream(options.tty ?? false);
  const stderr = stream(options.tty ?? false, 80, options.onStderr);
  const io: CliIo = {
    stdout,
    stderr,
    stdin: chunks(options.stdin ?? ''),
    env: options.env ?? {},
    signal: options.signal ?? new AbortController().signal,
    engine: {
      renderVideo: unexpected,
      planRender: unexpected,
      renderBatch: unexpected as never,
      planBatch: unexpected,
      takeSnapshot: unexpected,
      diagnose: unexpected,
      ...options.engine,
    },
  };
  const status = await runCli(argv, io);
  const printed = { stdout: stdout.text(), stderr: stderr.text() };
  checkAnswer(argv, printed);
  return { status, ...printed };
}

export function stream(isTTY: boolean, columns = 80, onWrite?: (text: string) => void) {
  const written: string[] = [];
  const write = (text: string): void => {
    written.push(text);
    onWrite?.(text);
  };
  return { isTTY, columns, write, text: () => written.join(''), written };
}

async function* chunks(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  // In two pieces, cut in the middle: characters of several bytes must survive that.
  const bytes = Buffer.from(text);
  yield bytes.subarray(0, bytes.length >> 1);
  yield bytes.subarray(bytes.length >> 1);
}

async function unexpected(): Promise<never> {
  throw new Error('the test did not expect this call');
}

export const report: RenderReport = {
  output: '/videos/out.mp4',
  frames: 120,
  fps: '30',
  width: 640,
  height: 360,
  durationSeconds: 4,
  bytes: 1_234_567,
  elapsedMs: 2_500,
  firstFrameMs: 800,
  capture: { path: 'paint', reason: '3 sample frames agree', directFrames: 0 },
  workers: { count: 2, reason: '4 cores' },
  warnings: [],
};
