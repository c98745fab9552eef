// Progress of a hosted render on stderr: one line that is redrawn, plain lines, JSON lines, or only warnings.
import type { CloudEvent } from '../../../cloud/client/cloudEvents.ts';
import type { CliStream } from '../../command.ts';
import type { Colors } from '../../output/colors.ts';
import { bytesText, secondsText } from '../../output/format.ts';
import { barText, createLiveLine } from '../../output/liveLine.ts';
import type { ProgressMode } from '../../output/renderProgress.ts';

export type CloudProgress = { show(event: CloudEvent): void; clear(): void };

type Status = Extract<CloudEvent, { type: 'status' }>;
type Bytes = Extract<CloudEvent, { type: 'bytes' }>;

/** Every mode shows warnings; `none` shows only them. */
export function createCloudProgress(
  mode: ProgressMode,
  stream: CliStream,
  colors: Colors,
  now: () => number = () => performance.now(),
): CloudProgress {
  if (mode === 'ndjson')
    return { show: (event) => void stream.write(`${JSON.stringify(event)}\n`), clear: () => undefined };
  const shown = mode === 'auto' && stream.isTTY ? redrawn(stream, colors, now) : plainLines(stream, mode === 'plain');
  return {
    clear: shown.clear,
    show(event) {
      if (event.type !== 'warning') {
        if (mode !== 'none') shown.show(event);
        return;
      }
      shown.clear();
      stream.write(`${colors.yellow('warning:')} ${event.message}\n`);
    },
  };
}

/** After this time an unchanged status is printed again, so that a log shows that the render is still running. */
const heartbeatMs = 60_000;

function plainLines(stream: CliStream, withTenths: boolean): CloudProgress {
  let tenth = 0;
  let printed: Status | undefined;
  const line = (text: string): void => void stream.write(`${text}\n`);
  return {
    clear: () => undefined,
    show(event) {
      if (event.type === 'stage') {
        tenth = 0;
        line(event.message);
      }
      if (event.type === 'submitted') line(`Submitted as ${event.renderId}`);
      if (event.type === 'retry') line(retryText(event));
      if (event.type === 'bytes' && withTenths && event.total) {
        const reached = Math.floor((event.done / event.total) * 10);
        // Fewer bytes than before: the transfer started again.
        if (reached !== tenth && reached > 0) line(`${reached * 10} % (${bytesLine(event)})`);
        tenth = reached;
      }
      if (event.type !== 'status') return;
      const isNew = event.status !== printed?.status;
      const isFurther = withTenths && Math.floor(event.progress * 10) > Math.floor((printed?.progress ?? 0) * 10);
      if (!isNew && !isFurther && event.elapsedMs - (printed?.elapsedMs ?? 0) < heartbeatMs) return;
      printed = event;
      line(statusText(event));
    },
  };
}

const redrawMs = 100;

function redrawn(stream: CliStream, colors: Colors, now: () => number): CloudProgress {
  const live = createLiveLine(stream, colors);
  let drawnAt = Number.NEGATIVE_INFINITY;
  const draw = (text: string): void => {
    live.draw(text);
    drawnAt = now();
  };
  return {
    clear: live.clear,
    show(event) {
      if (event.type === 'stage') draw(event.message);
      if (event.type === 'submitted') {
        // Keep the id on the screen, so that the user can find the render if this command fails.
        live.clear();
        stream.write(`${colors.dim(`Submitted as ${event.renderId}`)}\n`);
      }
      if (event.type === 'retry') draw(retryText(event));
      if (event.type === 'status') draw(`${barText(event.progress)} ${statusText(event)}`);
      if (event.type === 'bytes' && (event.done === event.total || now() - drawnAt >= redrawMs)) {
        const bar = event.total ? `${barText(Math.min(1, event.done / event.total))} ` : '';
        draw(`${bar}${event.stage === 'upload' ? 'uploading' : 'downloading'} ${bytesLine(event)}`);
      }
      if (event.type === 'done') live.clear();
    },
  };
}

const bytesLine = ({ done, total }: Bytes): string =>
  total === null ? bytesText(done) : `${bytesText(done)} of ${bytesText(total)}`;

function statusText({ status, progress, elapsedMs }: Status): string {
  const part = status === 'rendering' ? ` ${Math.floor(Math.min(1, progress) * 100)} %` : '';
  return `${status}${part} (${secondsText(Math.round(elapsedMs / 1000))})`;
}

function retryText({ message, inMs }: Extract<CloudEvent, { type: 'retry' }>): string {
  return `${message}; retrying in ${secondsText(Math.ceil(inMs / 1000))}`;
}
