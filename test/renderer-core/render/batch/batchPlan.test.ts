// Batches that are checked and not rendered: warnings with locations, and outputs with defaults.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InvalidRows } from '../../../../renderer-core/plan/batchRows.ts';
import { planBatch } from '../../../../sdk/renders.ts';
import { composition, project, temporaryFolder } from '../../../support/project.ts';

const card = composition('', {
  variables: [
    { id: 'name', type: 'string', label: 'Name', default: 'Ada', maxLength: 3 },
    { id: 'size', type: 'number', label: 'Size', default: 3, min: 1, max: 9 },
  ],
});

test('warns about duplicate keys and values beyond a limit, with file, line and column', async () => {
  const folder = temporaryFolder();
  const rows = join(folder, 'rows.json');
  writeFileSync(rows, '[\n  {"size": 1},\n  {"size": 2, "name": "Adam", "size": 10}\n]');
  const request = { projectDir: project(card), rows, output: join(folder, '{index}.mp4') };
  const expected = [
    { message: '"size" is given again later in the row; this value has no effect', row: 1, column: 4 },
    { message: 'Variable "name" should be at most 3 characters long (got 4)', row: 1, column: 23 },
    { message: 'Variable "size" should be at most 9 (got 10)', row: 1, column: 39 },
  ].map(({ column, ...warning }) => ({ ...warning, place: { file: rows, line: 3, column } }));
  const { warnings, rows: planned } = await planBatch(request);
  expect(warnings).toEqual(expected);
  expect(planned.map((row) => row.warnings)).toEqual([undefined, expected.map(({ row: _, ...warning }) => warning)]);
  expect((await planBatch({ ...request, strictVariables: true })).warnings).toEqual(expected);
});

test('reads a spreadsheet with its separator line, and notes what it skips', async () => {
  const rows = join(temporaryFolder(), 'rows.csv');
  writeFileSync(rows, '\uFEFFsep=;\r\nname;size;\r\nBo;2;\r\n;;\r\n');
  const batch = await planBatch({ projectDir: project(card), rows, output: join(temporaryFolder(), '{index}.mp4') });
  expect(batch.rows.map(({ variables }) => variables)).toEqual([{ name: 'Bo', size: 2 }]);
  expect(batch.warnings).toEqual([]);
  expect(batch.notes).toEqual([
    {
      message: 'Skipped 1 row of empty cells (line 4) and 1 column without name and content (column 3)',
      place: { file: rows, line: 4, column: 1 },
    },
  ]);
});

test('locates wrong values for every row in their file, or at the declaration', async () => {
  const request = { projectDir: project(card), rows: [{}, { name: 'Bo' }, { size: 1 }], variables: { size: 'big' } };
  const output = join(temporaryFolder(), '{index}.mp4');
  const message = 'Variable "size" must be a number (got "big")';
  const variablesSource = { file: 'values.json', text: '{\n "size": "big"\n}' };
  const warningsOf = async (more: object) => (await planBatch({ ...request, ...more, output })).warnings;
  expect(await warningsOf({ variablesSource })).toEqual([
    {
      message,
      place: { file: 'values.json', line: 2, column: 10 },
      issue: { kind: 'type-mismatch', id: 'size', message, expected: 'a number', given: '"big"' },
    },
  ]);
  expect(await warningsOf({})).toMatchObject([{ message, place: { file: 'index.html' } }]);
  await expect(warningsOf({ variablesSource, strictVariables: true })).rejects.toMatchObject({
    ...{ code: 'variables_invalid', message },
    place: { file: 'values.json', line: 2, column: 10 },
  });
});

