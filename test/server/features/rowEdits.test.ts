// Edits of the rows of a batch file: a value or whole rows, without changing the rest of the text.

import { describe, expect, test } from 'vitest';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import { type BatchKind, readBatchRows } from '../../../renderer-core/plan/batchFile.ts';
import { rowEdits } from '../../../server/features/batch/rowEdits.ts';
import { rowTable } from '../../../server/features/batch/rowTable.ts';
import type { RowChange } from '../../../server/protocol.ts';
import { batchWithCursor } from '../../support/editor/batchFile.ts';

const declarations = [
  { id: 'name', type: 'string', label: 'Name', default: '' },
  { id: 'size', type: 'number', label: 'Size', default: 3 },
] as VariableDeclaration[];

function edited(text: string, change: RowChange, kind: BatchKind = 'json'): string | undefined {
  const edits = rowEdits(text, kind, change, declarations);
  return edits
    ?.toSorted((one, other) => other.span.start - one.span.start)
    .reduce((all, { span, newText }) => all.slice(0, span.start) + newText + all.slice(span.end), text);
}
const set = (row: number, key: string, value?: unknown): RowChange => ({ kind: 'set', row, key, value });
const add: RowChange = { kind: 'add' };
const duplicate = (row: number): RowChange => ({ kind: 'duplicate', row });
const remove = (...rows: number[]): RowChange => ({ kind: 'remove', rows });

describe('JSON', () => {
  const text = '[\n  { "name": "Ada", "size": 1 },\n  {\n    "name":"Bo"\n  }\n]\n';

  test('sets and removes a value, in the style of the row', () => {
    expect(edited(text, set(0, 'size', 25))).toBe(text.replace('1', '25'));
    expect(edited(text, set(0, 'tone', 'a"b'))).toBe(text.replace('1 }', '1, "tone": "a\\"b" }'));
    expect(edited(text, set(1, 'on', true))).toBe(text.replace('"Bo"', '"Bo",\n    "on":true'));
    expect(edited(text, set(0, 'name'))).toBe(text.replace('"name": "Ada", ', ''));
    expect(edited(text, set(0, 'size'))).toBe(text.replace(', "size": 1', ''));
    expect(edited('[{"a":1,"b":2,"a":3}]', set(0, 'a'))).toBe('[{"b":2}]');
    expect(edited('{"rows":[{}]}', set(0, 'a', 1))).toBe('{"rows":[{ "a": 1 }]}');
  });

  test('adds, duplicates and removes rows', () => {
    expect(edited(text, add)).toBe(text.replace('  }\n]', '  },\n  {}\n]'));
    expect(edited(text, duplicate(0))).toBe(text.replace('1 },', '1 },\n  { "name": "Ada", "size": 1 },'));
    expect(edited(text, remove(0))).toBe('[\n  {\n    "name":"Bo"\n  }\n]\n');
    expect(edited(text, remove(1))).toBe('[\n  { "name": "Ada", "size": 1 }\n]\n');
    expect(edited('[{"a":1},{"a":2},{"a":3},{"a":4}]', remove(0, 1, 3))).toBe('[{"a":3}]');
    expect(edited('[{"a":1}]', remove(0))).toBe('[]');
    expect(edited('[]', add)).toBe('[\n  {}\n]');
    expect(edited('', add)).toBe('[\n  {}\n]\n');
  });

  test('changes nothing in invalid text or in a row that does not exist', () => {
    expect(edited('[{"a":1},', add)).toBe(undefined);
    expect(edited('[7]', set(0, 'a', 1))).toBe(undefined);
    for (const change of [set(2, 'a', 1), duplicate(2), remove(2)]) expect(edited(text, change)).toBe(undefined);
  });
});

test('edits JSON lines', () => {
  const text = '{"a":1}\r\n\r\n{"a":2}';
  expect(edited(text, set(1, 'b', 'x'), 'jsonl')).toBe('{"a":1}\r\n\r\n{"a":2, "b":"x"}');
  expect(edited(text, add, 'jsonl')).toBe(`${text}\r\n{}`);
  expect(edited(text, duplicate(0), 'jsonl')).toBe('{"a":1}\r\n{"a":1}\r\n\r\n{"a":2}');
  expect(edited(text, remove(0), 'jsonl')).toBe('\r\n{"a":2}');
  expect(edited(text, remove(1), 'jsonl')).toBe('{"a":1}\r\n');
  expect(edited('', add, 'jsonl')).toBe('{}\n');
});

test('edits CSV, with quotes where they are needed', () => {
  const text = 'name,size\nAda,1\n"B, o"\n';
  expect(edited(text, set(0, 'name', 'A "x", y'), 'csv')).toBe('name,size\n"A ""x"", y",1\n"B, o"\n');
  expect(edited(text, set(1, 'size', 4), 'csv')).toBe('name,size\nAda,1\n"B, o",4\n');
  expect(edited(text, set(1, 'tone', 'warm'), 'csv')).toBe('name,size,tone\nAda,1\n"B, o",,warm\n');
  expect(edited(text, set(0, 'size'), 'csv')).toBe('name,size\nAda,\n"B, o"\n');
  expect(edited(text, add, 'csv')).toBe('name,size\nAda,1\n"B, o"\n,3\n');
  expect(edited(text, duplicate(0), 'csv')).toBe('name,size\nAda,1\nAda,1\n"B, o"\n');
  expect(edited(text, remove(0, 1), 'csv')).toBe('name,size\n');
});

