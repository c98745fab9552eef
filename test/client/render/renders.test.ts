// The command lines of renders, the texts for their progress and results, and tasks.
import { expect, test, vi } from 'vitest';
import { endOf } from '../../../client/render/historyEnd.ts';
import {
  batchJob,
  cloudJob,
  cloudWaitJob,
  renderJob,
  serverlessJob,
  serverlessWaitJob,
  sizeText,
  stackArgs,
  stackOf,
  taskJobAgain,
} from '../../../client/render/jobArguments.ts';
import { canOpen, opensInEditor } from '../../../client/render/output/outputKind.ts';
import { progressPercent, progressText, remoteFacts } from '../../../client/render/renderText.ts';
import { statusText } from '../../../client/render/statusItem.ts';
import { checkDefinition, taskJob, taskValues } from '../../../client/render/tasks/taskDefinition.ts';
import { barLine, failureLines } from '../../../client/render/tasks/taskText.ts';
import { valuesText, withValues } from '../../../client/render/valuesText.ts';
import manifest from '../../../package.json' with { type: 'json' };
import type { CompositionInfo } from '../../../server/protocol.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeWords.ts'));

const composition: CompositionInfo = {
  uri: 'file:///films/intro/cards/title.html',
  path: 'cards/title.html',
  projectUri: 'file:///films/intro',
  id: 'title',
  width: 320,
  height: 180,
  duration: 1,
  fps: 10,
  variables: [],
};
const folder = '/films/intro';
const values = { title: 'Hello "you"' };
const line = ({ args }: { args: readonly string[] }) => args.join(' ');

test('builds the command line of each kind of render, with values on standard input', () => {
  const subject = { composition, folder, values, size: {} };
  const job = renderJob(subject);
  expect(line(job)).toBe('render /films/intro --composition=cards/title.html --variables-file=- --quiet');
  expect(job).toMatchObject({ folder, stdin: '{"title":"Hello \\"you\\""}', isLocal: true });
  expect(line(renderJob(subject, 'renders/1.mp4'))).toContain('--output=renders/1.mp4');
  expect(line(batchJob(subject, { rows: '/films/intro/rows.json', template: '{index}.mp4', resume: true }))).toBe(
    'render /films/intro --composition=cards/title.html --batch=/films/intro/rows.json --output={index}.mp4 --resume --quiet',
  );
  expect(line(cloudJob(subject, 'renders/a.mp4', 'a'))).toBe(
    'cloud render /films/intro --composition=cards/title.html --variables-file=- --output=renders/a.mp4 --title=a --json',
  );
  expect(line(cloudWaitJob(subject, 'renders/a.mp4', 'render_1'))).toBe(
    'cloud get render_1 --wait --output=renders/a.mp4 --json',
  );
  const stack = { region: 'eu-central-1', profile: '', name: 'mine' };
  expect(line(serverlessJob(subject, 'renders/a.mp4', stack))).toBe(
    'serverless render /films/intro --composition=cards/title.html --variables-file=- --output=renders/a.mp4 --region=eu-central-1 --stack-name=mine --json',
  );
  expect(line(serverlessWaitJob(subject, 'renders/a.mp4', 'arn:x', stack))).toContain(
    'serverless progress arn:x --output=',
  );
  expect(stackArgs({ region: '', profile: '', name: '' })).toEqual([]);
});

test('passes the chosen size to every kind of render', () => {
  const size = { resolution: '4k', aspectRatio: '9:16', fit: 'contain', background: '#123' };
  const subject = { composition, folder, values, size };
  const options = '--resolution=4k --aspect-ratio=9:16 --fit=contain --background=#123';
  for (const job of [
    renderJob(subject),
    batchJob(subject, { rows: 'rows.json', template: '', resume: false }),
    cloudJob(subject, 'a.mp4', 'a'),
    serverlessJob(subject, 'a.mp4', { region: '', profile: '', name: '' }),
  ])
    expect(line(job)).toContain(options);
  expect(sizeText(size)).toBe('9:16, contain, #123, 4k');
});

test('uses the region of the execution and the profile of the stack', () => {
  const arn = 'arn:aws:states:eu-west-1:123456789012:execution:films:one';
  expect(stackArgs(stackOf(arn, { region: 'us-east-1', profile: 'work', name: 'films' }))).toEqual([
    '--region=eu-west-1',
    '--profile=work',
    '--stack-name=films',
  ]);
  expect(stackArgs(stackOf(arn, undefined))).toEqual(['--region=eu-west-1']);
});

test('runs a task again with all its options', () => {
  const given = {
    type: 'framework',
    composition: 'cards/title.html',
    variables: values,
    options: ['--fps=12'],
  } as const;
  const job = taskJob(given, { composition, folder, values: {}, size: {}, pathOf: (path) => `${folder}/${path}` });
  const { args, stdin } = job;
  expect(taskJobAgain({ args, stdin }, folder)).toEqual(job);
  expect(taskJobAgain({ args, stdin }, folder, true).args).toEqual([...args, '--resume']);
});