test('plans only the requested rows, and reports only their problems', async () => {
  const folder = temporaryFolder();
  const rows = join(folder, 'rows.json');
  writeFileSync(rows, '[{"name": "Ada"}, 7, {"name": "a/b"}, {"name": "Bo", "size": "big"}, {"name": "Cy"}]');
  const plan = async (...indices: number[]) => {
    const batch = await planBatch({ projectDir: project(card), rows, output: join(folder, '{name}.mp4'), indices });
    return { ...batch, todo: batch.todo.map((at) => batch.rows[at]?.index) };
  };
  const { todo, warnings, rows: all } = await plan(4, 3);
  expect(todo).toEqual([3, 4]);
  expect(all.map(({ index }) => index)).toEqual([0, 3, 4]);
  expect(warnings.map(({ row, message }) => [row, message])).toEqual([
    [3, 'Variable "size" must be a number (got "big")'],
  ]);
  await expect(plan(1)).rejects.toMatchObject({ message: 'Row 2: A row must be an object (got a number)' });
  await expect(plan(0, 5)).rejects.toMatchObject({
    code: 'usage',
    message: 'The batch has no row 6; its rows are 1 to 5',
    hint: 'Choose rows with --rows, such as --rows 1,3-5. Rows are counted from 1.',
  });
  await expect(plan()).rejects.toMatchObject({ message: 'No row is chosen; its rows are 1 to 5' });
});

test('uses common values and declared defaults in outputs', async () => {
  const folder = temporaryFolder();
  const request = { projectDir: project(card), rows: [{}, { name: 'Bo' }], variables: { size: 7 } };
  const { rows } = await planBatch({ ...request, output: join(folder, '{name}-{size}.mp4') });
  expect(rows.map(({ output }) => output)).toEqual([join(folder, 'Ada-7.mp4'), join(folder, 'Bo-7.mp4')]);
  await expect(planBatch({ ...request, output: join(folder, '{nme}.mp4') })).rejects.toMatchObject({
    code: 'batch_invalid',
    message: expect.stringContaining('known placeholders: {index}, {name}, {size}'),
  });
});

test('warns about references without a value, also with strict checking', async () => {
  const host = `<p data-composition-src="card.html" data-variable-values='{"size":"$size"}'></p>`;
  const files = {
    'index.html': composition(host, { variables: [{ id: 'size', type: 'number', label: 'Size' }] }),
    'card.html': card,
  };
  const request = { projectDir: project(files), rows: [{ size: 1 }, {}], strictVariables: true };
  const message = 'Variable "size" of the embedding composition has no value, so "size" is not passed on';
  const { warnings } = await planBatch({ ...request, output: join(temporaryFolder(), '{index}.mp4') });
  expect(warnings).toMatchObject([{ message, row: 1, place: { file: 'index.html', line: 4 } }]);
});

test('warns about values that rows pass to embedded files, or fails with strict checking', async () => {
  const folder = temporaryFolder();
  const rows = join(folder, 'rows.json');
  writeFileSync(rows, '[\n  {"size": 1},\n  {"size": "big"}\n]');
  const host = `<p data-composition-src="card.html" data-variable-values='{"size":"$size","x":1}'></p>`;
  const files = {
    'index.html': composition(host, { variables: [{ id: 'size', type: 'number', label: 'Size', default: 3 }] }),
    'card.html': card,
  };
  const request = { projectDir: project(files), rows, output: join(folder, '{index}.mp4') };
  const wrong = 'Variable "size" must be a number (got "big")';
  const undeclared = 'Variable "x" is not declared by card.html; declared variables: "name", "size"';
  const at = (column: number) => ({ file: 'index.html', line: 4, column });
  // With its default, the value of row 2 also fits in card.html.
  expect((await planBatch(request)).warnings).toMatchObject([
    { message: wrong, row: 1, place: { file: rows, line: 3, column: 12 }, issue: { id: 'size', given: '"big"' } },
    { message: undeclared, place: at(75) },
  ]);
  await expect(planBatch({ ...request, strictVariables: true })).rejects.toMatchObject({
    code: 'variables_invalid',
    message: [
      '3 problems:',
      `Row 2 (line 3): ${wrong}`,
      `index.html:4:75: ${undeclared}`,
      `Row 2 (index.html:4:67): ${wrong}`,
    ].join('\n'),
  });
});

