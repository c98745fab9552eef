// Batches that are checked and not rendered: warnings with locations, and outputs with defaults.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planBatch } from '../../../renderer-core/render/batch/renderBatch.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';

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
  expect((await planBatch(request)).warnings).toEqual(expected);
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
      message:
        'Skipped 1 row of empty cells (line 4) and 1 column without name and content (column 3)',
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
    { message, place: { file: 'values.json', line: 2, column: 10 } },
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
  await expect(plan(1)).rejects.toMatchObject({ message: 'Row 1: A row must be an object (got a number)' });
  await expect(plan(0, 5)).rejects.toMatchObject({
    code: 'usage',
    message: 'The batch has no row 5; its rows are 0 to 4',
    hint: 'Choose rows with --rows, such as --rows 0,2-4. Rows count from 0.',
  });
  await expect(plan()).rejects.toMatchObject({ message: 'No row is chosen; its rows are 0 to 4' });
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
  expect((await planBatch(request)).warnings).toEqual([
    { message: wrong, row: 1, place: { file: rows, line: 3, column: 12 } },
    { message: undeclared, place: at(75) },
    { message: wrong, row: 1, place: at(67) },
  ]);
  await expect(planBatch({ ...request, strictVariables: true })).rejects.toMatchObject({
    code: 'variables_invalid',
    message: [
      '3 problems:',
      `Row 1 (line 3): ${wrong}`,
      `index.html:4:75: ${undeclared}`,
      `Row 1 (index.html:4:67): ${wrong}`,
    ].join('\n'),
  });
});
