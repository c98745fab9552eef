// Shows what a render is doing on standard error: a line that is redrawn, plain lines, JSON lines, or nothing.
import type { RenderEvent } from '../render/renderVideo.ts';
import { countText, rateText, secondsText } from './amounts.ts';
import type { Colors } from './colors.ts';
import type { CliStream } from './command.ts';
import type { progressModes } from './commands.ts';

export type ProgressMode = (typeof progressModes)[number];

export type Progress = {
  show(event: RenderEvent): void;
  /** Takes away the line that is being redrawn, before anything else is written. */
  clear(): void;
};

type Frames = Extract<RenderEvent, { type: 'frames' }>;

/** `now` in milliseconds. In every mode but `ndjson` warnings are the caller's to print. */
export function createProgress(
  mode: ProgressMode,
  stream: CliStream,
  colors: Colors,
  now: () => number = () => performance.now(),
): Progress {
  if (mode === 'none') return { show: () => undefined, clear: () => undefined };
  if (mode === 'ndjson')
    return { show: (event) => void stream.write(`${JSON.stringify(event)}\n`), clear: () => undefined };
  if (mode === 'auto' && stream.isTTY) return redrawnLine(stream, colors, now);
  return plainLines(stream, mode === 'plain');
}

function plainLines(stream: CliStream, withPercent: boolean): Progress {
  let shown = 0;
  return {
    show(event) {
      if (event.type === 'stage') {
        shown = 0;
        stream.write(`${event.message}\n`);
      }
      if (event.type !== 'frames' || !withPercent) return;
      const tenth = Math.floor((event.done / event.total) * 10);
      // Fewer than before: the capture began again another way.
      if (tenth < shown) shown = 0;
      if (tenth === shown) return;
      shown = tenth;
      stream.write(`${tenth * 10} % (${framesText(event)})\n`);
    },
    clear: () => undefined,
  };
}

const redrawMs = 100;
const barWidth = 24;

function redrawnLine(stream: CliStream, colors: Colors, now: () => number): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  const draw = (line: string): void => {
    // One column stays free: some terminals wrap as soon as the last one is written.
    const room = Math.max(20, (stream.columns ?? 80) - 1);
    stream.write(`\r${colors.dim(line.slice(0, room))}\x1b[K`);
    isDrawn = true;
    drawnAt = now();
  };
  const clear = (): void => {
    if (isDrawn) stream.write('\r\x1b[K');
    isDrawn = false;
  };
  return {
    clear,
    show(event) {
      if (event.type === 'stage') draw(event.message);
      if (event.type === 'done') clear();
      if (event.type === 'frames' && (event.done === event.total || now() - drawnAt >= redrawMs))
        draw(frameLine(event));
    },
  };
}

function frameLine(event: Frames): string {
  const part = event.total > 0 ? Math.min(1, event.done / event.total) : 0;
  const full = Math.round(part * barWidth);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${String(Math.floor(part * 100)).padStart(3)} %  ${framesText(event)}`;
}

function framesText({ done, total, framesPerSecond, remainingSeconds }: Frames): string {
  const left = remainingSeconds === null ? '' : `, ${secondsText(Math.ceil(remainingSeconds))} left`;
  return `${done}/${countText(total, 'frame')}, ${rateText(framesPerSecond)} frames/s${left}`;
}
