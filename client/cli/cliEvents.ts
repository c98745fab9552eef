// The progress events of the command line (`--progress=ndjson`), and the parser of their lines.

import type { DeviceCode } from '../../cloud/client/auth/deviceCode.ts';
import { editorHint, editorMessage } from '../../renderer-core/reports/editorText.ts';
import type { ErrorJson as CliError } from '../../renderer-core/reports/errorJson.ts';

export type { CliError };

export type CliReport = {
  output: string;
  frames: number;
  width: number;
  height: number;
  durationSeconds: number;
  posterSeconds?: number;
  bytes: number;
  elapsedMs: number;
};

/** `manifest`: absolute path of the file with the status of each row. */
export type CliBatchReport = {
  manifest: string;
  total: number;
  completed: number;
  failed: number;
  skipped: number;
  /** Rows with values that do not fit: those that used defaults, and those that were skipped. */
  usedDefaults?: number;
  skippedInvalid?: number;
  elapsedMs: number;
};

/** Events of renders in the cloud and on AWS. Progress is 0 to 1, sizes are in bytes, prices in US dollars. */
export type RemoteEvent =
  | { type: 'bytes'; stage: 'upload' | 'download'; done: number; total: number | null }
  | { type: 'upload'; done: number; total: number }
  /** The render was accepted: from now on it continues even when this program ends. */
  | { type: 'submitted'; renderId: string }
  | { type: 'started'; renderId: string; executionArn: string }
  | { type: 'status'; status: string; progress: number }
  | { type: 'retry'; message: string; inMs: number }
  | {
      type: 'progress';
      overallProgress: number;
      framesRendered: number;
      totalFrames: number | null;
      costs: { usd: number };
    };

/** `frames` starts at 0 again when the capture is restarted. */
export type CliEvent =
  | { type: 'stage'; message: string }
  | { type: 'warning'; message: string }
  /** What was skipped in a batch file. */
  | { type: 'note'; message: string }
  | { type: 'frames'; done: number; total: number; fraction: number; remainingSeconds: number | null }
  /** Mixing the sound and joining the video. */
  | { type: 'assemble'; fraction: number; remainingSeconds: number | null }
  | { type: 'row'; index: number; status: string; error?: CliError }
  | { type: 'rows'; total: number; completed: number; failed: number; remainingSeconds: number | null }
  | { type: 'done'; report?: CliReport | CliBatchReport }
  | { type: 'error'; error: CliError }
  /** Sign-in: the page to open, or the code to enter there. */
  | { type: 'url'; url: string }
  | ({ type: 'code' } & DeviceCode)
  | DownloadEvent
  | RemoteEvent;

/** Progress of `framework setup`, in bytes of the archive; null when unknown. */
export type DownloadEvent = {
  type: 'download';
  program: string;
  name: string;
  doneBytes: number;
  totalBytes: number | null;
  remainingSeconds: number | null;
};

export type CliStart = {
  args: readonly string[];
  /** Absolute path. Relative output paths are resolved against it. */
  cwd: string;
  /** Written to standard input, which is then closed. */
  stdin: string;
  env?: Readonly<Record<string, string | undefined>>;
  onEvent(event: CliEvent): void;
  /** Lines of standard error that are not events, such as output of a child process. */
  onText(line: string): void;
  /** Standard output, in chunks. */
  onOutput?(text: string): void;
  /** Messages over the IPC channel, which `framework preview` sends. */
  onMessage?(message: unknown): void;
};

export type CliRun = {
  /** The exit status, or null when a signal ended the program. Rejects when the program could not be started. */
  status: Promise<number | null>;
  /** Requests a clean end, and kills the program after ten seconds. */
  cancel(): void;
  /** Sends a message over the IPC channel. Does nothing after the program has ended. */
  send(message: object): void;
};

const eventTypes = [
  ...['stage', 'warning', 'note', 'frames', 'assemble', 'row', 'rows', 'done', 'error', 'url', 'code', 'download'],
  ...['bytes', 'upload', 'submitted', 'started', 'status', 'retry', 'progress'],
];

/** Parses a line. Returns undefined when it is not an event of a known type. */
export function parseEvent(line: string): CliEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    const isEvent =
      typeof value === 'object' && value !== null && 'type' in value && eventTypes.includes(String(value.type));
    return isEvent ? worded(value as CliEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** With the words of the editor instead of options of the command line. */
function worded(event: CliEvent): CliEvent {
  if (event.type === 'warning' || event.type === 'note') return { ...event, message: editorMessage(event.message) };
  if (event.type === 'error') return { ...event, error: wordedError(event.error) };
  return event.type === 'row' && event.error ? { ...event, error: wordedError(event.error) } : event;
}

function wordedError({ message, hint, ...rest }: CliError): CliError {
  const advice = hint === undefined ? '' : editorHint(hint);
  return { ...rest, message: editorMessage(message), ...(advice === '' ? {} : { hint: advice }) };
}

/** Splits chunks of text into lines. `end` passes on the last line when it has no line break. */
export function createLineSplitter(onLine: (line: string) => void): { add(text: string): void; end(): void } {
  let rest = '';
  return {
    add(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line.replace(/\r$/, ''));
    },
    end() {
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}