test('renders invalid rows with defaults, skips them, or fails, and lists them with their lines', async () => {
  const folder = temporaryFolder();
  const files = {
    'rows.csv': 'name,size\nBo,big\nCy,2\n"D\nE",x\n',
    'rows.json': '[{"name": "Bo", "size": "big"},\n{"size": 2},\n{"size": null}]',
    'rows.jsonl': '{"size": "big"}\n{"size": 2}\n{"size": [1]}\n',
  };
  const message = 'Variable "size" must be a number (got "big")';
  const issue = { kind: 'type-mismatch', id: 'size', expected: 'a number', given: '"big"' };
  for (const [name, [line, column]] of [
    ['rows.csv', [2, 4]],
    ['rows.json', [1, 25]],
    ['rows.jsonl', [1, 10]],
  ] as const) {
    const rows = join(folder, name);
    writeFileSync(rows, files[name]);
    const plan = (invalidRows?: InvalidRows) =>
      planBatch({
        ...{ projectDir: project(card), rows, output: join(folder, '{index}.mp4') },
        ...(invalidRows ? { invalidRows } : {}),
      });
    const warnings = [{ message, issue, place: { file: rows, line, column } }];
    const byDefault = await plan();
    expect(byDefault.rows).toMatchObject([
      { status: 'pending', usedDefaults: ['size'], warnings },
      { status: 'pending' },
      { status: 'pending', usedDefaults: ['size'] },
    ]);
    expect(byDefault.rows[1]).not.toHaveProperty('warnings');
    expect(byDefault.todo.map((at) => byDefault.prepare(at).draft.variables.size)).toEqual([undefined, 2, undefined]);
    const skipped = await plan('skip');
    expect(skipped.rows).toMatchObject([{ status: 'skipped', warnings }, { status: 'pending' }, { status: 'skipped' }]);
    expect(skipped.rows[0]).not.toHaveProperty('usedDefaults');
    expect(skipped.todo).toEqual([1]);
    await expect(plan('fail')).rejects.toMatchObject({
      code: 'variables_invalid',
      message: expect.stringMatching(
        new RegExp(`^2 problems in 2 rows:\nRow 1 \\(line ${line}\\): Variable "size" .*\nRow 3 \\(line [345]\\): Var`),
      ),
      hint: 'Correct the values, or choose --invalid-rows defaults or --invalid-rows skip.',
    });
  }
});

test('treats values for embedded files and for every row like those of the row', async () => {
  const host = `<p data-composition-src="card.html" data-variable-values='{"size":"$text"}'></p>`;
  const text = { id: 'text', type: 'string', label: 'Text', default: 'x' } as const;
  const files = { 'index.html': composition(host, { variables: [text] }), 'card.html': card };
  const output = join(temporaryFolder(), '{index}.mp4');
  const passed = { projectDir: project(files), rows: [{ text: 'big' }], output };
  expect((await planBatch(passed)).rows).toMatchObject([{ warnings: [{ place: { file: 'index.html' } }] }]);
  expect((await planBatch({ ...passed, invalidRows: 'skip' })).todo).toEqual([]);
  await expect(planBatch({ ...passed, invalidRows: 'fail' })).rejects.toMatchObject({ code: 'variables_invalid' });

  const common = { projectDir: project(card), rows: [{}, { size: 1 }], variables: { size: 'big' }, output };
  expect((await planBatch(common)).rows).toMatchObject([{ usedDefaults: ['size'] }, {}]);
  expect((await planBatch({ ...common, invalidRows: 'skip' })).todo).toEqual([1]);
});

test('fails for invalid rows with --strict-variables', async () => {
  const request = { projectDir: project(card), rows: [{ size: 'big' }], output: '{index}.mp4', strictVariables: true };
  await expect(planBatch(request)).rejects.toMatchObject({ code: 'variables_invalid' });
  await expect(planBatch({ ...request, invalidRows: 'skip' })).rejects.toMatchObject({
    code: 'usage',
    message: '--strict-variables and --invalid-rows skip contradict each other',
  });
});
