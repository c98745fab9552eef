// The terminal of a task: a render whose progress is drawn there. Closing it cancels the render.
import { EventEmitter, l10n, type Pseudoterminal } from 'vscode';
import type { FailedRow } from './batchResult.ts';
import { batchReportText } from './batchText.ts';
import type { Outcome } from './cliJob.ts';
import { reportText } from './renderText.ts';
import { barLine, failureLines } from './taskText.ts';
import type { UnderWay, Work } from './underWay.ts';

/** For the last lines. Milliseconds. */
const drawingMs = 500;

/** `work` gives a sentence in place of the work where the task cannot be run. */
export function createTaskTerminal(work: () => Promise<Work | string>, underWay: UnderWay): Pseudoterminal {
  const written = new EventEmitter<string>();
  const closed = new EventEmitter<number>();
  let cancel: (() => void) | undefined;
  let isClosed = false;
  const line = (text: string) => written.fire(`\r\x1b[K${text.replaceAll('\n', '\r\n')}\r\n`);

  async function run(): Promise<number> {
    const given = await work();
    if (typeof given === 'string') {
      line(`error: ${given}`);
      return 2;
    }
    if (underWay.isRunning(given.key)) {
      line(l10n.t('{0} is being rendered already.', given.name));
      return 1;
    }
    line(`framework ${given.job.args.join(' ')}`);
    const { outcome } = await underWay.start(given, {
      onStart(stop) {
        cancel = stop;
        if (isClosed) stop();
      },
      onLine: line,
      report: (message, percent) => percent !== undefined && written.fire(`\r\x1b[K${barLine(message, percent)}`),
    });
    const { lines, status } = endLines(outcome, given.job.folder);
    lines.forEach(line);
    return status;
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
        // The editor looks for problems in lines that it has drawn, and stops at the end, whatever is still to be drawn.
        .then((status) => setTimeout(() => closed.fire(status), status === 0 ? 0 : drawingMs));
    },
    handleInput(data) {
      // Ctrl-C.
      if (data === '\x03') cancel?.();
    },
    close() {
      isClosed = true;
      cancel?.();
    },
  };
}

/** The status is that of the command line. */
function endLines(outcome: Outcome, folder: string): { lines: string[]; status: number } {
  if (outcome === 'cancelled') return { lines: [l10n.t('Cancelled; nothing was written.')], status: 130 };
  if ('error' in outcome) return { lines: failureLines(outcome.error, folder), status: 1 };
  const { report, failed } = outcome;
  if (!report) return { lines: [], status: 0 };
  if ('output' in report) return { lines: [report.output, reportText(report)], status: 0 };
  const rows = failed.flatMap((row) => rowLines(row, folder));
  return { lines: [...rows, report.manifest, batchReportText(report)], status: report.failed > 0 ? 1 : 0 };
}

const rowLines = ({ error }: FailedRow, folder: string): string[] => failureLines(error, folder);
