// One line of a terminal that is drawn again and again, and a bar to put into it.
import type { Colors } from './colors.ts';
import type { CliStream } from './command.ts';

export type LiveLine = {
  draw(text: string): void;
  /** Takes it away, before anything else is written. */
  clear(): void;
};

export function createLiveLine(stream: CliStream, colors: Colors): LiveLine {
  let isDrawn = false;
  return {
    draw(text) {
      // One column stays free: some terminals wrap as soon as the last one is written.
      const room = Math.max(20, (stream.columns ?? 80) - 1);
      stream.write(`\r${colors.dim(text.slice(0, room))}\x1b[K`);
      isDrawn = true;
    },
    clear() {
      if (isDrawn) stream.write('\r\x1b[K');
      isDrawn = false;
    },
  };
}

const barWidth = 24;

/** `part` from 0 to 1. */
export function barText(part: number): string {
  const full = Math.round(part * barWidth);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
}
