// `framework render --batch`: its options and its output for people and programs.
import { expect, test } from 'vitest';
import type { Engine } from '../../cli/engine.ts';
import type { BatchEvent, BatchReport, BatchResult } from '../../renderer-core/render/batch/batchReport.ts';
import type { BatchRequest } from '../../renderer-core/render/batch/batchTypes.ts';
import type { ManifestRow } from '../../renderer-core/render/batch/manifestFile.ts';
import { cli, report as renderReport } from './cli.ts';

const report: BatchReport = {
  total: 3,
  completed: 2,
  failed: 1,
  skipped: 0,
  manifest: '/out/manifest.json',
  resumed: 1,
  usedDefaults: 0,
  skippedInvalid: 0,
  elapsedMs: 2500,
  warnings: [],
};
const failure = { code: 'script_error' as const, message: 'index.html:3:1: it threw' };
const results: BatchResult[] = [
  { index: 2, output: '/out/c.mp4', status: 'failed', error: failure },
  { index: 1, output: '/out/b.mp4', status: 'completed', report: renderReport },
];
const events: BatchEvent[] = [
  { type: 'stage', stage: 'launch', message: 'Starting the browser' },
  { type: 'warning', message: 'it is odd', row: 1 },
  { type: 'warning', message: 'it is odd', row: 2 },
  { type: 'row', index: 2, output: '/out/c.mp4', status: 'failed', error: failure },
  { type: 'row', index: 1, output: '/out/b.mp4', status: 'completed' },
  { type: 'rows', total: 3, completed: 2, failed: 1, running: 0, remainingSeconds: 0 },
];

function engine(asked: BatchRequest[] = [], ended: BatchReport = report): Partial<Engine> {
  return {
    async *renderBatch(request: BatchRequest) {
      asked.push(request);
      for (const event of events) request.onEvent?.(event);
      yield* results;
      return ended;
    },
  };
}

const run = (...argv: string[]) => cli(['render', 'card', '--batch', 'rows.csv', ...argv], { engine: engine() });

test('passes the options of a batch', async () => {
  const asked: BatchRequest[] = [];
  const argv = ['render', 'card', '--batch', 'rows.csv', '--batch-concurrency', '3', '--batch-fail-fast', '--resume'];
  await cli([...argv, '-o', 'o/{name}.mp4', '--fps', '25', '--strict-variables', '--variables', '{"a":1}'], {
    engine: engine(asked),
  });
  const { signal, onEvent, ...request } = asked[0] ?? { rows: '' };
  expect(request).toEqual({
    projectDir: 'card',
    rows: 'rows.csv',
    concurrency: 3,
    failFast: true,
    resume: true,
    output: 'o/{name}.mp4',
    fps: '25',
    strictVariables: true,
    variables: { a: 1 },
  });
});

test('passes the rows of --rows, and rejects anything that is not a list of rows', async () => {
  const asked: BatchRequest[] = [];
  const of = (...argv: string[]) => cli(['render', 'card', ...argv], { engine: engine(asked) });
  await of('--batch', 'rows.csv', '--rows', '7,2-4, 3');
  expect(asked[0]?.indices).toEqual([6, 1, 2, 3]);
  for (const list of ['0', '0-2', '4-2', 'two', '1,', '-1', '1-2-3', '99999999']) {
    const { status, stderr } = await of('--batch', 'rows.csv', `--rows=${list}`);
    expect(status).toBe(2);
    expect(stderr).toContain(`rows must be a list of rows and ranges, such as 1,3-5 (got "${list}")`);
    expect(stderr).toContain('Rows are counted from 1, as in messages. Only {index} counts from 0.');
  }
  const { status, stderr } = await of('--rows', '2');
  expect(status).toBe(2);
  expect(stderr).toContain('--rows needs --batch');
});

test('prints a summary, warnings and failed rows', async () => {
  expect(await run()).toEqual({
    status: 1,
    stdout:
      '/out/manifest.json\n2 of 3 rows completed (1 by an earlier run), 1 failed, in 2.5 s\n' +
      'Run the same command with --resume to render only the remaining rows.\n',
    stderr: 'Starting the browser\nwarning: rows 2, 3: it is odd\nrow 3 failed: index.html:3:1: it threw\n',
  });
  expect((await run('--progress', 'plain')).stderr).toContain('row 2: /out/b.mp4\n');
  expect(await run('--quiet')).toEqual({
    status: 1,
    stdout: '/out/b.mp4\n',
    stderr: 'warning: rows 2, 3: it is odd\n',
  });
});

