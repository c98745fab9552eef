// A terminal line that is redrawn, and a progress bar.

import type { CliStream } from '../command.ts';
import type { Colors } from './colors.ts';

export type LiveLine = {
  draw(text: string): void;
  /** Removes the line. Call it before writing anything else. */
  clear(): void;
};

export function createLiveLine(stream: CliStream, colors: Colors): LiveLine {
  let isDrawn = false;
  return {
    draw(text) {
      // Keep the last column free, because some terminals wrap as soon as it is written.
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

/** `fraction` is from 0 to 1. */
export function barText(fraction: number): string {
  const full = Math.round(fraction * barWidth);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
}
