// Runs a command in-process with a replaced renderer, collects its output, and checks JSON output against the schemas.
import type { CliIo } from '../../cli/command.ts';
import type { Engine } from '../../cli/engine.ts';
import { runCli } from '../../cli/runCli.ts';
import type { FontService } from '../../renderer-core/fonts/googleFont.ts';
import type { RenderReport } from '../../renderer-core/render/renderReport.ts';
import { checkOutput } from '../support/schemaProblems.ts';

export type CliRun = { status: number; stdout: string; stderr: string };

export type CliOptions = {
  engine?: Partial<Engine>;
  stdin?: string | Uint8Array;
  env?: NodeJS.ProcessEnv;
  tty?: boolean;
  signal?: AbortSignal;
  owner?: number;
  /** By default, Google Fonts cannot be reached. */
  fontService?: FontService;
  /** Receives stderr while the command runs. */
  onStderr?: (text: string) => void;
};

export async function cli(argv: string[], options: CliOptions = {}): Promise<CliRun> {
  const stdout = stream(options.tty ?? false);
  const stderr = stream(options.tty ?? false, 80, options.onStderr);
  const io: CliIo = {
    stdout,
    writeStdout: async (data) => stdout.write(Buffer.from(data).toString('latin1')),
    stderr,
    stdin: chunks(options.stdin ?? ''),
    env: options.env ?? {},
    signal: options.signal ?? new AbortController().signal,
    ...(options.owner === undefined ? {} : { owner: options.owner }),
    fontService: options.fontService ?? unreachable,
    engine: {
      renderVideo: unexpected,
      renderWithHost: unexpected,
      planRender: unexpected,
      renderBatch: unexpected as never,
      planBatch: unexpected,
      renderSizes: unexpected,
      planSizes: unexpected,
      takeSnapshot: unexpected,
      snapshotWithHost: unexpected,
      listSounds: unexpected,
      checkProject: unexpected,
      diagnose: unexpected,
      setUp: unexpected,
      ...options.engine,
    },
  };
  const status = await runCli(argv, io);
  const printed = { stdout: stdout.text(), stderr: stderr.text() };
  checkOutput(argv, printed);
  return { status, ...printed };
}

const unreachable: FontService = { sheets: 'http://127.0.0.1:2', files: 'http://127.0.0.1:2', network: 'any' };

export function stream(isTTY: boolean, columns = 80, onWrite?: (text: string) => void) {
  const written: string[] = [];
  const write = (text: string): void => {
    written.push(text);
    onWrite?.(text);
  };
  return { isTTY, columns, write, text: () => written.join(''), written };
}

async function* chunks(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  // Two chunks, because characters of several bytes may be split.
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
  capture: { path: 'paint', reason: '3 sample frames agree', card: null, directFrames: 0 },
  engine: {
    browser: { version: '153.0.8010.0', source: 'embedded' },
    ffmpeg: { version: '8.1', source: 'embedded' },
  },
  workers: { count: 2, reason: '4 cores' },
  fonts: [{ family: 'Arial', weights: ['400'], source: 'pinned', substitute: 'Arimo' }],
  warnings: [],
};
