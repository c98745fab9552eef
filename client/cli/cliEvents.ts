// What the command line tells while it renders (`--progress=ndjson`), read line by line.

/** A place in a file, relative to the project folder or absolute; line and column count from 1. */
export type SourcePlace = { file: string; line?: number; column?: number };

/** `problems` are those of a batch that cannot begin. */
export type CliError = {
  code: string;
  message: string;
  hint?: string;
  place?: SourcePlace;
  problems?: readonly { message: string; place?: SourcePlace }[];
  /** Facts for programs: the `render_id` of a render that goes on elsewhere. */
  details?: Readonly<Record<string, string | number | null>>;
};

export type CliReport = { output: string; frames: number; durationSeconds: number; bytes: number; elapsedMs: number };

/** `manifest` is the absolute path of the file with the status of every row. */
export type CliBatchReport = {
  manifest: string;
  total: number;
  completed: number;
  failed: number;
  skipped: number;
  elapsedMs: number;
};

/** `completeUrl` has the code in it; `expiresIn` in seconds. */
export type DeviceCode = { userCode: string; url: string; completeUrl?: string; expiresIn: number };

/** What is told of a render that runs elsewhere. Parts are 0 to 1, sizes bytes, prices dollars of the USA. */
export type RemoteEvent =
  | { type: 'bytes'; stage: 'upload' | 'download'; done: number; total: number | null }
  | { type: 'upload'; done: number; total: number }
  /** It is accepted: with its id it can be found whatever happens to this program. */
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

/** `frames` counts from 0 again when the capture has to begin anew. */
export type CliEvent =
  | { type: 'stage'; message: string }
  | { type: 'warning'; message: string }
  | { type: 'frames'; done: number; total: number; remainingSeconds: number | null }
  | { type: 'row'; index: number; status: string; error?: CliError }
  | { type: 'rows'; total: number; completed: number; failed: number; remainingSeconds: number | null }
  | { type: 'done'; report?: CliReport | CliBatchReport }
  | { type: 'error'; error: CliError }
  /** Of a sign-in: the page to open, or the code to type on one. */
  | { type: 'url'; url: string }
  | ({ type: 'code' } & DeviceCode)
  | RemoteEvent;

export type CliStart = {
  args: readonly string[];
  /** Absolute path: relative outputs start here. */
  cwd: string;
  /** Written to standard input, which is then closed. */
  stdin: string;
  /** Over this process's own. */
  env?: Record<string, string>;
  onEvent(event: CliEvent): void;
  /** Lines that are no events: what a program below printed. */
  onText(line: string): void;
  /** What the command prints on standard output, piece by piece. */
  onOutput?(text: string): void;
  /** What the command sends over the channel: one that serves the editor, as `framework preview` does. */
  onMessage?(message: unknown): void;
};

export type CliRun = {
  /** The exit status; null when a signal ended the program. Fails when it could not be started. */
  status: Promise<number | null>;
  /** Asks for an orderly end; what does not follow within ten seconds is ended. */
  cancel(): void;
  /** Over the channel; nothing happens once the program has ended. */
  send(message: object): void;
};

const eventTypes = [
  ...['stage', 'warning', 'frames', 'row', 'rows', 'done', 'error', 'url', 'code'],
  ...['bytes', 'upload', 'submitted', 'started', 'status', 'retry', 'progress'],
];

/** The event on a line, or undefined when the line is something else. Kinds that are not known here are no events. */
export function eventOf(line: string): CliEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    const isEvent =
      typeof value === 'object' && value !== null && 'type' in value && eventTypes.includes(String(value.type));
    return isEvent ? (value as CliEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** Puts pieces of text together to whole lines. `end` gives what is left without a line end. */
export function createLines(onLine: (line: string) => void): { add(text: string): void; end(): void } {
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
