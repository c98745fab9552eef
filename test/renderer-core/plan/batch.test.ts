// Batches before they run: rows out of JSON, JSONL, CSV and TSV, and every problem with its row and its place. Long, because
// each kind of file has the same list of problems.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import { checkBatchRows, placeholderKeys } from '../../../renderer-core/plan/batch.ts';
import { type BatchKind, batchKind, readBatchRows, rowsOfValues } from '../../../renderer-core/plan/batchFile.ts';
import { readCsv } from '../../../renderer-core/plan/csv.ts';
import { collisionKey, readTemplate } from '../../../renderer-core/plan/outputTemplate.ts';

const declared = (id: string, type: VariableDeclaration['type']) => ({ id, type, label: id }) as VariableDeclaration;
const declarations = [declared('name', 'string'), declared('n', 'number'), declared('on', 'boolean')];

/** What is read, or what is wrong with it and the text that is marked. */
function read(kind: BatchKind, text: string) {
  const { rows, problems } = readBatchRows(text, kind, declarations);
  if (problems.length === 0) return rows.map(({ variables }) => variables);
  return problems.map(({ row, message, span }) => ({ row, message, at: text.slice(span.start, span.end) }));
}

test('reads an array, an object with rows, and JSON lines', () => {
  const rows = [{ name: 'A' }, { name: 'B', n: 2 }];
  expect(read('json', JSON.stringify(rows))).toEqual(rows);
  expect(read('json', `\uFEFF${JSON.stringify({ rows }, null, 2)}`)).toEqual(rows);
  expect(read('jsonl', '{"name":"A"}\r\n\r\n{"name":"B","n":2}\n')).toEqual(rows);
});

test('converts CSV cells to the declared types', () => {
  expect(read('csv', '\uFEFFname,n,on,other\r\n"Zoë, ""x""",12,TRUE,1\r\n007,,false,\r\n\r\n"a\nb",many,1,x')).toEqual([
    { name: 'Zoë, "x"', n: 12, on: true, other: '1' },
    { name: '007', on: false },
    { name: 'a\nb', n: 'many', on: '1', other: 'x' },
  ]);
});

test('reports files of another shape', () => {
  const shape = 'a batch must be an array of objects, one per video, or {"rows": [...]}';
  expect(read('json', '{"row":[]}')).toEqual([
    { row: null, message: `This object has no "rows"; ${shape}`, at: '{"row":[]}' },
  ]);
  expect(read('json', '{"rows":{}}')).toEqual([{ row: null, message: `"rows" is an object; ${shape}`, at: '{}' }]);
  expect(read('json', '3')).toEqual([{ row: null, message: `This is a number; ${shape}`, at: '3' }]);
  expect(read('json', '[]')).toEqual([{ row: null, message: 'The batch has no rows', at: '[]' }]);
  expect(read('json', '[{}, 4, null]')).toEqual([
    { row: 1, message: 'A row must be an object (got a number)', at: '4' },
    { row: 2, message: 'A row must be an object (got null)', at: 'null' },
  ]);
  expect(read('json', '[{"a":1},]')).toEqual([
    { row: null, message: 'Trailing comma; remove the comma before ]', at: ']' },
  ]);
  expect(read('jsonl', '{}\n{"a":}\n[]')).toEqual([
    { row: 1, message: 'Expected a value for "a" (got })', at: '}' },
    { row: 2, message: 'A row must be an object (got an array)', at: '[]' },
  ]);
});

test('reports invalid CSV', () => {
  expect(read('csv', 'name\n"a')).toEqual([
    { row: null, message: 'The closing quote of this cell is missing', at: '"' },
  ]);
  expect(read('csv', 'name,name,\na,b')).toEqual([
    { row: null, message: 'Duplicate column "name" in the header', at: 'name' },
  ]);
  expect(read('csv', ',name\nx,A')).toEqual([
    { row: null, message: 'Column 1 has cells with content, but no name in the header', at: '' },
  ]);
  expect(read('csv', 'name\na,b')).toEqual([
    { row: 0, message: 'The row has more cells (2) than the header (1)', at: 'a,b' },
  ]);
  expect(read('csv', 'name\n')).toEqual([{ row: null, message: 'The batch has no rows', at: 'name' }]);
});