test('describes the progress of a remote render', () => {
  const shown = (event: Parameters<typeof progressText>[0]) => [progressText(event), progressPercent(event)];
  expect(shown({ type: 'bytes', stage: 'upload', done: 500_000, total: 1e6 })).toEqual([
    'Uploading 500 kB of 1.0 MB',
    5,
  ]);
  expect(shown({ type: 'upload', done: 0, total: 0 })).toEqual(['Uploading 0 bytes of 0 bytes', 0]);
  expect(shown({ type: 'submitted', renderId: 'r' })).toEqual(['Accepted', undefined]);
  expect(shown({ type: 'status', status: 'rendering', progress: 0.5 })).toEqual(['Rendering, 50 %', 50]);
  expect(shown({ type: 'bytes', stage: 'download', done: 1, total: null })).toEqual(['Downloading 1 bytes', undefined]);
  expect(shown({ type: 'bytes', stage: 'download', done: 10, total: 10 })).toEqual([
    'Downloading 10 bytes of 10 bytes',
    100,
  ]);
  const progress = { type: 'progress', overallProgress: 0.25, framesRendered: 3, costs: { usd: 0.02 } } as const;
  expect(shown({ ...progress, totalFrames: null })).toEqual(['Planning', 30]);
  expect(shown({ ...progress, totalFrames: 12 })).toEqual(['3 of 12 frames, about $0.020 so far', 30]);
});

test('summarizes a remote render with its cost', () => {
  expect(remoteFacts({ duration: 4, bytes: 41_000, credits: 1, output: '/a.mp4' })).toBe('4 s, 41 kB, 1 credit');
  expect(remoteFacts({ outputFile: { s3Uri: 's3://b/k', bytes: 2e6 }, costs: { usd: 0.001 } })).toBe(
    '2.0 MB, about $0.00100',
  );
  expect(remoteFacts(null)).toBe('');
});

test('converts the outcome of a job to a change of its history entry', () => {
  const done = { failed: [], warnings: 0 };
  const report = { output: '/a.mp4', frames: 1, width: 4, height: 3, durationSeconds: 1, bytes: 1, elapsedMs: 2 };
  expect(endOf({ ...done, report }, undefined)).toMatchObject({
    ...{ state: 'completed', output: '/a.mp4' },
    measured: { frames: 1, pixels: 12, bytes: 1, elapsedMs: 2 },
  });
  expect(endOf({ ...done, remoteResult: { output: '/b.mp4' } }, 'r')).toMatchObject({
    state: 'completed',
    output: '/b.mp4',
  });
  expect(endOf('cancelled', undefined)).toEqual({ state: 'cancelled', lines: [] });
  expect(endOf('cancelled', 'render_1')).toMatchObject({ state: 'running' });
  expect(endOf({ error: { code: 'x', message: 'No.', hint: 'Do.' } }, undefined)).toEqual({
    ...{ state: 'failed', error: 'No.', lines: ['No.', 'Do.'] },
  });
  const batch = { manifest: '/m.json', total: 3, completed: 1, failed: 1, skipped: 1, elapsedMs: 1 };
  expect(endOf({ ...done, report: batch }, undefined)).toMatchObject({
    ...{ state: 'failed', output: '/m.json', error: '2 of 3 rows were not rendered.' },
  });
  const invalid = { ...batch, completed: 2, failed: 0, skippedInvalid: 1, usedDefaults: 1 };
  expect(endOf({ ...done, report: invalid }, undefined)).toMatchObject({ state: 'completed', usedDefaults: 1 });
});

test('knows which outputs VS Code can open', () => {
  expect(['a.mp4', 'a.WEBM', 'a.gif', 'a.mov', 'frames'].map((path) => [opensInEditor(path), canOpen(path)])).toEqual([
    ...[
      [true, true],
      [true, true],
      [true, true],
      [false, false],
      [false, true],
    ],
  ]);
});

test('shows the number and progress of running renders in the status bar', () => {
  expect(statusText([{ name: 'index.html', percent: 41.7 }])).toBe('Rendering index.html: 41 %');
  expect(
    statusText([
      { name: 'a', percent: 20 },
      { name: 'b', percent: 60 },
    ]),
  ).toBe('2 renders: 40 %');
});

test.each([
  [{}, 'has no "composition"'],
  [{ composition: 'a.html', output: 1 }, '"output" of the task must be a string.'],
  [{ composition: 'a.html', variables: [] }, '"variables" of the task must be an object.'],
  [{ composition: 'a.html', variables: {}, variablesFile: 'v.json' }, 'Use only one of them'],
  [{ composition: 'a.html', options: '--quality=high' }, '"options" of the task must be an array'],
])('rejects the task definition %j', (definition, message) => {
  expect(checkDefinition(definition)).toContain(message);
});