test('prints the location of the first warning of a kind', async () => {
  const at = (line: number) => ({ file: '/data/rows.json', line, column: 7 });
  const warned: Partial<Engine> = {
    // biome-ignore lint/correctness/useYield: no row is rendered
    async *renderBatch({ onEvent }: BatchRequest) {
      for (const row of [1, 2]) onEvent?.({ type: 'warning', message: 'it is odd', row, place: at(row + 2) });
      return { ...report, failed: 0 };
    },
  };
  const { stderr } = await cli(['render', 'card', '--batch', 'rows.json'], { engine: warned });
  expect(stderr).toBe('warning: /data/rows.json:3:7: rows 2, 3: it is odd\n');
});

const misfit = (row: number, line: number): BatchEvent => ({
  ...{ type: 'warning', row, place: { file: 'rows.csv', line, column: 5 } },
  message: 'Variable "price" must be a number (got "abc")',
  issue: { kind: 'type-mismatch', id: 'price', message: '', expected: 'a number', given: '"abc"' },
});

test('lists invalid rows before the first one renders, and says at the end how many used defaults', async () => {
  const asked: BatchRequest[] = [];
  const invalid = (counts: Partial<BatchReport>): Partial<Engine> => ({
    // biome-ignore lint/correctness/useYield: no row is rendered
    async *renderBatch(request: BatchRequest) {
      asked.push(request);
      for (const event of [misfit(2, 4), misfit(4, 6)]) request.onEvent?.(event);
      request.onEvent?.({ type: 'stage', stage: 'launch', message: 'Starting the browser' });
      const row = { index: 2, output: '/out/c.mp4', usedDefaults: ['price'] };
      request.onEvent?.({ type: 'row', status: 'completed', ...row });
      return { ...report, failed: 0, ...counts };
    },
  });
  const run = (counts: Partial<BatchReport>, ...argv: string[]) =>
    cli(['render', 'card', '--batch', 'rows.csv', ...argv], { engine: invalid(counts) });
  const lines = [
    '  rows.csv:4:5: row 3: Variable "price" must be a number (got "abc")\n',
    '  rows.csv:6:5: row 5: Variable "price" must be a number (got "abc")\n',
  ].join('');
  const last = '2 rows used defaults because of values that do not fit\n';
  expect(await run({ usedDefaults: 2 }, '--progress=plain')).toEqual({
    status: 0,
    stdout: `/out/manifest.json\n2 of 3 rows completed (1 by an earlier run), in 2.5 s\n${last}`,
    stderr:
      'warning: 2 rows have values that do not fit. They are rendered with the defaults of these variables:\n' +
      `${lines}Starting the browser\nrow 3: /out/c.mp4 (uses the default of price)\n`,
  });
  expect(asked[0]).not.toHaveProperty('invalidRows');
  for (const option of ['--quiet', '--json'])
    expect((await run({ usedDefaults: 2 }, option)).stderr).toMatch(new RegExp(`${last}$`));
  const skipped = await run({ skipped: 2, skippedInvalid: 2 }, '--invalid-rows', 'skip');
  expect(asked.at(-1)?.invalidRows).toBe('skip');
  expect(skipped.stderr).toContain(`2 rows have values that do not fit. They are skipped:\n${lines}`);
  expect(skipped.stdout).toMatch(/, 2 skipped, in 2.5 s\n2 rows skipped because of values that do not fit\n$/);
  expect((await run({}, '--invalid-rows=ignore')).status).toBe(2);
  expect((await cli(['render', 'card', '--invalid-rows=skip'])).stderr).toContain('--invalid-rows needs --batch');
});

test('prints notes about skipped rows, which are not warnings', async () => {
  const note = { message: 'Skipped 1 row of empty cells (line 4)', place: { file: 'rows.csv', line: 4, column: 1 } };
  const noting: Partial<Engine> = {
    // biome-ignore lint/correctness/useYield: no row is rendered
    async *renderBatch({ onEvent }: BatchRequest) {
      onEvent?.({ type: 'note', ...note });
      return { ...report, failed: 0 };
    },
  };
  const noted = (...argv: string[]) => cli(['render', 'card', '--batch', 'rows.csv', ...argv], { engine: noting });
  expect((await noted('--quiet')).stderr).toBe('note: rows.csv:4:1: Skipped 1 row of empty cells (line 4)\n');
  expect((await noted('--progress=ndjson')).stderr).toBe(`${JSON.stringify({ type: 'note', ...note })}\n`);
});

