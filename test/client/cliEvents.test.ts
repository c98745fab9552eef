// The command line's events, as they come in pieces, and the words that are made of them.
import { expect, test, vi } from 'vitest';
import { createLines, eventOf } from '../../client/cli/cliEvents.ts';
import { editorError } from '../../client/editorWords.ts';
import { batchReportText, checkTemplate, defaultTemplate, rowOutput } from '../../client/render/batchText.ts';
import {
  errorPlace,
  firstSentence,
  progressPercent,
  progressText,
  reportText,
} from '../../client/render/renderText.ts';
import { renderBlock } from '../../client/renderBlock.ts';

vi.mock('vscode', () => import('../support/vscodeWords.ts'));

test('pieces of text become whole lines', () => {
  const lines: string[] = [];
  const { add, end } = createLines((line) => lines.push(line));
  for (const piece of ['one\ntw', 'o\r\n\nthr', 'ee']) add(piece);
  expect(lines).toEqual(['one', 'two', '']);
  end();
  end();
  expect(lines).toEqual(['one', 'two', '', 'three']);
});

test.each([
  ['{"type":"stage","message":"Checking"}', { type: 'stage', message: 'Checking' }],
  ['{"type":"weather"}', undefined],
  ['{"type":', undefined],
  ['(node:1) Warning: something', undefined],
  ['null', undefined],
])('the event on the line %s', (line, expected) => {
  expect(eventOf(line)).toEqual(expected);
});

test('progress in words', () => {
  const frames = { type: 'frames', done: 30, total: 300, remainingSeconds: 11.2 } as const;
  expect(progressText(frames)).toBe('30 of 300 frames, 12 s left');
  expect(progressText({ ...frames, remainingSeconds: 75 })).toBe('30 of 300 frames, 1 min 15 s left');
  expect(progressText({ ...frames, remainingSeconds: null })).toBe('30 of 300 frames');
  expect(progressText({ type: 'warning', message: 'Careful' })).toBeUndefined();
});

test('the progress of a batch counts rows', () => {
  const rows = { type: 'rows', total: 8, completed: 1, failed: 1, remainingSeconds: 75 } as const;
  expect([progressText(rows), progressPercent(rows)]).toEqual(['2 of 8 rows, 1 failed, 1 min 15 s left', 25]);
  expect(progressText({ ...rows, failed: 0, remainingSeconds: null })).toBe('1 of 8 rows');
});

test('the end of a batch in words', () => {
  const report = { manifest: '/m.json', total: 12, completed: 12, failed: 0, skipped: 0, elapsedMs: 72_000 };
  expect(batchReportText(report)).toBe('12 rows are rendered (1 min 12 s)');
  expect(batchReportText({ ...report, total: 1, completed: 1 })).toBe('1 row is rendered (1 min 12 s)');
  expect(batchReportText({ ...report, completed: 9, failed: 2, skipped: 1 })).toBe(
    '9 of 12 rows are rendered, 2 failed, 1 skipped (1 min 12 s)',
  );
});

test('rows that cannot be rendered are shown by the first of them', () => {
  const problems = [{ message: 'No disk' }, { message: 'No title', place: { file: '/p/data/rows.json', line: 3 } }];
  const error = { code: 'batch_invalid', message: '2 problems in 2 rows:\nRow 1: …\nRow 2: …', problems };
  expect(errorPlace(error, '/p')).toEqual({ file: 'data/rows.json', line: 3 });
  expect(errorPlace(error, '/other')).toEqual({ file: '/p/data/rows.json', line: 3 });
  expect(errorPlace({ ...error, place: { file: 'a.html' } }, '/p')).toEqual({ file: 'a.html' });
  expect(errorPlace({ code: 'x', message: 'x' }, '/p')).toBeUndefined();
  const windows = { file: 'C:\\p\\rows.json', line: 1 };
  expect(errorPlace({ code: 'x', message: 'x', place: windows }, 'C:\\p')).toEqual({ file: 'rows.json', line: 1 });
  expect([error.message, 'It ended', 'Why?'].map(firstSentence)).toEqual([
    '2 problems in 2 rows.',
    'It ended.',
    'Why?',
  ]);
});

test('where the videos of a batch go', () => {
  expect(defaultTemplate('rows.json', false)).toBe('renders/rows/{index}.mp4');
  expect(defaultTemplate('data/cards.rows.jsonl', true)).toBe('renders/cards/{name}.mp4');
  expect(rowOutput('cards.batch.csv', 3)).toBe('renders/cards/3.mp4');
  expect(checkTemplate('out/{name}.mp4', 2)).toBeUndefined();
  expect(checkTemplate('one.mp4', 1)).toBeUndefined();
  expect(checkTemplate('one.mp4', 2)).toMatch(/same file/);
  expect(checkTemplate(' ', 1)).toMatch(/path/);
});

test('a report in words', () => {
  const report = { output: '/a.mp4', frames: 300, durationSeconds: 10, bytes: 2_140_000, elapsedMs: 1 };
  expect(reportText(report)).toBe('300 frames, 10 s, 2.1 MB');
  expect(reportText({ ...report, frames: 1, durationSeconds: 1 / 30, bytes: 999 })).toBe('1 frame, 0 s, 999 bytes');
  expect(reportText({ ...report, bytes: 999_700 })).toBe('300 frames, 10 s, 1.0 MB');
});

test('a missing browser is something for the settings', () => {
  const hint = 'Install Chrome or Chromium, or name one with --browser or FRAMEWORK_BROWSER.';
  expect(editorError({ code: 'browser_not_found', message: 'No browser was found on this machine.', hint })).toEqual({
    code: 'browser_not_found',
    message: 'No browser was found on this machine.',
    hint: 'Install Chrome, or set framework.browserPath to a Chrome or Chromium on this computer.',
    setting: 'framework.browserPath',
  });
});

test('a wrong path is blamed on the setting that holds it', () => {
  const error = {
    code: 'ffmpeg_not_found',
    message: 'The ffmpeg given by --ffmpeg does not exist: /nowhere',
    hint: 'Give the path of an ffmpeg executable, or leave --ffmpeg out to have one found.',
  };
  expect(editorError(error)).toMatchObject({
    message: 'The ffmpeg given by framework.ffmpegPath does not exist: /nowhere',
    hint: 'Give the path of an ffmpeg executable, or leave framework.ffmpegPath out to have one found.',
    setting: 'framework.ffmpegPath',
  });
});

test('other errors stay as they are', () => {
  const error = { code: 'no_duration', message: 'No end.', hint: 'Add one.', place: { file: 'a.html', line: 3 } };
  expect(editorError(error)).toEqual(error);
});

test('where nothing can be rendered, and why', () => {
  const here = { canStartPrograms: true, isTrusted: true, schemes: ['file'] };
  expect(renderBlock(here)).toBeUndefined();
  expect(renderBlock({ ...here, schemes: [] })).toBeUndefined();
  expect(renderBlock({ ...here, schemes: ['vscode-vfs', 'file'] })).toBeUndefined();
  expect(renderBlock({ ...here, isTrusted: false })?.way?.command).toBe('workbench.trust.manage');
  expect(renderBlock({ ...here, schemes: ['vscode-vfs'] })?.message).toContain('(vscode-vfs:)');
  expect(renderBlock({ ...here, canStartPrograms: false })?.message).toContain('browser tab');
});
