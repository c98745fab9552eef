// The progress modes of a render.
import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { bytesText, rateText, secondsText } from '../../cli/output/format.ts';
import { createProgress, type ProgressMode } from '../../cli/output/renderProgress.ts';
import type { RenderEvent } from '../../renderer-core/render/renderReport.ts';
import { report, stream } from './cli.ts';

function frames(done: number, total = 200): RenderEvent {
  const fraction = (0.95 * done) / total;
  return { type: 'frames', done, total, fraction, framesPerSecond: 40, remainingSeconds: (total - done) / 40 };
}

const events: RenderEvent[] = [
  { type: 'stage', stage: 'check', message: 'Checking' },
  { type: 'stage', stage: 'capture', message: 'Rendering' },
  ...[1, 5, 19, 20, 25, 60, 199, 200].map((done) => frames(done)),
  { type: 'stage', stage: 'assemble', message: 'Joining' },
  { type: 'assemble', fraction: 0.96, remainingSeconds: null },
  { type: 'assemble', fraction: 0.99, remainingSeconds: 1.5 },
  { type: 'done', report },
];

/** Events come `gap` milliseconds apart. */
function shown(mode: ProgressMode, { tty = false, gap = 30, columns = 80 } = {}): string[] {
  const target = stream(tty, columns);
  let time = 0;
  const progress = createProgress(mode, target, picocolors.createColors(false), () => time);
  for (const event of events) {
    progress.show(event);
    time += gap;
  }
  progress.clear();
  return target.written;
}

test('prints nothing in mode none', () => {
  expect(shown('none', { tty: true })).toEqual([]);
});

test('prints one line per stage in mode auto without a terminal', () => {
  expect(shown('auto')).toEqual(['Checking\n', 'Rendering\n', 'Joining\n']);
});

test('prints every 10 % once in mode plain', () => {
  const expected = [
    'Checking\n',
    'Rendering\n',
    '10 % (25/200 frames, 40 frames/s, 5 s left)\n',
    '20 % (60/200 frames, 40 frames/s, 4 s left)\n',
    '90 % (199/200 frames, 40 frames/s, 1 s left)\n',
    'Joining\n',
  ];
  expect(shown('plain')).toEqual(expected);
  expect(shown('plain', { tty: true })).toEqual(expected);
});

test('starts counting again when a capture restarts', () => {
  const target = stream(false);
  const progress = createProgress('plain', target, picocolors.createColors(false));
  for (const done of [100, 120, 25, 100]) progress.show(frames(done));
  expect(target.written.map((line) => line.slice(0, 4))).toEqual(['40 %', '50 %', '10 %', '40 %']);
});

test('prints every event as a JSON line in mode ndjson', () => {
  const lines = shown('ndjson', { tty: true });
  expect(lines.map((line) => JSON.parse(line))).toEqual(events);
  expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
});

test('continues the line while the video is joined', () => {
  const lines = shown('auto', { tty: true, gap: 150 }).slice(-3);
  expect(lines).toEqual([
    `\r${'█'.repeat(23)}░  96 %  Joining\x1b[K`,
    `\r${'█'.repeat(24)}  99 %  Joining, 2 s left\x1b[K`,
    '\r\x1b[K',
  ]);
});

test('redraws one line at most ten times per second on a terminal, and removes it at the end', () => {
  const written = shown('auto', { tty: true });
  expect(written).toEqual([
    '\rChecking\x1b[K',
    '\rRendering\x1b[K',
    `\r██${'░'.repeat(22)}   9 %  20/200 frames, 40 frames/s, 5 s left\x1b[K`,
    `\r${'█'.repeat(23)}░  95 %  200/200 frames, 40 frames/s, 0 s left\x1b[K`,
    '\rJoining\x1b[K',
    '\r\x1b[K',
  ]);
});

test('shortens the line to the width of the terminal', () => {
  for (const line of shown('auto', { tty: true, gap: 200, columns: 40 })) {
    expect(line.replace('\r', '').replace('\x1b[K', '').length).toBeLessThan(40);
  }
});

test('formats sizes, durations and rates', () => {
  expect([0, 999, 1000, 3400, 9949, 9960, 12_400_000, 999_600, 5e12].map(bytesText)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '3.4 kB',
    '9.9 kB',
    '10 kB',
    '12 MB',
    '1.0 MB',
    '5.0 TB',
  ]);
  expect([0, 0.44, 4, 12.34, 59.9, 59.97, 125, 3599.7, 3725].map(secondsText)).toEqual([
    '0 s',
    '0.4 s',
    '4 s',
    '12.3 s',
    '59.9 s',
    '1 min 00 s',
    '2 min 05 s',
    '1 h 00 min',
    '1 h 02 min',
  ]);
  expect([0, 7.52, 30, 119.88].map(rateText)).toEqual(['0', '7.5', '30', '120']);
});