test('reports cells that are not separated by commas', () => {
  expect(read('csv', 'name;n\nA;1')).toEqual([
    {
      row: null,
      message:
        'The cells must be separated by commas, but this file uses semicolons; write sep=; in a line above the header',
      at: 'name;n',
    },
  ]);
  expect(read('csv', 'other\t n\nA\t1')).toEqual([
    {
      row: null,
      message: 'The cells must be separated by commas, but this file uses tabs; name it .tsv',
      at: 'other\t n',
    },
  ]);
  // No variable has one of these names.
  expect(read('csv', 'a;b\nA')).toEqual([{ 'a;b': 'A' }]);
  expect(read('csv', 'name\nA;1')).toEqual([{ name: 'A;1' }]);
  expect(read('tsv', 'name,n\nA,1')).toEqual([
    {
      row: null,
      message: 'The cells must be separated by tabs, but this file uses commas; write sep=, in a line above the header',
      at: 'name,n',
    },
  ]);
});

test('uses the separator of a line sep=, as spreadsheets do', () => {
  const rows = [{ name: 'A, B', n: 1 }];
  expect(read('csv', '\uFEFFsep=;\r\nname;n\r\nA, B;1\r\n')).toEqual(rows);
  expect(read('csv', 'SEP=,\nname,n\n"A, B",1')).toEqual(rows);
  expect(read('csv', '"sep=;"\nname;n\n"A, B";1')).toEqual(rows);
  // A program that does not know the line has filled it.
  expect(read('csv', 'sep=,,,\nname,n\n"A, B",1')).toEqual(rows);
  expect(read('csv', 'sep=\t\nname\tn\nA, B\t1')).toEqual(rows);
  expect(read('csv', 'sep=|\nname|n\nA, B|1')).toEqual(rows);
  expect(read('csv', 'sep=^\nname^n\nA, B^1')).toEqual(rows);
  expect(read('tsv', 'sep=;\nname;n\nA, B;1')).toEqual(rows);
  expect(read('csv', 'sep=;\nname;n\n"A"x;1')).toEqual([
    {
      row: null,
      message: 'Expected a semicolon or the end of the line after the closing quote; write a quote inside a cell as ""',
      at: 'x',
    },
  ]);
});

test('reads cells that are separated by tabs', () => {
  expect(read('tsv', 'name\tn\r\nA, B\t1\r\n"C\tD"\t\r\n')).toEqual([{ name: 'A, B', n: 1 }, { name: 'C\tD' }]);
});

/** The rows with their lines, and the notes. */
function readWithNotes(text: string, kind: BatchKind = 'csv') {
  const { rows, problems } = readBatchRows(text, kind, declarations);
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const notes = problems.map(({ severity, row, code, message, span }) => {
    expect([severity, row, code]).toEqual(['note', null, 'skipped']);
    return `${lineOf(span.start)}: ${message}`;
  });
  return { rows: rows.map(({ span, variables }) => [lineOf(span.start), variables]), notes };
}

test('skips rows and columns of empty cells, with one note', () => {
  expect(readWithNotes('\uFEFFname,n\r\nA,1\r\nB,2\r\n,\r\n" ","\u00a0"\r\n')).toEqual({
    rows: [
      [2, { name: 'A', n: 1 }],
      [3, { name: 'B', n: 2 }],
    ],
    notes: ['4: Skipped 2 rows of empty cells (lines 4-5)'],
  });
  expect(readWithNotes(',,\n,name,\n,A,\n,,\n,B,\n')).toEqual({
    rows: [
      [3, { name: 'A' }],
      [5, { name: 'B' }],
    ],
    notes: ['1: Skipped 2 rows of empty cells (lines 1, 4) and 2 columns without name and content (columns 1, 3)'],
  });
  // Only a row has the third cell.
  expect(readWithNotes('name\tn\nA\t1\t\nB\t2', 'tsv')).toEqual({
    rows: [
      [2, { name: 'A', n: 1 }],
      [3, { name: 'B', n: 2 }],
    ],
    notes: ['1: Skipped 1 column without name and content (column 3)'],
  });
  expect(readWithNotes('sep=;\nname;n\n;\nA;1').notes).toEqual(['3: Skipped 1 row of empty cells (line 3)']);
  // A column with a name, and a row with one value, are kept.
  expect(readWithNotes('name,n\nA,\n,1')).toEqual({
    rows: [
      [2, { name: 'A' }],
      [3, { n: 1 }],
    ],
    notes: [],
  });
  expect(read('csv', 'name\n \n,\n')).toEqual([{ row: null, message: 'The batch has no rows', at: 'name' }]);
});

