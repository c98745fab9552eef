// `framework render`: its options, output and errors.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { UserError } from '../../renderer-core/errors.ts';
import type { RenderPlan } from '../../renderer-core/plan/renderPlan.ts';
import type { SnapshotRequest } from '../../renderer-core/render/snapshot/takeSnapshot.ts';
import type { RenderRequest } from '../../renderer-core/render/types.ts';
import { composition, project, temporaryFolder } from '../support/project.ts';
import { cli, report } from './cli.ts';

/** The request for a command line, without the signal and the listener. */
async function requestOf(...argv: string[]) {
  let seen: RenderRequest | undefined;
  const renderVideo = async (request: RenderRequest) => {
    seen = request;
    return report;
  };
  const run = await cli(['render', ...argv], { engine: { renderVideo } });
  expect(run.stderr).toBe('');
  const { signal, onEvent, stdout, ...request } = seen ?? { projectDir: '' };
  expect(stdout).toBeTypeOf('function');
  expect(signal).toBeInstanceOf(AbortSignal);
  expect(onEvent).toBeTypeOf('function');
  return request;
}

test('passes only the given options', async () => {
  expect(await requestOf()).toEqual({ projectDir: '.' });
  expect(await requestOf('my video')).toEqual({ projectDir: 'my video' });
});

test('passes every option', async () => {
  const request = await requestOf(
    ...['-c', 'b.html', '--variables', '{"title":"x"}', '--strict-variables', '-o', 'out.mp4', '--fps', '29.97'],
    ...[
      '--format=mp4',
      '--codec',
      'h265',
      '-q',
      'draft',
      '--crf',
      '20',
      '--workers',
      '3',
      '--browser',
      '/b',
      '--ffmpeg=/f',
    ],
    ...['--capture', 'screenshot', '--hdr', '--resume', '--quiet', '--', '--dir'],
  );
  expect(request).toEqual({
    projectDir: '--dir',
    composition: 'b.html',
    variables: { title: 'x' },
    strictVariables: true,
    output: 'out.mp4',
    fps: '29.97',
    format: 'mp4',
    codec: 'h265',
    quality: 'draft',
    crf: 20,
    resume: true,
    hdr: true,
    workers: 3,
    browserPath: '/b',
    ffmpegPath: '/f',
    capture: 'screenshot',
  });
});

test('passes a bitrate', async () => expect(await requestOf('--bitrate', '8M')).toMatchObject({ bitrate: '8M' }));

test.each([
  [['--hdr'], { projectDir: '.', hdr: true }],
  [['--hdr=hlg'], { projectDir: '.', hdr: 'hlg' }],
  [['--hdr', 'hlg', 'card'], { projectDir: 'card', hdr: 'hlg' }],
  [['--hdr', 'card'], { projectDir: 'card', hdr: true }],
  [['hlg', '--hdr'], { projectDir: 'hlg', hdr: true }],
  [['--bit-depth', '10'], { projectDir: '.', bitDepth: 10 }],
])('passes the colors %j', async (argv, request) => expect(await requestOf(...argv)).toEqual(request));

test('passes the text of the values file, for the locations of problems', async () => {
  const file = join(temporaryFolder(), 'values.json');
  writeFileSync(file, '{ "title": 1 }');
  expect(await requestOf('--variables-file', file)).toEqual({
    projectDir: '.',
    variables: { title: 1 },
    variablesSource: { file, text: '{ "title": 1 }' },
  });
});

test.each([
  [
    ['--resolution', '4k', '--aspect-ratio', '2.39:1', '--fit', 'cover', '--background', '#102030'],
    { resolution: '4k', aspectRatio: '2.39:1', fit: 'cover', background: '#102030' },
  ],
  [['--width', '640', '--height=480', '--fit', 'stretch'], { width: 640, height: 480, fit: 'stretch' }],
])('passes the size %j', async (argv, size) => expect(await requestOf(...argv)).toEqual({ projectDir: '.', ...size }));

