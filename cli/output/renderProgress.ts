// Progress of a render on stderr: one line that is redrawn, plain lines, JSON lines, or nothing.
import type { RenderEvent } from '../../renderer-core/render/renderReport.ts';
import type { CliStream } from '../command.ts';
import type { progressModes } from '../options/sharedOptions.ts';
import type { Colors } from './colors.ts';
import { countText, rateText, secondsText } from './format.ts';
import { barText, createLiveLine } from './liveLine.ts';

export type ProgressMode = (typeof progressModes)[number];

export type Progress = {
  show(event: RenderEvent): void;
  /** Removes the line that is redrawn. Call it before writing anything else. */
  clear(): void;
};

type Frames = Extract<RenderEvent, { type: 'frames' }>;

/** `now` returns milliseconds. The caller prints warnings, except in mode `ndjson`. */
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
        if (event.stage !== 'assemble') shown = 0;
        stream.write(`${event.message}\n`);
      }
      if ((event.type !== 'frames' && event.type !== 'assemble') || !withPercent) return;
      const tenth = Math.floor(event.fraction * 10);
      // Fewer frames than before: the capture started again with another method.
      if (tenth < shown) shown = 0;
      if (tenth === shown) return;
      shown = tenth;
      const text = event.type === 'frames' ? framesText(event) : `joining${leftText(event)}`;
      stream.write(`${tenth * 10} % (${text})\n`);
    },
    clear: () => undefined,
  };
}

const redrawMs = 100;

function redrawnLine(stream: CliStream, colors: Colors, now: () => number): Progress {
  const { draw: drawLine, clear } = createLiveLine(stream, colors);
  let drawnAt = Number.NEGATIVE_INFINITY;
  let message = '';
  const draw = (line: string): void => {
    drawLine(line);
    drawnAt = now();
  };
  return {
    clear,
    show(event) {
      if (event.type === 'stage') {
        message = event.message;
        draw(message);
      }
      if (event.type === 'done') clear();
      const isDue = now() - drawnAt >= redrawMs;
      if (event.type === 'frames' && (event.done === event.total || isDue))
        draw(`${shareText(event.fraction)}  ${framesText(event)}`);
      if (event.type === 'assemble' && isDue) draw(`${shareText(event.fraction)}  ${message}${leftText(event)}`);
    },
  };
}

const shareText = (fraction: number): string =>
  `${barText(fraction)} ${String(Math.floor(fraction * 100)).padStart(3)} %`;

const leftText = ({ remainingSeconds }: { remainingSeconds: number | null }): string =>
  remainingSeconds === null ? '' : `, ${secondsText(Math.ceil(remainingSeconds))} left`;

const framesText = (event: Frames): string =>
  `${event.done}/${countText(event.total, 'frame')}, ${rateText(event.framesPerSecond)} frames/s${leftText(event)}`;