test('reads empty cells as missing keys, and names of columns without spaces around them', () => {
  expect(read('csv', 'name, n ,on,other\nA, ,,\n" ",1, , \n')).toEqual([{ name: 'A' }, { name: ' ', n: 1 }]);
});

test('detects the kind of a file by its extension', () => {
  expect(['a.json', 'a.JSONL', 'b.ndjson', 'c.csv', 'C.TSV', 'd'].map(batchKind)).toEqual([
    'json',
    'jsonl',
    'jsonl',
    'csv',
    'tsv',
    'json',
  ]);
});

test('reads CSV like other parsers', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', '"', '\n', '\r\n'), maxLength: 6 });
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(table, (rows) => {
      const text = rows.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\r\n');
      const { records } = readCsv(text);
      expect(records.map(({ cells }) => cells.map((one) => one.text))).toEqual(
        parse(text, { relax_column_count: true }),
      );
      for (const { span } of records) expect(text.slice(span.start, span.end)).toMatch(/^"[\s\S]*"$/);
    }),
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readBatchRows(text, 'csv', declarations)));
});

/** Outputs of the rows, or their problems. */
function check(rows: readonly Record<string, unknown>[], output: string, strict = false) {
  const checked = checkBatchRows(rowsOfValues(rows), [], output, { strict });
  const errors = checked.problems.filter(({ severity }) => severity === 'error');
  return errors.length === 0
    ? checked.rows.map((row) => row.output)
    : errors.map(({ row, message }) => `${row}: ${message}`);
}

test('replaces placeholders with the number and values of the row', () => {
  expect(check([{ name: 'Zoë' }, { name: 3 }, { name: true }], 'out/{name}-{index}.mp4')).toEqual([
    'out/Zoë-0.mp4',
    'out/3-1.mp4',
    'out/true-2.mp4',
  ]);
  expect(check([{ a: 'x', b: 'y' }], './{a}/{b}.mp4')).toEqual(['./x/y.mp4']);
  expect(check([{}], 'one.mp4')).toEqual(['one.mp4']);
  expect(check([{}], '/abs/{index}.mp4')).toEqual(['/abs/0.mp4']);
});

test('rejects values that are not valid in a file name', () => {
  expect(check([{ name: 'a' }, {}, { name: null }, { name: [1] }], '{name}.mp4')).toEqual([
    '1: There is no value for "name", which the output uses as {name}; known placeholders: {index}',
    '2: "name" must be a string, a number or a boolean, because the output uses it as {name} (got null)',
    '3: "name" must be a string, a number or a boolean, because the output uses it as {name} (got an array)',
  ]);
  expect(
    check([{ name: '../../x' }, { name: 'a\\b' }, { name: '..' }, { name: '' }, { name: 'a\0' }], 'o/{name}/v.mp4'),
  ).toEqual([
    '0: "name" must not contain / or \\, because the output uses it as {name} (got "../../x")',
    '1: "name" must not contain / or \\, because the output uses it as {name} (got "a\\\\b")',
    '2: "name" must not be . or .., because the output uses it as {name} (got "..")',
    '3: "name" must not be empty, because the output uses it as {name}',
    '4: "name" must not contain control characters, because the output uses it as {name} (got "a\\u0000")',
  ]);
  expect(check([{ name: 'toString' }, {}], '{toString}.mp4')[0]).toMatch(/^0: There is no value for "toString"/);
  expect(check([{ name: 'é'.repeat(120) }], '{name}.mp4')[0]).toMatch(/is longer than 230 bytes/);
});

