// `framework setup`: the request to the engine, progress, output, and deleting the downloads.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SetUpRequest } from '../../renderer-core/doctor/installMissing.ts';
import { UserError } from '../../renderer-core/errors.ts';
import { folderName } from '../../renderer-core/setup/programsFolder.ts';
import type { SetUpReport } from '../../renderer-core/setup/setupReport.ts';
import { program } from '../support/programs.ts';
import { temporaryFolder } from '../support/project.ts';
import { cli } from './cli.ts';

const report: SetUpReport = {
  folder: '/p',
  programs: [
    {
      program: 'browser',
      status: 'downloaded',
      name: 'Chrome Headless Shell 153.0.1',
      path: '/p/b',
      source: 'set-up',
      bytes: 119_800_000,
      diskBytes: 285_000_000,
    },
    {
      program: 'ffmpeg',
      status: 'present',
      name: 'ffmpeg 7.1',
      path: '/f',
      source: 'installed',
      bytes: 0,
      diskBytes: 0,
    },
  ],
  elapsedMs: 1,
};
const engine = { setUp: async () => report };

test('installs everything by default, or what is named', async () => {
  const seen: Partial<SetUpRequest>[] = [];
  const asking = {
    setUp: async ({ which, into, force, dryRun }: SetUpRequest) => {
      seen.push({ which, force: force === true, dryRun: dryRun === true, ...(into === undefined ? {} : { into }) });
      return report;
    },
  };
  await cli(['setup'], { engine: asking });
  await cli(['setup', 'ffmpeg', '--force', '--dir', '/x'], { engine: asking });
  await cli(['setup', 'ffmpeg', 'browser', '--dry-run'], { engine: asking });
  expect(seen).toEqual([
    { which: ['browser', 'ffmpeg', 'fonts'], force: false, dryRun: false },
    { which: ['ffmpeg'], force: true, dryRun: false, into: '/x' },
    { which: ['browser', 'ffmpeg'], force: false, dryRun: true },
  ]);
  expect(await cli(['setup', 'chrome'], { engine: asking })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('unknown program "chrome"'),
  });
});

test('prints the installed programs', async () => {
  expect((await cli(['setup'], { engine })).stdout).toBe(
    [
      '✔ browser  Chrome Headless Shell 153.0.1, /p/b: downloaded, 285 MB on disk',
      '✔ ffmpeg   ffmpeg 7.1, /f: already installed (installed)',
      '',
      'To delete the downloads: framework setup --remove',
      '',
    ].join('\n'),
  );
  expect(JSON.parse((await cli(['setup', '--json'], { engine })).stdout)).toEqual(report);
});

test('shows a bar on a terminal, one line without a terminal, or JSON events', async () => {
  const telling = {
    setUp: async ({ onEvent }: SetUpRequest) => {
      const part = { type: 'download', program: 'browser', name: 'Chrome', totalBytes: 100e6 } as const;
      onEvent?.({ type: 'stage', message: 'Looking for a browser' });
      onEvent?.({ ...part, doneBytes: 25e6, remainingSeconds: null });
      onEvent?.({ ...part, doneBytes: 50e6, remainingSeconds: 11.2 });
      return report;
    },
  };
  const terminal = await cli(['setup'], { engine: telling, tty: true, env: { NO_COLOR: '1' } });
  expect(terminal.stderr).toContain('████████████░░░░░░░░░░░░ Chrome, 50 MB of 100 MB, 12 s left');
  const plain = await cli(['setup'], { engine: telling });
  expect(plain.stderr).toBe('Looking for a browser\nDownloading Chrome (100 MB)\n');
  const events = await cli(['setup', '--progress=ndjson'], { engine: telling });
  expect(
    events.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type),
  ).toEqual(['stage', 'download', 'download']);
});

test('prints an error with its hint', async () => {
  const failing = {
    setUp: () => Promise.reject(new UserError('download_failed', 'The download broke off.', { hint: 'Again.' })),
  };
  expect(await cli(['setup'], { engine: failing })).toEqual({
    status: 1,
    stdout: '',
    stderr: 'error: The download broke off.\nhint: Again.\n',
  });
});

test('--remove deletes the downloads and prints their size', async () => {
  const folder = temporaryFolder();
  const name = folderName('ffmpeg', 'b6.1.1', process.platform, process.arch);
  program(join(folder, name, 'ffmpeg'));
  mkdirSync(join(folder, 'mine'));
  const cache = temporaryFolder();
  mkdirSync(join(cache, 'fonts/fontsource-arimo-5.3.0'), { recursive: true });
  writeFileSync(join(cache, 'fonts/fontsource-arimo-5.3.0/400.css'), 'css');
  mkdirSync(join(cache, 'fonts/inter-ui-4.1.1'));
  mkdirSync(join(cache, 'fonts/mine'));
  const env = { FRAMEWORK_CACHE: cache };
  const removed = await cli(['setup', '--remove', '--dir', folder, '--json'], { env });
  expect(JSON.parse(removed.stdout)).toEqual({
    folder,
    removed: [
      { program: 'ffmpeg', version: 'b6.1.1', bytes: 17 },
      { program: 'fonts', version: 'fontsource-arimo-5.3.0', bytes: 3 },
      { program: 'fonts', version: 'inter-ui-4.1.1', bytes: 0 },
    ],
    bytes: 20,
  });
  expect(readdirSync(folder)).toEqual(['mine']);
  expect(readdirSync(join(cache, 'fonts'))).toEqual(['mine']);
  const again = await cli(['setup', '--remove'], { env: { ...env, FRAMEWORK_PROGRAMS_DIR: folder } });
  expect(again.stdout).toBe(`No downloads in ${folder}.\n`);
});