test('builds the command line of a task, with paths relative to the workspace folder', () => {
  const context = { composition, folder, values: {}, size: {}, pathOf: (path: string) => `/data/${path}` };
  const given = { type: 'framework', composition: 'intro/cards/title.html' } as const;
  expect(checkDefinition(given)).toBeUndefined();
  expect(line(taskJob(given, context))).toBe('render /films/intro --composition=cards/title.html --quiet');
  const job = taskJob({ ...given, variables: values, output: 'out/a.webm', options: ['--quality=high'] }, context);
  expect(line(job)).toBe(
    'render /films/intro --composition=cards/title.html --output=/data/out/a.webm --variables-file=- --quality=high --quiet',
  );
  expect(job.stdin).toBe('{"title":"Hello \\"you\\""}');
  expect(line(taskJob({ ...given, batch: 'rows.json', output: '{index}.mp4' }, context))).toContain(
    '--batch=/data/rows.json',
  );
});

test('a task without values or size renders what the preview shows', () => {
  const shown = { title: 'Sun Lamp' };
  const context = { composition, folder, values: shown, size: { aspectRatio: '9:16' }, pathOf: (path: string) => path };
  const given = { type: 'framework', composition: 'intro/cards/title.html' } as const;
  expect(taskJob(given, context)).toMatchObject({
    args: ['render', folder, '--composition=cards/title.html', '--variables-file=-', '--aspect-ratio=9:16', '--quiet'],
    stdin: '{"title":"Sun Lamp"}',
  });
  expect(taskValues(given, shown)).toEqual(shown);
  // Its own values and sizes are used instead, also the defaults.
  for (const own of [
    { variables: {} },
    { variablesFile: 'v.json' },
    { batch: 'rows.json' },
    { options: ['--variables={}'] },
  ])
    expect(taskJob({ ...given, ...own }, context).stdin).toBe('');
  expect(taskJob({ ...given, variables: { title: 'Own' } }, context).stdin).toBe('{"title":"Own"}');
  expect(line(taskJob({ ...given, options: ['--width=640'] }, context))).not.toContain('--aspect-ratio');
});

test('names the values of a render in its texts', () => {
  expect(withValues('Rendering card', {})).toBe('Rendering card');
  expect(withValues('Rendering card', { title: 'Sun Lamp', price: 3 })).toBe(
    'Rendering card with title: Sun Lamp, price: 3',
  );
  expect(valuesText({ a: '', b: true, c: 'two\nlines', d: 1, e: 2 })).toBe('a: "", b: true, c: two lines (+2)');
  expect(valuesText({ text: 'A sentence that is too long for a message' })).toBe('text: A sentence that is too …');
});

/** The groups that the problem matcher captures: file, line, column, severity, message. */
function match(text: string): (string | undefined)[] | null {
  const [pattern] = manifest.contributes.problemPatterns;
  return new RegExp(pattern?.regexp ?? '').exec(text)?.slice(1) ?? null;
}

test.each([
  ['error: index.html:6:3: Cannot read it', ['index.html', '6', '3', undefined, 'Cannot read it']],
  ['error: C:\\work\\a b.html:6:3: No', ['C:\\work\\a b.html', '6', '3', undefined, 'No']],
  [
    'cards/a.html:12:5 warning The id "x: y" is not declared (rule)',
    ['cards/a.html', '12', '5', 'warning', 'The id "x: y" is not declared (rule)'],
  ],
  ['error: rows.json:3: Row 1 is wrong', ['rows.json', '3', undefined, undefined, 'Row 1 is wrong']],
  ['error: The project has no composition', null],
  ['hint: see index.html:6', null],
  ['12/30 frames, 4.2 frames/s, 3 s left', null],
  ['[=====     ]  42 %  12 of 30 frames, 1 min 3 s left', null],
  ['Serving http://127.0.0.1:4000/ now', null],
])('matches the line %s as a problem', (text, expected) => {
  expect(match(text)).toEqual(expected);
});

test('prints a line for each location of an error that the problem matcher reads', () => {
  const place = { file: 'index.html', line: 6, column: 3 };
  const single = failureLines(
    { code: 'script_error', message: 'x is null\n  at <script>', hint: 'Fix it.', place },
    folder,
  );
  expect(single).toEqual(['error: /films/intro/index.html:6:3: x is null', '    at <script>', 'hint: Fix it.']);
  const problems = [
    { message: 'Row 0: no', place: { file: '/data/rows.json', line: 2 } },
    { message: 'Row 4: no', place: { file: '/data/rows.json', line: 6, column: 9 } },
  ];
  const many = failureLines({ code: 'batch_invalid', message: '2 problems in 2 rows:\nRow 0…', problems }, folder);
  expect(many).toEqual([
    'error: 2 problems in 2 rows:',
    'error: /data/rows.json:2:1: Row 0: no',
    'error: /data/rows.json:6:9: Row 4: no',
  ]);
  expect([single[0], many[1], many[2]].map((text) => match(text ?? '')?.[0])).toEqual([
    ...['/films/intro/index.html', '/data/rows.json', '/data/rows.json'],
  ]);
});

test('draws a progress bar in the terminal', () => {
  expect(barLine('12 of 48 frames', 25)).toBe('[======                  ]  25 %  12 of 48 frames');
});