test('warns about names that Windows cannot have, on every system', () => {
  const warned = (rows: Record<string, unknown>[], output: string, isWindows = false) =>
    checkBatchRows(rowsOfValues(rows), [], output, { isWindows }).problems.map(
      ({ row, severity, message, path }) => `${severity} ${row} ${path.at(-1)}: ${message}`,
    );
  const names = ['CON', 'a:b', 'x?', 'Acme Inc.', 'b ', 'nul.tar', 'LPT1', 'Ann', 'console', 'com', '.a'];
  const expected = [
    '0 name: Windows cannot have a file with the name CON.mp4, which is a device there',
    '1 name: "name" contains :, which Windows does not allow in file names',
    '2 name: "name" contains ?, which Windows does not allow in file names',
    '3 name: "name" ends with a dot or a space, which Windows does not allow in file names',
    '4 name: "name" ends with a dot or a space, which Windows does not allow in file names',
    '5 name: Windows cannot have a file with the name nul.tar.mp4, which is a device there',
    '6 name: Windows cannot have a file with the name LPT1.mp4, which is a device there',
  ];
  const rows = names.map((name) => ({ name }));
  expect(warned(rows, 'o/{name}.mp4')).toEqual(expected.map((text) => `warning ${text}`));
  expect(warned(rows, 'o/{name}.mp4', true)).toEqual(expected.map((text) => `error ${text}`));
  // With the number of the row, it is not the name of a device.
  expect(warned([{ name: 'CON' }], '{name}-{index}.mp4')).toEqual([]);
  expect(warned([{ name: 'aux' }], 'o/{name}/v.mp4')).toHaveLength(1);
  expect(warned([{}], 'o/{index}|1.mp4')).toEqual([
    'warning 0 0: 0|1.mp4 contains |, which Windows does not allow in file names',
  ]);
  expect(warned([{}], 'C:\\o\\{index}.mp4', true)).toEqual([]);
});

test('reports outputs that are the same file', () => {
  expect(check([{ name: 'Anna' }, { name: 'anna' }, { name: 'Anna' }], 'o/{name}.mp4')).toEqual([
    '1: anna.mp4 and Anna.mp4 of row 1 are the same file on a disk that ignores letter case; add {index} to the output to make it unique',
    '2: Row 1 is also written to Anna.mp4; add {index} to the output to make it unique',
  ]);
  expect(check([{ name: 'e\u0301' }, { name: '\u00c9' }], '{name}.mp4')).toHaveLength(1);
  expect(check([{ a: 'x' }, { a: 'y' }], '{a}/../b.mp4')).toHaveLength(1);
  expect(check([{}, {}], 'one.mp4')).toEqual([
    '1: Every row would be written to one.mp4; add a placeholder such as {index} to the output',
  ]);
  expect(check([{ name: 'Manifest' }], 'o/{name}.json')).toEqual([
    '0: Manifest.json is reserved for the manifest of the batch',
  ]);
});

test('rejects paths outside the output folder', () => {
  expect(check([{ a: 'x' }], 'o/{a}/../../b.mp4')).toEqual(['0: "{a}/../../b.mp4" is outside the output folder o']);
  expect(readTemplate('../renders/{a}/{b}.mp4').folder).toBe('../renders');
  expect(readTemplate('{a}.mp4').folder).toBe('.');
  expect(readTemplate('/{a}.mp4').folder).toBe('/');
});

