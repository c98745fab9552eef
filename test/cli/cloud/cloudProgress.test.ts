// The progress modes of a hosted render, and durations in options.
import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { createCloudProgress } from '../../../cli/commands/cloud/cloudProgress.ts';
import { readDuration } from '../../../cli/commands/cloud/waitOptions.ts';
import type { ProgressMode } from '../../../cli/output/renderProgress.ts';
import type { CloudEvent } from '../../../cloud/client/cloudEvents.ts';
import { stream } from '../cli.ts';

const renderId = 'render_1';
const status = (progress: number, seconds: number): CloudEvent => ({
  type: 'status',
  renderId,
  status: progress === 0 ? 'queued' : 'rendering',
  progress,
  elapsedMs: seconds * 1000,
});
const upload = (done: number): CloudEvent => ({ type: 'bytes', stage: 'upload', done, total: 2_000_000 });

const events: CloudEvent[] = [
  { type: 'stage', stage: 'upload', message: 'Uploading 2.0 MB' },
  { type: 'warning', message: 'a.png stays here' },
  ...[100_000, 900_000, 950_000, 2_000_000].map(upload),
  { type: 'submitted', renderId, status: 'queued' },
  { type: 'stage', stage: 'wait', message: 'Rendering render_1' },
  ...[status(0, 0), status(0, 10), status(0, 61), status(0.14, 70), status(0.16, 80), status(0.51, 90)],
  { type: 'retry', stage: 'wait', message: 'No answer', inMs: 1200 },
  status(0.55, 140),
  status(0.56, 151),
  { type: 'done', renderId, status: 'completed', output: '/out.mp4' },
];

function shown(mode: ProgressMode, tty = false): string[] {
  const target = stream(tty);
  let time = 0;
  const progress = createCloudProgress(mode, target, picocolors.createColors(false), () => time);
  for (const event of events) {
    progress.show(event);
    time += 200;
  }
  progress.clear();
  return target.written;
}

const warning = 'warning: a.png stays here\n';

test('prints each change, and an unchanged status every minute, in mode auto without a terminal', () => {
  expect(shown('auto')).toEqual([
    'Uploading 2.0 MB\n',
    warning,
    'Submitted as render_1\n',
    'Rendering render_1\n',
    'queued (0 s)\n',
    'queued (1 min 01 s)\n',
    'rendering 14 % (1 min 10 s)\n',
    'No answer; retrying in 2 s\n',
    'rendering 55 % (2 min 20 s)\n',
  ]);
});

test('prints every 10 % in mode plain', () => {
  expect(shown('plain')).toEqual([
    'Uploading 2.0 MB\n',
    warning,
    '40 % (900 kB of 2.0 MB)\n',
    '100 % (2.0 MB of 2.0 MB)\n',
    'Submitted as render_1\n',
    'Rendering render_1\n',
    'queued (0 s)\n',
    'queued (1 min 01 s)\n',
    'rendering 14 % (1 min 10 s)\n',
    'rendering 51 % (1 min 30 s)\n',
    'No answer; retrying in 2 s\n',
    'rendering 56 % (2 min 31 s)\n',
  ]);
});

test('prints only warnings in mode none, and every event in mode ndjson', () => {
  expect(shown('none', true)).toEqual([warning]);
  expect(shown('ndjson').map((line) => JSON.parse(line))).toEqual(events);
});

test('redraws one line on a terminal and keeps the render id', () => {
  const written = shown('auto', true);
  expect(written).toContain('Submitted as render_1\n');
  expect(written).toContain(`\r${'█'.repeat(11)}${'░'.repeat(13)} uploading 900 kB of 2.0 MB\x1b[K`);
  expect(written).toContain(`\r${'█'.repeat(12)}${'░'.repeat(12)} rendering 51 % (1 min 30 s)\x1b[K`);
  expect(written.at(-1)).toBe('\r\x1b[K');
});

const range = { least: 1000, most: 7_200_000 };

test.each([
  ['90', 90_000],
  ['90s', 90_000],
  ['15m', 900_000],
  ['1h', 3_600_000],
  ['1.5h', 5_400_000],
  [' 2s ', 2_000],
])('reads %j as %i ms', (text, expected) => {
  expect(readDuration('max-wait', text, range)).toBe(expected);
});

test.each(['', '0', '0.5s', '3h', '1d', '-5', '1e3', 'ten', '1 h'])('rejects %j as a duration', (text) => {
  expect(() => readDuration('max-wait', text, range)).toThrow(`--max-wait must be from 1s to 2h (got "${text}")`);
});

test('reports the allowed durations', () => {
  expect(() => readDuration('max-wait', 'x', range)).toThrow(
    expect.objectContaining({
      code: 'usage',
      hint: 'Write seconds, minutes or hours: 90, 90s, 15m, 1h.',
    }),
  );
});
