// The content of the doctor page, and the progress text of downloads.
import { expect, test, vi } from 'vitest';
import { parseEvent } from '../../../client/cli/cliEvents.ts';
import { commandIn, type DiagnosisRow, doctorPage, failedPage } from '../../../client/setup/doctorPage.ts';
import { downloadText } from '../../../client/setup/downloads.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeWords.ts'));

const good: DiagnosisRow = { name: 'Node.js', status: 'ok', value: '24.1.0' };
const browser: DiagnosisRow = {
  name: 'browser',
  status: 'missing',
  value: 'No browser was found on this machine.',
  fix: 'Run "framework setup browser", which downloads one; or install Chrome, or set one with --browser or FRAMEWORK_BROWSER.',
  remedy: { program: 'browser', bytes: 119_800_000 },
};
const encoder: DiagnosisRow = {
  name: 'H.264 encoder',
  status: 'missing',
  value: 'this ffmpeg has no libx264',
  fix: 'Install an ffmpeg that was built with libx264, or set one with --ffmpeg or FRAMEWORK_FFMPEG. Or run "framework setup ffmpeg", which downloads one.',
  remedy: { program: 'ffmpeg', bytes: 30_000_000 },
};

const page = (...rows: DiagnosisRow[]) =>
  doctorPage({ ok: rows.every(({ status }) => status !== 'missing'), rows }, '/own/programs');

test('shows that a complete machine can render', () => {
  const { verdict, status, buttons, rows } = page(good);
  expect([verdict, status]).toEqual(['This machine can render.', 'ok']);
  expect(buttons.map(({ label }) => label)).toEqual(['Run Again', 'Copy as Text']);
  expect(rows).toEqual([{ ...good, statusText: 'OK', fix: '', buttons: [] }]);
  expect(buttons[1]?.request).toEqual({ type: 'copy', text: '✔ Node.js: 24.1.0\n' });
});

test('offers to download all missing programs, or each one with its size', () => {
  const { verdict, status, buttons, note, rows } = page(good, browser, encoder);
  expect([verdict, status]).toEqual(['This machine cannot render yet.', 'missing']);
  expect(buttons[0]).toEqual({
    label: 'Download Missing Programs (150 MB)',
    request: { type: 'download', programs: ['browser', 'ffmpeg'] },
    isMain: true,
  });
  expect(note).toContain('/own/programs');
  expect(rows.slice(1).map(({ fix, buttons: own }) => [fix, own.map(({ label }) => label)])).toEqual([
    ['Install Chrome, or set one with framework.browserPath.', ['Download (120 MB)', 'Open Setting']],
    [
      'Install an ffmpeg that was built with libx264, or set one with framework.ffmpegPath.',
      ['Download (30 MB)', 'Open Setting'],
    ],
  ]);
  expect(rows[2]?.buttons[1]?.request).toEqual({ type: 'setting', name: 'framework.ffmpegPath' });
});

test('offers to clear the setting of a program that does not work, because a download would not be used', () => {
  const diagnosis = { ok: false, rows: [good, browser, encoder] };
  const { buttons, rows } = doctorPage(diagnosis, '/own/programs', ['browser']);
  expect(buttons[0]?.label).toBe('Download Missing Programs (30 MB)');
  expect(rows.slice(1).map(({ buttons: own }) => own.map(({ label }) => label))).toEqual([
    ['Clear Setting', 'Open Setting'],
    ['Download (30 MB)', 'Open Setting'],
  ]);
  expect(rows[1]?.buttons[0]?.request).toEqual({ type: 'clearSetting', name: 'framework.browserPath' });
});

test('removes the setup command from the fix of a row with a download button', () => {
  const fix =
    'Run "framework setup ffmpeg" to download it, install ffmpeg, or pass its path with --ffmpeg or FRAMEWORK_FFMPEG.';
  const { rows } = page({ ...browser, name: 'ffmpeg', fix, remedy: { program: 'ffmpeg', bytes: 30_000_000 } });
  expect(rows[0]?.fix).toBe('Install ffmpeg, or pass its path with framework.ffmpegPath.');
  const fonts = page({
    name: 'fonts',
    status: 'warning',
    value: '0 of 20 packages',
    fix: 'The others are downloaded on first use. Or run "framework setup fonts" to download them now.',
    remedy: { program: 'fonts', bytes: 58_000_000 },
  });
  expect(fonts.rows[0]?.fix).toBe('The others are downloaded on first use.');
  expect(fonts.rows[0]?.buttons.map(({ label }) => label)).toEqual(['Download (58 MB)']);
});

test('can render with a warning, and offers to copy its command', () => {
  const fonts: DiagnosisRow = {
    name: 'fonts',
    status: 'warning',
    value: 'none installed: text may be invisible',
    fix: 'Install fonts (Debian: apt-get install fonts-liberation fonts-noto-color-emoji), or add web fonts to the project.',
  };
  const { verdict, status, rows } = page(good, fonts);
  expect([verdict, status]).toEqual(['This machine can render.', 'warning']);
  expect(rows[1]?.buttons).toEqual([
    {
      label: 'Copy Command',
      request: { type: 'copy', text: 'apt-get install fonts-liberation fonts-noto-color-emoji' },
    },
  ]);
});

test.each([
  ['Run: sudo apt-get install libasound2t64 libnss3', 'sudo apt-get install libasound2t64 libnss3'],
  ['Run: sudo dnf install nss (the packages of libodd.so.9 are not known here)', 'sudo dnf install nss'],
  ['Install Chromium with the package manager (Alpine: apk add chromium): it is found.', 'apk add chromium'],
  ['Install Node.js 20.19 or later from https://nodejs.org.', undefined],
])('finds the command in: %s', (fix, expected) => {
  expect(commandIn(fix)).toBe(expected);
});

test('shows why the doctor failed, and offers to run it again', () => {
  const { note, buttons } = failedPage('It does not start.');
  expect([note, buttons.map(({ request }) => request.type)]).toEqual(['It does not start.', ['run']]);
});

test('describes the progress of a download', () => {
  const event = { type: 'download', program: 'ffmpeg', name: 'ffmpeg b6.1.1', doneBytes: 12.4e6 } as const;
  expect(downloadText({ ...event, totalBytes: 30e6, remainingSeconds: 4.2 })).toBe(
    'ffmpeg b6.1.1: 12 MB of 30 MB, 5 s left',
  );
  expect(downloadText({ ...event, totalBytes: 30e6, remainingSeconds: null })).toBe('ffmpeg b6.1.1: 12 MB of 30 MB');
  expect(downloadText({ ...event, totalBytes: null, remainingSeconds: null })).toBe('ffmpeg b6.1.1: 12 MB');
  expect(parseEvent(JSON.stringify({ ...event, totalBytes: 1, remainingSeconds: null }))).toMatchObject(event);
});
