// `framework render --all-sizes`: what it prints, and what it cannot be combined with.
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckRequest } from '../../renderer-core/check/checkProject.ts';
import { UserError } from '../../renderer-core/errors.ts';
import type { BatchRequest } from '../../renderer-core/render/batch/batchTypes.ts';
import { planSizes } from '../../renderer-core/render/batch/renderSizes.ts';
import { composition, project } from '../support/project.ts';
import { cli, report } from './cli.ts';

const reports = [
  { ...report, output: '/videos/out-16x9.mp4' },
  { ...report, output: '/videos/out-9x16.mp4' },
];
const renderSizes = async () => reports;

test('prints a report for each video', async () => {
  const run = (...argv: string[]) => cli(['render', '--all-sizes', ...argv], { engine: { renderSizes } });
  expect(JSON.parse((await run('--json')).stdout)).toEqual({ videos: reports });
  expect(await run('--quiet')).toEqual({
    status: 0,
    stdout: '/videos/out-16x9.mp4\n/videos/out-9x16.mp4\n',
    stderr: '',
  });
  expect((await run()).stdout.split('\n').filter((line) => line.startsWith('/'))).toEqual([
    '/videos/out-16x9.mp4',
    '/videos/out-9x16.mp4',
  ]);
});

test('passes the options of a render', async () => {
  let seen: object = {};
  const engine = {
    renderSizes: async (request: object) => {
      seen = request;
      return [];
    },
  };
  await cli(['render', 'my-video', '--all-sizes', '-o', 'a.mp4', '--resolution', '4k'], { engine });
  expect(seen).toMatchObject({ projectDir: 'my-video', output: 'a.mp4', resolution: '4k' });
});

test('prints the plans with --dry-run', async () => {
  const dir = project(composition('', { width: 1920, height: 1080, attributes: 'data-sizes="1080x1920"' }));
  const argv = ['render', dir, '--all-sizes', '--dry-run', '-o', '/videos/a.mp4'];
  const { stdout } = await cli(argv, { engine: { planSizes } });
  expect(stdout.split('\n').filter((line) => /^(output|video) /.test(line))).toEqual([
    `output       ${resolve('/videos/a-16x9.mp4')}`,
    'video        1920x1080 at 30 fps',
    `output       ${resolve('/videos/a-9x16.mp4')}`,
    'video        1080x1920 at 30 fps',
  ]);
  const { videos } = JSON.parse((await cli([...argv, '--json'], { engine: { planSizes } })).stdout);
  expect(videos).toMatchObject([{ plan: { width: 1920 } }, { plan: { width: 1080 } }]);
});

test('looks at all sizes first with --check', async () => {
  const calls: string[] = [];
  const engine = {
    checkProject: async ({ allSizes }: CheckRequest) => {
      calls.push(`check ${allSizes}`);
      throw new UserError('composition_invalid', 'stopped');
    },
    renderSizes: async () => {
      calls.push('render');
      return [];
    },
  };
  await cli(['render', '--all-sizes', '--check'], { engine });
  expect(calls).toEqual(['check true']);
});

test('counts the videos of a batch', async () => {
  const counts = { total: 4, completed: 4, failed: 0, skipped: 0, usedDefaults: 2, skippedInvalid: 0, resumed: 0 };
  let seen: object = {};
  const engine = {
    // biome-ignore lint/correctness/useYield: no row is rendered
    async *renderBatch(request: BatchRequest) {
      seen = request;
      request.onEvent?.({ type: 'row', index: 1, size: '1080x1920', output: '/v/b.mp4', status: 'completed' });
      for (const size of ['1920x1080', '1080x1920'])
        request.onEvent?.({ type: 'rerender', row: 1, size, reason: 'a.mp4 changed' });
      return { ...counts, manifest: '/v/manifest.json', elapsedMs: 1000, warnings: [] };
    },
  };
  const argv = ['render', '--all-sizes', '--batch', 'rows.csv', '--resume', '--progress', 'plain'];
  expect(await cli(argv, { engine })).toEqual({
    status: 0,
    stdout:
      '/v/manifest.json\n4 of 4 videos completed, in 1 s\n2 videos used defaults because of values that do not fit\n',
    stderr: 'row 2 (1080x1920): /v/b.mp4\nrow 2: a.mp4 changed\n',
  });
  expect(seen).toMatchObject({ rows: 'rows.csv', allSizes: true, resume: true });
});

const once = 'Run the command once for each size, with --aspect-ratio.';
const own = 'Each size has its own. A render takes --resolution for the pixels of all shorter sides.';
const file = 'Set --output to the path of a file. Each size adds its aspect ratio to the name.';

test.each([
  ['--resume', '--all-sizes and --resume cannot be used together', once],
  ['--watch', '--all-sizes and --watch cannot be used together', once],
  ['--aspect-ratio=1:1', 'All sizes cannot be combined with an aspect ratio', own],
  ['--width=100', 'All sizes cannot be combined with a width', own],
  ['--height=100', 'All sizes cannot be combined with a height', own],
  [
    '--captions=a.vtt',
    'Each video has its own file of captions',
    'Use --captions vtt for files next to the videos, with the same names.',
  ],
  ['--output=-', 'All sizes cannot be written to -: each one is a file', file],
])('does not combine with %s', async (option, message, hint) => {
  const dir = project(composition('', { attributes: 'data-sizes="1080x1920"' }));
  expect(await cli(['render', dir, '--all-sizes', '--dry-run', option], { engine: { planSizes } })).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: ${message}\nhint: ${hint}\n`,
  });
});