test('reports invalid values as warnings, or as errors with strict checking', () => {
  const batch = rowsOfValues([{ n: 'x' }, { n: 1 }, { m: 1 }]);
  const found = (strict: boolean) =>
    checkBatchRows(batch, declarations, '{index}.mp4', { strict }).problems.map(({ row, severity, path }) => [
      row,
      severity,
      path,
    ]);
  expect(found(false)).toEqual([
    [0, 'warning', [0, 'n']],
    [2, 'warning', [2, 'm']],
  ]);
  expect(found(true)).toEqual([
    [0, 'error', [0, 'n']],
    [2, 'error', [2, 'm']],
  ]);
});

test('names the variables of a row whose values do not fit', () => {
  const batch = rowsOfValues([{ n: 'x', on: 1, name: 'A' }, { n: 1 }, { m: 1 }, { n: null }]);
  const check = (options: object) => {
    const { rows, problems } = checkBatchRows(batch, declarations, '{index}.mp4', options);
    return [rows.map(({ misfits }) => misfits), problems.map(({ row, severity, issue }) => [row, severity, issue?.id])];
  };
  const misfits = [['n', 'on'], undefined, undefined, ['n']];
  expect(check({})).toEqual([
    misfits,
    [
      [0, 'warning', 'n'],
      [0, 'warning', 'on'],
      [2, 'warning', 'm'],
      [3, 'warning', 'n'],
    ],
  ]);
  // A key that is not declared has no effect on the video.
  expect(check({ invalidRows: 'fail' })[1]).toEqual([
    [0, 'error', 'n'],
    [0, 'error', 'on'],
    [2, 'warning', 'm'],
    [3, 'error', 'n'],
  ]);
  const common = checkBatchRows(rowsOfValues([{}, { n: 1 }]), declarations, '{index}.mp4', { common: { n: 'x' } });
  expect(common.rows.map((row) => row.misfits)).toEqual([['n'], undefined]);
});

test('warns about duplicate keys in a row', () => {
  const duplicates = (kind: BatchKind, text: string) => {
    const { rows, problems } = readBatchRows(text, kind);
    const found = problems.map(({ row, severity, code, message, span }) => {
      expect([severity, code]).toEqual(['warning', 'duplicate']);
      return { row, message, at: span.start };
    });
    return { variables: rows.map(({ variables }) => variables), found };
  };
  const message = '"n" is given again later in the row; this value has no effect';
  expect(duplicates('json', '[{"a":1},\n{"n":1,"a":2,"n":3,"n":4}]')).toEqual({
    variables: [{ a: 1 }, { n: 4, a: 2 }],
    found: [
      { row: 1, message, at: 11 },
      { row: 1, message, at: 23 },
    ],
  });
  expect(duplicates('jsonl', '{"n":1}\n{"n":1,"n":1}')).toMatchObject({ found: [{ row: 1, message, at: 9 }] });
});

test('warns about values beyond min, max and maxLength, also with strict checking', () => {
  const limited: VariableDeclaration[] = [
    { ...declared('n', 'number'), min: 1, max: 5 },
    { ...declared('name', 'string'), maxLength: 3 },
  ];
  const text = '[{"n":0,"name":"Adam"},{"n":6},{"n":5,"name":"Ada"}]';
  const found = (strict: boolean) =>
    checkBatchRows(readBatchRows(text, 'json'), limited, '{index}.mp4', { strict }).problems.map(
      ({ row, severity, message, span }) => [row, severity, message, text.slice(span.start, span.end)],
    );
  expect(found(true)).toEqual([
    [0, 'warning', 'Variable "n" should be at least 1 (got 0)', '0'],
    [0, 'warning', 'Variable "name" should be at most 3 characters long (got 4)', '"Adam"'],
    [1, 'warning', 'Variable "n" should be at most 5 (got 6)', '6'],
  ]);
  expect(found(false)).toEqual(found(true));
});

test('accepts an undeclared key that the output uses', () => {
  const batch = rowsOfValues([{ file: 'a', other: 1 }]);
  const warned = (output: string) => checkBatchRows(batch, declarations, output).problems.map(({ path }) => path);
  expect(warned('{file}.mp4')).toEqual([[0, 'other']]);
  expect(warned('{index}.mp4')).toEqual([
    [0, 'file'],
    [0, 'other'],
  ]);
});

