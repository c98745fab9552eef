// The terminal of a task, which shows the progress of a render. Closing it cancels the render.
import { EventEmitter, l10n, type Pseudoterminal } from 'vscode';
import type { FailedRow } from '../batch/batchResult.ts';
import { batchReportText } from '../batch/batchText.ts';
import type { Outcome } from '../cliJob.ts';
import type { RenderJob, RenderJobs } from '../renderJobs.ts';
import { reportText } from '../renderText.ts';
import { valuesText } from '../valuesText.ts';
import { barLine, failureLines } from './taskText.ts';

/** A terminal answers this request (Device Status Report) when it has drawn everything before it. */
const statusRequest = '\x1b[5n';
const statusAnswer = '\x1b[0n';
/** The longest wait for the answer, in milliseconds. */
const drawingMs = 10_000;
/** Time for VS Code to find the files of the problems, in milliseconds. */
const matchingMs = 500;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** `createJob` returns an error message instead of a job when the task cannot run. */
export function createTaskTerminal(createJob: () => Promise<RenderJob | string>, jobs: RenderJobs): Pseudoterminal {
  const written = new EventEmitter<string>();
  const closed = new EventEmitter<number>();
  let cancel: (() => void) | undefined;
  let isClosed = false;
  let onDrawn: (() => void) | undefined;
  const line = (text: string) => written.fire(`\r\x1b[K${text.replaceAll('\n', '\r\n')}\r\n`);

  async function run(): Promise<number> {
    const given = await createJob();
    if (typeof given === 'string') {
      line(`error: ${given}`);
      return 2;
    }
    if (jobs.isRunning(given.key)) {
      line(l10n.t('{0} is already being rendered.', given.name));
      return 1;
    }
    line(`framework ${given.cli.args.join(' ')}`);
    const values = valuesText(given.values);
    if (values !== '') line(l10n.t('Values: {0}', values));
    const { outcome } = await jobs.start(given, {
      onStart(stop) {
        cancel = stop;
        if (isClosed) stop();
      },
      onLine: line,
      report: (message, percent) => percent !== undefined && written.fire(`\r\x1b[K${barLine(message, percent)}`),
    });
    const { lines, status } = endLines(outcome, given.cli.folder);
    lines.forEach(line);
    return status;
  }

  /** VS Code matches problems only in lines that it has drawn when the terminal closes. */
  async function drawn(): Promise<void> {
    const answer = new Promise<void>((resolve) => {
      onDrawn = resolve;
    });
    written.fire(statusRequest);
    await Promise.race([answer, sleep(drawingMs)]);
    await sleep(matchingMs);
  }

  return {
    onDidWrite: written.event,
    onDidClose: closed.event,
    open() {
      run()
        .catch((error) => {
          line(`error: ${error}`);
          return 1;
        })
        .then(async (status) => {
          if (status !== 0 && !isClosed) await drawn();
          closed.fire(status);
        });
    },
    handleInput(data) {
      const ctrlC = '\x03';
      if (data === ctrlC) cancel?.();
      if (data.includes(statusAnswer)) onDrawn?.();
    },
    close() {
      isClosed = true;
      cancel?.();
    },
  };
}

/** `status` is the exit status of the command line. */
function endLines(outcome: Outcome, folder: string): { lines: string[]; status: number } {
  if (outcome === 'cancelled') return { lines: [l10n.t('Cancelled. No files were written.')], status: 130 };
  if ('error' in outcome) return { lines: failureLines(outcome.error, folder), status: 1 };
  const { report, failed } = outcome;
  if (!report) return { lines: [], status: 0 };
  if ('output' in report) return { lines: [report.output, reportText(report)], status: 0 };
  const rows = failed.flatMap((row) => rowLines(row, folder));
  return { lines: [...rows, report.manifest, batchReportText(report)], status: report.failed > 0 ? 1 : 0 };
}

const rowLines = ({ error }: FailedRow, folder: string): string[] => failureLines(error, folder);
