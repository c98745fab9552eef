// `framework render --batch`: rows, placeholders, the manifest and resuming.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { accept, type Check, type Statement } from './acceptance.ts';
import { count, filled, plan, tint } from './pages.ts';
import { video } from './pictures.ts';

const title = { id: 'title', type: 'string', label: 'Title', default: 'none', maxLength: 5 };
const page = filled('return values.tint', [tint, { ...count, max: 5 }, plan, title]);
const project = (rows: unknown, name = 'rows.json') => ({
  'index.html': page,
  [name]: typeof rows === 'string' ? rows : JSON.stringify(rows),
});
const batch = (options = '') => `render --batch rows.json -o out/{index}.mp4 --fps 10 ${options}`;
const colorOf = (path: string, color: string) => video(path, '64x48', { first: { '32,24': color } });

const write =
  (path: string, text: string): Check =>
  ({ folder }) =>
    writeFileSync(join(folder, path), text);
const remove =
  (path: string): Check =>
  ({ folder }) =>
    rmSync(join(folder, path));
const manifest =
  (expected: object): Check =>
  ({ folder }) =>
    expect(JSON.parse(readFileSync(join(folder, 'out/manifest.json'), 'utf8'))).toMatchObject(expected);

const rows: Statement[] = [
  {
    sentence:
      'The batch file is a JSON array of objects, or {"rows": [...]}; each object is treated like a --variables object and merged over defaults',
    files: project([{ tint: '#0000ff' }, { count: 2 }]),
    steps: [
      { run: batch() },
      colorOf('out/0.mp4', '#0000ff'),
      colorOf('out/1.mp4', '#ff0000'),
      write('rows.json', JSON.stringify({ rows: [{ tint: '#00ff00' }] })),
      { run: 'render --batch rows.json -o other/{index}.mp4 --fps 10' },
      colorOf('other/0.mp4', '#00ff00'),
    ],
  },
  {
    sentence: 'Output paths support {key} placeholders from the row and {index}, which counts from 0',
    files: project([{ title: 'ann' }, { title: 'bob' }]),
    steps: [
      {
        run: 'render --batch rows.json -o out/{title}-{index}.mp4 --fps 10',
        creates: ['out/ann-0.mp4', 'out/bob-1.mp4'],
      },
    ],
  },
  {
    sentence: 'Placeholders can also use declared defaults and values from --variables',
    files: project([{ count: 1 }]),
    steps: [
      {
        run: `render --batch rows.json -o out/{title}-{plan}.mp4 --fps 10 --variables '{"plan":"pro"}'`,
        creates: ['out/none-pro.mp4'],
      },
    ],
  },
  {
    sentence:
      'Rows are validated before the first row renders: missing output placeholders, output collisions and strict-variable issues',
    files: project([{ title: 'ann', plan: 'gold' }, { title: 'ann' }]),
    steps: [
      {
        run: 'render --batch rows.json -o out/{name}.mp4',
        exit: 1,
        prints: ['Rows 1, 2: There is no value for "name"'],
        leavesOut: ['out'],
      },
      {
        run: 'render --batch rows.json -o out/{title}.mp4',
        exit: 1,
        prints: ['rows.json:1:41: Row 2: Row 1 is also written to ann.mp4'],
        leavesOut: ['out'],
      },
      {
        run: `${batch()} --strict-variables`,
        exit: 1,
        prints: [/rows\.json:1:24: Row 1: Variable "plan" must be one of/],
        leavesOut: ['out'],
      },
    ],
  },
  {
    sentence:
      'A placeholder value is one path segment: anything that would escape the output folder is an error before the first row',
    files: project([{ title: 'ok' }, { title: '../up' }, { title: 'a/b' }]),
    steps: [
      {
        run: 'render --batch rows.json -o out/{title}.mp4',
        exit: 1,
        prints: ['Row 2 (line 1): "title" must not contain /', 'Row 3 (line 1)'],
        leavesOut: ['out', 'up.mp4'],
      },
    ],
  },
  {
    sentence:
      'Rows with values that do not fit are listed before the first row renders; --invalid-rows uses defaults, skips them or fails',
    files: project('tint,count\nreddish,1\n#0000ff,\n,many\n', 'rows.csv'),
    steps: [
      {
        run: 'render --batch rows.csv -o out/{index}.mp4 --fps 10',
        prints: [
          /rows\.csv:2:1: row 1: Variable "tint" must be a color as #rrggbb \(got "reddish"\)/,
          /rows\.csv:4:2: row 3: Variable "count" must be a number \(got "many"\)/,
          '2 rows used defaults because of values that do not fit',
        ],
      },
      colorOf('out/0.mp4', '#ff0000'),
      manifest({
        rows: [
          { index: 0, status: 'completed', usedDefaults: ['tint'], warnings: [{ issue: { id: 'tint' } }] },
          { index: 1, status: 'completed' },
          { index: 2, status: 'completed', usedDefaults: ['count'] },
        ],
      }),
      {
        run: 'render --batch rows.csv -o skip/{index}.mp4 --fps 10 --invalid-rows skip',
        creates: ['skip/1.mp4'],
        leavesOut: ['skip/0.mp4', 'skip/2.mp4'],
      },
      {
        run: 'render --batch rows.csv -o fail/{index}.mp4 --invalid-rows fail',
        exit: 1,
        prints: ['Row 1 (line 2): Variable "tint"', 'Row 3 (line 4): Variable "count"'],
        leavesOut: ['fail'],
      },
    ],
  },
  {
    sentence: 'A line sep= sets the separator of a spreadsheet, and empty rows and columns are skipped with one note',
    files: project('sep=;\r\ntint;title;\r\n#00ff00;a;\r\n;;\r\n', 'rows.csv'),
    steps: [
      {
        run: 'render --batch rows.csv -o out/{title}.mp4 --fps 10',
        prints: [/note: .*rows\.csv:4:1: Skipped 1 row of empty cells \(line 4\) and 1 column/],
        creates: ['out/a.mp4'],
      },
      colorOf('out/a.mp4', '#00ff00'),
    ],
  },
  {
    sentence: 'Warn, with location, about duplicate JSON keys and about values beyond min, max or maxLength',
    files: project('[\n  {"title":"a","title":"b"},\n  {"count":9},\n  {"title":"much longer"}\n]'),
    steps: [
      {
        run: batch('--dry-run'),
        prints: [
          /warning: .*rows\.json:2:\d+.*title/,
          /warning: .*rows\.json:3:\d+.*count/,
          /warning: .*rows\.json:4:\d+.*title/,
        ],
      },
    ],
  },
];