test('lets values of a row override common values', () => {
  const options = { common: { name: 'all', n: 1 } };
  const { rows } = checkBatchRows(rowsOfValues([{}, { name: 'own' }]), declarations, '{name}.mp4', options);
  expect(rows).toEqual([
    { index: 0, variables: { name: 'all', n: 1 }, output: 'all.mp4' },
    { index: 1, variables: { name: 'own', n: 1 }, output: 'own.mp4' },
  ]);
});

test('reports a common value once, without a row, if a row uses it', () => {
  const check = (rows: Record<string, unknown>[]) =>
    checkBatchRows(rowsOfValues(rows), declarations, '{index}.mp4', { common: { n: 'x' } }).problems;
  expect(check([{}, { n: 1 }, {}])).toMatchObject([
    { code: 'variable', severity: 'warning', row: null, path: ['n'], issue: { kind: 'type-mismatch', id: 'n' } },
  ]);
  expect(check([{ n: 1 }, { n: 2 }])).toEqual([]);
});

test('replaces placeholders with common values and declared defaults', () => {
  const withDefaults: VariableDeclaration[] = [
    { ...declared('name', 'string'), default: 'Ada' },
    { ...declared('n', 'number'), default: 3 },
  ];
  const outputs = (output: string) => {
    const batch = rowsOfValues([{}, { name: 'own' }, { name: 'own', n: 1 }]);
    const { rows, problems } = checkBatchRows(batch, withDefaults, output, { common: { n: 2 } });
    return [...rows.map((row) => row.output), ...problems.map(({ row, message }) => `${row}: ${message}`)];
  };
  expect(outputs('{index}-{name}-{n}.mp4')).toEqual(['0-Ada-2.mp4', '1-own-2.mp4', '2-own-1.mp4']);
  expect(outputs('{index}-{nme}.mp4')[1]).toBe(
    '1: There is no value for "nme", which the output uses as {nme}; known placeholders: {index}, {name}, {n}',
  );
});

test('passes defaults that only the output uses to no row', () => {
  const withDefault = [{ ...declared('name', 'string'), default: 'Ada' }];
  const { rows } = checkBatchRows(rowsOfValues([{}]), withDefault, '{name}.mp4');
  expect(rows).toEqual([{ index: 0, variables: {}, output: 'Ada.mp4' }]);
});

test('lists the placeholders that have a value in every row', () => {
  const { rows } = rowsOfValues([
    { file: 'a', index: 1 },
    { file: 'b', other: 2 },
  ]);
  const withDefault = [{ ...declared('name', 'string'), default: 'Ada' }, declared('n', 'number')];
  expect(placeholderKeys(rows, withDefault)).toEqual(['name', 'file']);
});

test('finds a missing key in one row of twenty thousand', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => (i === 733 ? {} : { name: `Zoë ${i}` }));
  const text = JSON.stringify(rows, null, 1);
  const { problems } = checkBatchRows(readBatchRows(text, 'json'), declarations, 'o/{name}.mp4');
  expect(problems.map(({ row, path, span }) => [row, path, text.slice(span.start, span.end)])).toEqual([
    [733, [733], '{}'],
  ]);
});

test('accepts only distinct outputs inside the folder', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'A', 'é', 'e\u0301', '.', '/', '\\', ' ', 'ß', 'İ'),
    maxLength: 4,
  });
  const template = fc.constantFrom('o/{a}.mp4', 'o/{a}/{b}', 'o/{a}/../{b}', 'o/x{a}/./{b}.mp4', 'o/{a}/../../{b}');
  fc.assert(
    fc.property(fc.array(fc.record({ a: name, b: name }), { maxLength: 6 }), template, (rows, output) => {
      const checked = checkBatchRows(rowsOfValues(rows), [], output).rows.map((row) => row.output);
      expect(new Set(checked.map(collisionKey)).size).toBe(checked.length);
      for (const path of checked) expect(path).toMatch(/^o(?:\/(?!\.\.?(?:\/|$))[^/\\]+)+$/);
    }),
  );
});