test('accepts short options with an attached value, and uses the last of two values', async () => {
  expect(await requestOf('-cb.html', '-o', 'a.mp4', '--output=-b.mp4')).toEqual({
    projectDir: '.',
    composition: 'b.html',
    output: '-b.mp4',
  });
});

async function checkUsage(argv: string[], message: string, hint: string) {
  expect(await cli(['render', ...argv])).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: ${message}\nhint: ${hint}\n`,
  });
}

test('rejects invalid options with status 2 and a hint', async () => {
  const see = 'See framework render --help';
  await checkUsage(['--ouput', 'x'], 'unknown option --ouput', 'Did you mean --output?');
  await checkUsage(['--variable-file=x'], 'unknown option --variable-file', 'Did you mean --variables-file?');
  await checkUsage(['-z'], 'unknown option -z', see);
  await checkUsage(['--output'], '--output needs a value: --output <path>', see);
  await checkUsage(['--output='], '--output needs a value: --output <path>', see);
  await checkUsage(['-o'], '--output needs a value: --output <path>', see);
  await checkUsage(
    ['-o', '--quiet'],
    '--output needs a value, but "--quiet" looks like an option',
    'If it is the value, write --output=--quiet',
  );
  await checkUsage(['--quiet=yes'], '--quiet takes no value', see);
  await checkUsage(['a', 'b'], 'unexpected argument "b"', 'Usage: framework render [dir]');
  await checkUsage(
    ['--progress', 'plan'],
    '--progress must be auto, plain, ndjson or none (got "plan")',
    'Did you mean plain?',
  );
  await checkUsage(['--capture', 'x'], '--capture must be auto, paint or screenshot (got "x")', see);
  for (const workers of ['0', '1.5', 'two', '1e3', ' 1', '99999999999']) {
    await checkUsage(['--workers', workers], `--workers must be a whole number, at least 1 (got "${workers}")`, see);
  }
  await checkUsage(
    ['--workers', '-1'],
    '--workers needs a value, but "-1" looks like an option',
    'If it is the value, write --workers=-1',
  );
});

test.each([
  ['serverless render nowhere --format mp4 --output-key a.webm', 'The output key "a.webm" contradicts the format mp4'],
  ['serverless render nowhere --output-key a.mp4 -o a.mov', 'The output key "a.mp4" contradicts the format mov'],
])('checks options before it reads files: %s', async (line, message) => {
  const { status, stderr } = await cli(line.split(' '));
  expect(stderr.split('\n')[0]).toBe(`error: ${message}`);
  expect(status).toBe(2);
});

test('prints only the video to standard output with -o -', async () => {
  const renderVideo = async ({ output, stdout }: RenderRequest) => {
    expect(output).toBe('-');
    await stdout?.(Buffer.from('video'));
    return { ...report, output: '-' };
  };
  const { status, stdout, stderr } = await cli(['render', '-o', '-'], { engine: { renderVideo } });
  expect([status, stdout]).toEqual([0, 'video']);
  expect(stderr).toContain('120 frames, 640x360');
  const quiet = await cli(['render', '-o-', '--quiet'], { engine: { renderVideo } });
  expect(quiet).toEqual({ status: 0, stdout: 'video', stderr: '' });
});

test.each([
  ['render'],
  ['snapshot'],
  ['cloud', 'render'],
  ['cloud', 'get', 'render_1'],
  ['serverless', 'progress', 'r-1'],
])('rejects --json with -o -: %s %s', async (...command) => {
  const { status, stdout } = await cli([...command, '-o', '-', '--json']);
  expect(status).toBe(2);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: 'usage',
    message: '--json cannot be combined with -o -: both are written to standard output',
  });
});

test('ends without a message when the reader of the video has closed it', async () => {
  const renderVideo = async () => {
    throw new UserError('output_closed', 'The program that reads standard output has closed it');
  };
  expect(await cli(['render', '-o', '-'], { engine: { renderVideo } })).toEqual({ status: 1, stdout: '', stderr: '' });
});

const rendering = { renderVideo: async () => report };

test('prints a report that begins with the path', async () => {
  const { status, stdout } = await cli(['render', '--progress', 'none'], { engine: rendering });
  expect(status).toBe(0);
  expect(stdout).toBe(
    [
      '/videos/out.mp4',
      '120 frames, 640x360 at 30 fps, 4 s, 1.2 MB, rendered in 2.5 s (48 frames/s)',
      'capture: paint (3 sample frames agree); workers: 2 (4 cores)',
      'fonts: Arial (as Arimo)',
      '',
    ].join('\n'),
  );
});

test('prints only the path with --quiet, and only the report with --json', async () => {
  expect(await cli(['render', '--quiet'], { engine: rendering })).toEqual({
    status: 0,
    stdout: '/videos/out.mp4\n',
    stderr: '',
  });
  const { stdout } = await cli(['render', '--json'], { engine: rendering });
  expect(JSON.parse(stdout)).toEqual(report);
});

test('prints warnings to stderr, also with --quiet, and as events with ndjson', async () => {
  const renderVideo = async (request: RenderRequest) => {
    request.onEvent?.({ type: 'warning', message: 'Variable "x" is not declared' });
    return report;
  };
  const engine = { renderVideo };
  expect((await cli(['render', '--quiet'], { engine })).stderr).toBe('warning: Variable "x" is not declared\n');
  expect((await cli(['render', '--progress=ndjson'], { engine })).stderr).toBe(
    '{"type":"warning","message":"Variable \\"x\\" is not declared"}\n',
  );
  const tty = await cli(['render'], { engine, tty: true });
  expect(tty.stderr).toContain('\x1b[33mwarning:\x1b[39m Variable');
});

const plan: RenderPlan = {
  version: 1,
  composition: 'index.html',
  variables: { title: 'x' },
  width: 640,
  height: 360,
  page: { width: 640, height: 360, zoom: 1 },
  fps: { num: 30000, den: 1001 },
  duration: 4,
  frames: 120,
  format: 'mp4',
  codec: 'h264',
  quality: 'standard',
  hdr: null,
  bitDepth: 8,
  systemFonts: false,
  timezone: 'UTC',
  locale: 'en-US',
  chunks: [{ index: 0, start: 0, end: 120 }],
  seed: 1,
  epochMs: 0,
  output: 'renders/index.mp4',
};

test('prints the plan with --dry-run', async () => {
  const engine = { planRender: async () => ({ plan, warnings: ['careful'] }) };
  expect(await cli(['render', '--dry-run'], { engine })).toEqual({
    status: 0,
    stderr: 'warning: careful\n',
    stdout: [
      'composition  index.html',
      `output       ${resolve('renders/index.mp4')}`,
      'video        640x360 at 30000/1001 fps',
      'duration     4 s, 120 frames in 1 chunk',
      'format       mp4, h264, standard',
      'variables    title',
      '',
    ].join('\n'),
  });
  const json = await cli(['render', '--dry-run', '--json'], { engine });
  expect(JSON.parse(json.stdout)).toEqual({ plan, warnings: ['careful'] });
});

test.each<[Partial<RenderPlan>, string]>([
  [{ codec: 'h265', hdr: 'hlg', bitDepth: 10 }, 'mp4, h265, standard, HDR (HLG)'],
  [{ codec: 'h265', bitDepth: 10 }, 'mp4, h265, standard, 10 bits'],
])('prints the colors of the plan %j', async (colors, format) => {
  const engine = { planRender: async () => ({ plan: { ...plan, ...colors }, warnings: [] }) };
  expect((await cli(['render', '--dry-run'], { engine })).stdout).toContain(`format       ${format}\n`);
});

test('exits with 130 when cancelled, whatever error the cancellation causes', async () => {
  for (const error of [
    new UserError('cancelled', 'The render was cancelled; no file was written.'),
    new Error('Target closed'),
  ]) {
    const controller = new AbortController();
    const renderVideo = async () => {
      controller.abort();
      throw error;
    };
    const run = await cli(['render'], { engine: { renderVideo }, signal: controller.signal });
    expect(run).toEqual({ status: 130, stdout: '', stderr: 'The render was cancelled; no file was written.\n' });
  }
  const json = await cli(['render', '--json'], { signal: AbortSignal.abort() });
  expect(json.status).toBe(130);
  expect(JSON.parse(json.stdout).error.code).toBe('cancelled');
});

test('prints an error as a JSON line with ndjson', async () => {
  const renderVideo = () => Promise.reject(new UserError('no_duration', 'no end'));
  const { status, stderr } = await cli(['render', '--progress', 'ndjson'], { engine: { renderVideo } });
  expect(status).toBe(1);
  expect(stderr).toBe('{"type":"error","error":{"code":"no_duration","message":"no end"}}\n');
});

test('renders with the host for a process that has started it', async () => {
  const owners: number[] = [];
  const renderWithHost = async (_: RenderRequest, { owner }: { owner: number }) => {
    owners.push(owner);
    return report;
  };
  expect(await cli(['render'], { engine: { renderWithHost }, owner: 7 })).toMatchObject({ status: 0 });
  expect(owners).toEqual([7]);
});

test('takes a snapshot with the host for a process that has started it', async () => {
  const asked: unknown[] = [];
  const snapshotWithHost = async ({ at, hdr }: SnapshotRequest, { owner }: { owner: number }) => {
    asked.push({ at, hdr, owner });
    return { ...report, pictures: [], frames: 1 };
  };
  expect(await cli(['snapshot', '--at', 'poster', '--hdr'], { engine: { snapshotWithHost }, owner: 7 })).toMatchObject({
    status: 0,
  });
  expect(asked).toEqual([{ at: ['poster'], hdr: true, owner: 7 }]);
});

test('renders again after a change of the project that is not its output, also after an error', async () => {
  const dir = project(composition('<p>One</p>'));
  const page = join(dir, 'index.html');
  const stop = new AbortController();
  const rendered: string[] = [];
  const renderWithHost = async (request: RenderRequest) => {
    rendered.push(readFileSync(page, 'utf8').match(/One|Two|Three/)?.[0] ?? '');
    mkdirSync(join(dir, 'renders'), { recursive: true });
    for (const output of ['renders/index.mp4', 'out.mp4']) writeFileSync(join(dir, output), '');
    expect(request.projectDir).toBe(dir);
    if (rendered.length === 2) throw new UserError('script_error', 'Two is wrong');
    return report;
  };
  const onStderr = (text: string) => {
    if (!text.startsWith('Waiting')) return;
    const next = { One: 'Two', Two: 'Three' }[rendered.at(-1) ?? ''];
    if (next === undefined) stop.abort();
    else writeFileSync(page, composition(`<p>${next}</p>`));
  };
  const argv = ['render', dir, '--watch', '-o', join(dir, 'out.mp4')];
  const { status, stderr } = await cli(argv, { engine: { renderWithHost }, signal: stop.signal, onStderr });
  expect({ status, rendered: [...new Set(rendered)] }).toEqual({ status: 0, rendered: ['One', 'Two', 'Three'] });
  expect(stderr).toContain('error: Two is wrong');
});

test.each([
  [['--json'], '--watch and --json cannot be used together'],
  [['--batch', 'rows.json'], '--watch and --batch cannot be used together'],
  [['-o', '-'], '--watch cannot be used with standard input or standard output'],
])('does not watch with %s', async (options, message) => {
  const { status, stderr, stdout } = await cli(['render', '--watch', ...options]);
  expect(status).toBe(2);
  expect(stderr + stdout).toContain(message);
});