test('keeps a row of CSV visible that would have only empty cells', () => {
  const text = 'name,size\nAda,\nBo\n,4';
  expect(edited(text, set(0, 'name'), 'csv')).toBe('name,size\n,3\nBo\n,4');
  expect(edited(text, set(1, 'name'), 'csv')).toBe('name,size\nAda,\n,3\n,4');
  expect(edited(text, set(2, 'size'), 'csv')).toBe('name,size\nAda,\nBo\n,3');
  expect(edited('name\nAda\n', set(0, 'name'), 'csv')).toBe('name\n?\n');
  expect(edited('name', add, 'csv')).toBe('name\n?');
});

test('edits rows of spreadsheets with other separators and empty rows', () => {
  const text = 'sep=;\n;;\nname;;size\n;;\nAda;;1\n;;\nBo\n';
  expect(edited(text, set(1, 'name', 'B; o'), 'csv')).toBe(text.replace('Bo', '"B; o"'));
  expect(edited(text, set(1, 'size', 2), 'csv')).toBe(text.replace('Bo', 'Bo;;2'));
  expect(edited(text, set(0, 'tone', 'a,b'), 'csv')).toBe(
    text.replace('name;;size', 'name;;size;tone').replace('Ada;;1', 'Ada;;1;a,b'),
  );
  expect(edited(text, add, 'csv')).toBe(`${text}`.replace('Bo\n', 'Bo\n;;3\n'));
  expect(edited(text, remove(1), 'csv')).toBe(text.replace('Bo\n', ''));
  expect(edited('name\tsize\nAda\t1\n', set(0, 'name', 'A\tb'), 'tsv')).toBe('name\tsize\n"A\tb"\t1\n');
});

test('an edited value is read again', () => {
  for (const value of ['', 'a', '1,2', 'quote " and\nline', '\u2028 ü 🙂'])
    for (const [kind, text] of [
      ['json', '[{"a":"x","b":1}]'],
      ['jsonl', '{"a":"x","b":1}'],
      ['csv', 'a,b\nx,1'],
      ['csv', 'sep=;\na;b\nx;1'],
      ['tsv', 'a\tb\nx\t1'],
    ] as const) {
      const { rows } = readBatchRows(edited(text, set(0, 'a', value), kind) ?? '', kind);
      expect(rows[0]?.variables.a ?? '').toBe(value);
      expect(String(rows[0]?.variables.b)).toBe('1');
    }
});

test('lists rows with the problems of their cells, and the paths of their videos', () => {
  const card = `<div data-composition-id="card" data-composition-variables='[
{"id":"name","type":"string","label":"Name","default":"Ada"},
{"id":"size","type":"number","label":"Size","default":3,"max":9}]'></div>`;
  const table = (rows: string, output: string) =>
    rowTable(batchWithCursor(`=== card.rows.json\n${rows}\n=== card.html\n${card}`).batch, output);
  expect(table('[{"name":"Bo","slug":"b"}, {"size":"x","nme":1,"slug":"c"}, 7, {}]', 'o/{slug}.mp4')).toEqual({
    others: ['slug', 'nme'],
    rows: [
      { index: 0, values: { name: 'Bo', slug: 'b' }, output: 'o/b.mp4', problems: [] },
      {
        ...{ index: 1, values: { size: 'x', nme: 1, slug: 'c' }, output: 'o/c.mp4', isInvalid: true },
        problems: [
          { key: 'size', message: expect.stringContaining('must be a number'), isError: false },
          { key: 'nme', message: expect.stringContaining('not declared'), isError: false },
        ],
      },
      {
        index: 2,
        values: {},
        problems: [{ key: null, message: expect.stringContaining('must be an object'), isError: true }],
      },
      { index: 3, values: {}, problems: [{ key: null, message: expect.stringContaining('{slug}'), isError: true }] },
    ],
    problems: [],
  });
  expect(table('[\n{"a":}]', '{index}.mp4')).toMatchObject({ rows: [], problems: [{ line: 2, isError: true }] });
});

test('lists rows of a spreadsheet without the empty ones, and a note', () => {
  const card = `<div data-composition-id="card" data-composition-variables='[
{"id":"name","type":"string","label":"Name","default":"Ada"}]'></div>`;
  const { batch } = batchWithCursor(`=== card.rows.csv\nsep=;\nname;\n;\nBo;\n=== card.html\n${card}`);
  expect(rowTable(batch, '{index}.mp4')).toEqual({
    others: [],
    rows: [{ index: 0, values: { name: 'Bo' }, output: '0.mp4', problems: [] }],
    problems: [{ line: 3, message: expect.stringMatching(/^Skipped 1 row/), isError: false }],
  });
});
