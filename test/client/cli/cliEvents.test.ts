// Parsing the events of the command line, and the texts for progress, results and errors.
import { expect, test, vi } from 'vitest';
import { createLineSplitter, parseEvent } from '../../../client/cli/cliEvents.ts';
import { editorError } from '../../../client/errorMessages.ts';
import { batchReportText, checkTemplate, defaultTemplate, rowOutput } from '../../../client/render/batch/batchText.ts';
import {
  errorLocation,
  firstSentence,
  progressPercent,
  progressText,
  reportText,
} from '../../../client/render/renderText.ts';
import { renderBlock } from '../../../client/renderBlock.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeWords.ts'));

test('splits chunks of text into lines', () => {
  const lines: string[] = [];
  const { add, end } = createLineSplitter((line) => lines.push(line));
  for (const chunk of ['one\ntw', 'o\r\n\nthr', 'ee']) add(chunk);
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
])('parses the line %s', (line, expected) => {
  expect(parseEvent(line)).toEqual(expected);
});

test('describes the progress of a render', () => {
  const frames = { type: 'frames', done: 30, total: 300, fraction: 0.095, remainingSeconds: 11.2 } as const;
  expect(progressText(frames)).toBe('30 of 300 frames, 12 s left');
  expect(progressText({ ...frames, remainingSeconds: 75 })).toBe('30 of 300 frames, 1 min 15 s left');
  expect(progressText({ ...frames, remainingSeconds: null })).toBe('30 of 300 frames');
  expect(progressText({ type: 'warning', message: 'Careful' })).toBeUndefined();
});

test('describes the progress of a batch in rows', () => {
  const rows = { type: 'rows', total: 8, completed: 1, failed: 1, remainingSeconds: 75 } as const;
  expect([progressText(rows), progressPercent(rows)]).toEqual(['2 of 8 rows, 1 failed, 1 min 15 s left', 25]);
  expect(progressText({ ...rows, failed: 0, remainingSeconds: null })).toBe('1 of 8 rows');
});

test('summarizes a finished batch', () => {
  const report = { manifest: '/m.json', total: 12, completed: 12, failed: 0, skipped: 0, elapsedMs: 72_000 };
  expect(batchReportText(report)).toBe('12 rows rendered (1 min 12 s)');
  expect(batchReportText({ ...report, total: 1, completed: 1 })).toBe('1 row rendered (1 min 12 s)');
  expect(batchReportText({ ...report, completed: 9, failed: 2, skipped: 1 })).toBe(
    '9 of 12 rows rendered, 2 failed, 1 skipped (1 min 12 s)',
  );
  expect(batchReportText({ ...report, usedDefaults: 3 })).toBe('12 rows rendered, 3 rows used defaults (1 min 12 s)');
});

test('uses the first problem with a location as the location of a batch error', () => {
  const problems = [{ message: 'No disk' }, { message: 'No title', place: { file: '/p/data/rows.json', line: 3 } }];
  const error = { code: 'batch_invalid', message: '2 problems in 2 rows:\nRow 1: …\nRow 2: …', problems };
  expect(errorLocation(error, '/p')).toEqual({ file: 'data/rows.json', line: 3 });
  expect(errorLocation(error, '/other')).toEqual({ file: '/p/data/rows.json', line: 3 });
  expect(errorLocation({ ...error, place: { file: 'a.html' } }, '/p')).toEqual({ file: 'a.html' });
  expect(errorLocation({ code: 'x', message: 'x' }, '/p')).toBeUndefined();
  const windows = { file: 'C:\\p\\rows.json', line: 1 };
  expect(errorLocation({ code: 'x', message: 'x', place: windows }, 'C:\\p')).toEqual({ file: 'rows.json', line: 1 });
});

test.each([
  ['2 problems in 2 rows:\nRow 1: …', '2 problems in 2 rows.'],
  ['It ended', 'It ended.'],
  ['Why?', 'Why?'],
  ['the browser does not start', 'The browser does not start.'],
  ['ffmpeg was not found on this machine', 'ffmpeg was not found on this machine.'],
])('shows the message %j as a sentence', (message, sentence) => {
  expect(firstSentence(message)).toBe(sentence);
});

test('proposes and checks the output template of a batch', () => {
  expect(defaultTemplate('rows.json', false)).toBe('renders/rows/{index}.mp4');
  expect(defaultTemplate('data/cards.rows.jsonl', true)).toBe('renders/cards/{name}.mp4');
  expect(rowOutput('cards.batch.csv', 3)).toBe('renders/cards/3.mp4');
  expect(
    checkTemplate('out/{name}.mp4', { rows: 2, placeholders: ['index', 'name'], folder: '/films' }),
  ).toBeUndefined();
  expect(checkTemplate('one.mp4', { rows: 1, placeholders: ['index'], folder: '/films' })).toBeUndefined();
  expect(checkTemplate('one.mp4', { rows: 2, placeholders: ['index'], folder: '/films' })).toMatch(/same file/);
  expect(checkTemplate('{index}-{nme}.mp4', { rows: 2, placeholders: ['index', 'name'], folder: '/films' })).toBe(
    '{nme} has no value in every row. Known placeholders: {index}, {name}',
  );
  expect(checkTemplate(' ', { rows: 1, placeholders: ['index'], folder: '/films' })).toMatch(/path/);
  expect(checkTemplate('../{index}.mp4', { rows: 2, placeholders: ['index'], folder: '/films' })).toMatch(
    /project folder/,
  );
});

test('summarizes a render', () => {
  const report = {
    output: '/a.mp4',
    width: 320,
    height: 180,
    frames: 300,
    durationSeconds: 10,
    bytes: 2_140_000,
    elapsedMs: 1,
  };
  expect(reportText(report)).toBe('300 frames, 10 s, 2.1 MB');
  expect(reportText({ ...report, frames: 1, durationSeconds: 1 / 30, bytes: 999 })).toBe('1 frame, 0 s, 999 bytes');
  expect(reportText({ ...report, bytes: 999_700 })).toBe('300 frames, 10 s, 1.0 MB');
});

test('names the setting for a missing browser', () => {
  const hint = 'Install Chrome or Chromium, or name one with --browser or FRAMEWORK_BROWSER.';
  expect(editorError({ code: 'browser_not_found', message: 'No browser was found on this machine.', hint })).toEqual({
    code: 'browser_not_found',
    message: 'No browser was found on this machine.',
    hint: 'Install Chrome, or set framework.browserPath to the path of Chrome or Chromium.',
    setting: 'framework.browserPath',
  });
});

test('names the setting with a wrong path', () => {
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

test('does not change other errors', () => {
  const error = { code: 'no_duration', message: 'No end.', hint: 'Add one.', place: { file: 'a.html', line: 3 } };
  expect(editorError(error)).toEqual(error);
});

test('explains why a window cannot render', () => {
  const here = { canStartPrograms: true, isTrusted: true, schemes: ['file'] };
  expect(renderBlock(here)).toBeUndefined();
  expect(renderBlock({ ...here, schemes: [] })).toBeUndefined();
  expect(renderBlock({ ...here, schemes: ['vscode-vfs', 'file'] })).toBeUndefined();
  expect(renderBlock({ ...here, isTrusted: false })?.action?.command).toBe('workbench.trust.manage');
  expect(renderBlock({ ...here, schemes: ['vscode-vfs'] })?.message).toContain('(vscode-vfs:)');
  expect(renderBlock({ ...here, canStartPrograms: false })?.message).toContain('VS Code for the Web');
});
