// When the terminal of a task closes: after a failure, VS Code has to draw the errors first, because it finds problems
// only in lines that are drawn.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CliJob } from '../../../../client/render/jobArguments.ts';
import type { RenderJob, RenderJobs } from '../../../../client/render/renderJobs.ts';
import { createTaskTerminal } from '../../../../client/render/tasks/taskTerminal.ts';

vi.mock('vscode', async () => ({
  ...(await import('../../../support/editor/vscodeWords.ts')),
  EventEmitter: class<T> {
    readonly listeners: ((value: T) => void)[] = [];
    readonly event = (listener: (value: T) => void) => this.listeners.push(listener);
    fire = (value: T) => {
      for (const listener of this.listeners) listener(value);
    };
  },
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const job = {
  key: 'card',
  name: 'card',
  values: {},
  cli: { args: ['render'], folder: '/card' } as unknown as CliJob,
} as RenderJob;
const failure = { error: { code: 'composition', message: 'The width is not a number.' } };
const success = { failed: [], warnings: 0 };

/** Runs a job in a terminal that takes `drawingMs` to draw what was written. Every event has its time in ms. */
function runTask({ outcome = failure as object, drawingMs = 0, onStart = (_: () => void): void => undefined }) {
  const events: [number, string | number][] = [];
  const begin = Date.now();
  const jobs = {
    isRunning: () => false,
    start: async (_: RenderJob, observer: { onStart(stop: () => void): void }) => {
      observer.onStart(() => events.push([Date.now() - begin, 'stopped']));
      onStart(() => terminal.close());
      return { outcome };
    },
  } as unknown as RenderJobs;
  const terminal = createTaskTerminal(async () => job, jobs);
  terminal.onDidWrite((text) => {
    events.push([Date.now() - begin, text.replace('\r\x1b[K', '').trimEnd()]);
    if (text === '\x1b[5n') setTimeout(() => terminal.handleInput?.('\x1b[0n'), drawingMs);
  });
  terminal.onDidClose?.((status) => events.push([Date.now() - begin, Number(status)]));
  terminal.open(undefined);
  return events;
}

test('a failed task closes half a second after its errors are drawn', async () => {
  const events = runTask({ drawingMs: 3_000 });
  await vi.advanceTimersByTimeAsync(3_499);
  expect(events).toEqual([
    [0, 'framework render'],
    [0, 'error: The width is not a number.'],
    [0, '\x1b[5n'],
  ]);
  await vi.advanceTimersByTimeAsync(1);
  expect(events.slice(3)).toEqual([[3_500, 1]]);
});

test('a failed task closes after ten seconds in a terminal that never answers', async () => {
  const events = runTask({ drawingMs: 60_000 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events.at(-1)).toEqual([10_500, 1]);
});

test('a task that succeeds closes at once', async () => {
  const events = runTask({ outcome: success });
  await vi.advanceTimersByTimeAsync(0);
  expect(events).toEqual([
    [0, 'framework render'],
    [0, 0],
  ]);
});

test('a task whose terminal the user closes is cancelled, and waits for nothing', async () => {
  const events = runTask({ outcome: 'cancelled' as never, onStart: (close) => close() });
  await vi.advanceTimersByTimeAsync(0);
  expect(events).toEqual([
    [0, 'framework render'],
    [0, 'stopped'],
    [0, 'Cancelled. No files were written.'],
    [0, 130],
  ]);
});
