// The progress of downloading programs: a bar in terminals, JSON lines, or one line for each download.
import type { SetupEvent } from '../../renderer-core/setup/setupReport.ts';
import type { CliIo } from '../command.ts';
import { colorsFor } from './colors.ts';
import { bytesText, secondsText } from './format.ts';
import { barText, createLiveLine } from './liveLine.ts';
import type { ProgressMode } from './renderProgress.ts';

type SetUpProgress = { show(event: SetupEvent): void; clear(): void };

export function createSetUpProgress(mode: ProgressMode, { stderr, env }: CliIo): SetUpProgress {
  const live = createLiveLine(stderr, colorsFor(stderr, env));
  if (mode === 'none') return { show: () => undefined, clear: () => undefined };
  if (mode === 'ndjson')
    return { show: (event) => void stderr.write(`${JSON.stringify(event)}\n`), clear: () => undefined };
  if (mode === 'auto' && stderr.isTTY) return { show: (event) => live.draw(lineText(event)), clear: live.clear };
  let announced = '';
  return {
    show(event) {
      // Without a terminal, one line per download is enough.
      if (event.type === 'stage') stderr.write(`${event.message}\n`);
      else if (event.name !== announced) {
        announced = event.name;
        stderr.write(
          `Downloading ${announced}${event.totalBytes === null ? '' : ` (${bytesText(event.totalBytes)})`}\n`,
        );
      }
    },
    clear: () => undefined,
  };
}

function lineText(event: SetupEvent): string {
  if (event.type === 'stage') return event.message;
  const { name, doneBytes, totalBytes, remainingSeconds } = event;
  if (totalBytes === null) return `Downloading ${name}, ${bytesText(doneBytes)}`;
  const left = remainingSeconds === null ? '' : `, ${secondsText(Math.ceil(remainingSeconds))} left`;
  return `${barText(doneBytes / totalBytes)} ${name}, ${bytesText(doneBytes)} of ${bytesText(totalBytes)}${left}`;
}