test('passes --resume=completed, and rejects other modes', async () => {
  const asked: BatchRequest[] = [];
  await cli(['render', 'card', '--batch', 'rows.csv', '--resume=completed'], { engine: engine(asked) });
  expect(asked[0]?.resume).toBe('completed');
  const { status, stderr } = await run('--resume=all');
  expect(status).toBe(2);
  expect(stderr).toContain('--resume takes no value, or completed (got "all")');
});

test('prints why rows are rendered again', async () => {
  const reasons: Partial<Engine> = {
    // biome-ignore lint/correctness/useYield: no row is rendered
    async *renderBatch({ onEvent }: BatchRequest) {
      for (const row of [0, 2]) onEvent?.({ type: 'rerender', row, reason: 'a.mp4 changed' });
      onEvent?.({ type: 'rerender', row: 1, reason: 'variables changed' });
      return { ...report, failed: 0 };
    },
  };
  const again = (...argv: string[]) => cli(['render', 'card', '--batch', 'rows.json', ...argv], { engine: reasons });
  expect((await again()).stderr).toBe('rows 1, 3: a.mp4 changed\nrow 2: variables changed\n');
  expect((await again('--quiet')).stderr).toBe('');
  expect((await again('--progress=ndjson')).stderr).toContain('{"type":"rerender","row":0,"reason":"a.mp4 changed"}\n');
});

test('redraws one line on a terminal', async () => {
  const { stderr } = await cli(['render', 'card', '--batch', 'rows.csv'], { engine: engine(), tty: true });
  expect(stderr).toContain('3/3 rows, 1 failed, 0 running, 0 s left');
});

test('prints JSON and JSON events', async () => {
  const { stdout, stderr, status } = await run('--json', '--progress=ndjson');
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual({ ...report, rows: [results[1], results[0]] });
  expect(
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(events);
});

test('exits with 0 when no row fails', async () => {
  const done = engine([], { ...report, completed: 3, failed: 0 });
  expect((await cli(['render', '--batch', 'rows.json'], { engine: done })).status).toBe(0);
});

test('prints every output path with --dry-run', async () => {
  const row = (index: number, status: ManifestRow['status']) =>
    ({ index, output: `/out/${index}.mp4`, status, variables: { n: index } }) as unknown as ManifestRow;
  const plan = {
    manifest: '/out/manifest.json',
    rows: [row(0, 'completed'), row(1, 'pending')],
    requested: [0, 1],
    todo: [1],
    reasons: new Map([[1, 'variables changed']]),
    warnings: [{ message: 'it is odd', row: 1 }],
    notes: [{ message: 'Skipped 1 row' }],
    estimatedBytes: 2_000_000,
  };
  const planBatch = (async () => plan) as unknown as Engine['planBatch'];
  const dry = (...argv: string[]) =>
    cli(['render', 'card', '--batch', 'rows.csv', '--dry-run', ...argv], { engine: { planBatch } });
  expect(await dry()).toEqual({
    status: 0,
    stdout:
      '1  /out/0.mp4  (already completed)\n2  /out/1.mp4  (variables changed)\n\n1 row to render, 1 already completed, estimated size up to 2.0 MB\n' +
      'manifest     /out/manifest.json\n',
    stderr: 'note: Skipped 1 row\nwarning: row 2: it is odd\n',
  });
  expect((await dry('--quiet')).stdout).toBe('/out/1.mp4\n');
  expect(JSON.parse((await dry('--json')).stdout)).toEqual({
    manifest: '/out/manifest.json',
    total: 2,
    estimatedBytes: 2_000_000,
    warnings: plan.warnings,
    rows: [plan.rows[0], { ...plan.rows[1], reason: 'variables changed' }],
  });
});

test('rejects batch options without --batch', async () => {
  for (const option of ['--resume=completed', '--batch-fail-fast', '--batch-concurrency=2']) {
    const { status, stderr } = await cli(['render', 'card', option]);
    expect(status).toBe(2);
    expect(stderr).toBe(
      `error: ${option.replace(/=\d$/, '')} needs --batch\nhint: Add the file with the rows: --batch rows.json\n`,
    );
  }
  expect((await run('--batch-concurrency', '0')).status).toBe(2);
});