const running: Statement[] = [
  {
    sentence: '--batch-concurrency above 1 renders rows in parallel; the default is 1',
    files: project([{}, {}, {}]),
    steps: [
      // While a row is captured, the next one may already be prepared, and the previous one may still be written.
      { run: batch() },
      atOnce('out', 1, 2),
      { run: 'render --batch rows.json -o both/{index}.mp4 --fps 10 --batch-concurrency 3' },
      atOnce('both', 3),
    ],
  },
  {
    sentence: 'The file manifest.json is written next to the outputs, one status row per render',
    files: project([{ title: 'ann' }, { tint: '#0000ff' }]),
    steps: [
      { run: batch() },
      manifest({
        version: 1,
        batch: expect.stringMatching(/rows\.json$/),
        total: 2,
        completed: 2,
        failed: 0,
        skipped: 0,
        rows: [
          {
            index: 0,
            output: expect.stringMatching(/out\/0\.mp4$/),
            status: 'completed',
            durationMs: 100,
            error: null,
            startedAt: expect.any(String),
            completedAt: expect.any(String),
            variables: { title: 'ann' },
          },
          { index: 1, status: 'completed', variables: { tint: '#0000ff' } },
        ],
      }),
    ],
  },
  {
    sentence: 'A failed row has the status failed with its error, the others continue, and the exit status is 1',
    files: {
      'index.html': filled('if (values.count === 2) throw new Error("no"); return values.tint', [tint, count]),
      'rows.json': '[{"count":2},{"count":3}]',
    },
    steps: [
      { run: batch(), exit: 1, creates: ['out/1.mp4'], leavesOut: ['out/0.mp4'] },
      manifest({
        completed: 1,
        failed: 1,
        rows: [{ status: 'failed', error: { message: expect.stringContaining('no') } }, { status: 'completed' }],
      }),
    ],
  },
];

const resuming: Statement[] = [
  {
    sentence:
      '--resume renders only rows that are not completed with a whole file, or whose inputs changed: the row, the options, or files that the composition actually read, not any file in the folder',
    files: project([{ title: 'ann' }, { title: 'bob' }]),
    steps: [
      { run: batch() },
      write('note.txt', 'a note'),
      { run: `${batch()} --resume --json`, json: { completed: 2, rows: [] } },
      remove('out/1.mp4'),
      { run: `${batch()} --resume --json`, json: { rows: [{ index: 1, reason: expect.any(String) }] } },
      write('rows.json', JSON.stringify([{ title: 'eve' }, { title: 'bob' }])),
      { run: `${batch()} --resume --json`, json: { rows: [{ index: 0, reason: expect.any(String) }] } },
    ],
  },
  {
    sentence: '--resume reports the reason for each re-rendered row',
    files: project([{}]),
    steps: [
      { run: batch() },
      { run: `${batch('--quality draft')} --resume --dry-run`, prints: ['(options changed)'] },
      write('index.html', page.replace('margin:0', 'margin:1px')),
      { run: `${batch()} --resume --dry-run`, prints: ['(index.html changed)'] },
      remove('out/0.mp4'),
      { run: `${batch()} --resume`, prints: ['row 1: the output is missing'] },
    ],
  },
  {
    sentence: '--resume=completed accepts every complete output',
    files: project([{}]),
    steps: [
      { run: batch() },
      write('index.html', page.replace('margin:0', 'margin:1px')),
      { run: `${batch()} --resume=completed --json`, json: { completed: 1, rows: [] } },
      write('out/0.mp4', 'cut'),
      { run: `${batch()} --resume=completed --json`, json: { rows: [{ index: 0 }] } },
    ],
  },
];

accept([...rows, ...running, ...resuming]);

/** The largest number of rows that were running at the same time. */
function atOnce(folder: string, ...expected: number[]): Check {
  return (place) => {
    const { rows: listed } = JSON.parse(readFileSync(join(place.folder, folder, 'manifest.json'), 'utf8'));
    const running = listed.map(
      ({ startedAt }: Row) =>
        listed.filter((row: Row) => row.startedAt <= startedAt && startedAt < row.completedAt).length,
    );
    expect(expected).toContain(Math.max(...running));
  };
}

type Row = { startedAt: string; completedAt: string };
