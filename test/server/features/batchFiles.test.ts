// Language features of batch files: which files are batches, their problems, completion, hover, definition and lenses.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { DiagnosticSeverity, TextEdit } from 'vscode-languageserver-types';
import { batchDiagnostics } from '../../../server/features/batch/batchDiagnostics.ts';
import { batchDefinition, completeBatch, hoverBatch } from '../../../server/features/batch/batchLanguage.ts';
import { batchLenses } from '../../../server/features/batch/batchLenses.ts';
import { batchTarget, looksLikeRows } from '../../../server/features/batch/batchTarget.ts';
import { manifestDiagnostics } from '../../../server/features/diagnostics.ts';
import { batchWithCursor } from '../../support/editor/batchFile.ts';
import { mark } from '../../support/editor/markup.ts';

const card = `<div data-composition-id="card" data-composition-variables='[
{"id":"name","type":"string","label":"Name","default":"Ada"},
{"id":"size","type":"number","label":"Size","default":3,"max":9},
{"id":"tone","type":"enum","label":"Tone","options":[{"value":"warm","label":"Warm"},{"value":"cold","label":"Cold"}],"default":"warm"}]'></div>
`;

const withCard = (path: string, rows: string) => batchWithCursor(`=== ${path}\n${rows}\n=== card.html\n${card}`);

describe('batchTarget', () => {
  const compositions = ['index.html', 'card.html', 'card-dark.html', 'scenes/card.html', 'scenes/deep/intro.html'];
  const target = (path: string, manifest: string | null = null) =>
    batchTarget(path, manifest, compositions)?.composition;

  test.each([
    ['rows.json', 'index.html'],
    ['batch.jsonl', 'index.html'],
    ['data/Rows.CSV', 'index.html'],
    ['card.rows.json', 'card.html'],
    ['scenes/card.batch.json', 'scenes/card.html'],
    ['data/card.rows.json', 'card.html'],
    ['card-dark.rows.json', 'card-dark.html'],
    ['card-anna.rows.json', 'card.html'],
    ['intro.rows.csv', 'scenes/deep/intro.html'],
    ['card.batch.tsv', 'card.html'],
    ['cardigan.rows.json', 'index.html'],
  ])('assigns %s to %s', (path, expected) => expect(target(path)).toBe(expected));

  test.each([
    'package.json',
    'manifest.json',
    'batch-manifest.json',
    'arrows.json',
    'rows.json.bak',
    'rows.txt',
  ])('does not treat %s as a batch', (path) => expect(target(path)).toBe(undefined));

  test('prefers the manifest to the file name', () => {
    const manifest = '{"batches": {"./people.json": "./card.html", "rows.json": "gone.html", "n.json": 1}}';
    expect(['people.json', 'rows.json', 'n.json', 'batch.json'].map((path) => target(path, manifest))).toEqual([
      'card.html',
      'gone.html',
      undefined,
      'index.html',
    ]);
    expect(target('people.json', '{"batches": [')).toBe(undefined);
  });

  test('reports invalid batches in the manifest', () => {
    const check = (text: string) =>
      manifestDiagnostics(text).map(({ range, message }) => {
        const document = TextDocument.create('file:///framework.json', 'json', 1, text);
        return [document.getText(range), message];
      });
    expect(check('{"batches": {"people.json": "card.html"}}')).toEqual([]);
    expect(check('\uFEFF{"batches": ["people.json"]}')).toEqual([
      ['["people.json"]', expect.stringContaining('must be an object')],
    ]);
    expect(check('{"batches": {"a.json": 1, "b.json": null}}')).toEqual([
      ['1', expect.stringContaining('"a.json" must be a path')],
      ['null', expect.stringContaining('"b.json" must be a path')],
    ]);
  });

  test('returns nothing without a composition', () => expect(batchTarget('rows.json', null, [])).toBe(undefined));

  test('requires row-like content if only the name makes a file a batch', () => {
    const json = ['', '[', '[ {"a":1}]', '[]', '{"rows"', '{"count":1,"rows":[]}', '[1]', '{"rows_":1}', '"x"', '[[]]'];
    expect(json.map((text) => looksLikeRows(text, 'json'))).toEqual(json.map((_, index) => index < 6));
    expect(['{"a":1}\n', '\n\n', '[1]'].map((text) => looksLikeRows(text, 'jsonl'))).toEqual([true, true, false]);
  });
});

describe('problems', () => {
  function check(path: string, rows: string, expected: [marked: string, message: RegExp][]) {
    const { batch } = withCard(path, rows);
    const text = batch.document.getText();
    const found = batchDiagnostics(batch);
    const marks = found.map(({ range }) =>
      mark(text, [{ start: batch.document.offsetAt(range.start), end: batch.document.offsetAt(range.end) }]).trim(),
    );
    expect(marks).toEqual(expected.map(([marked]) => marked));
    for (const [index, [, message]] of expected.entries()) expect(found[index]?.message).toMatch(message);
  }

  test('reports invalid values and undeclared keys', () => {
    check('card.rows.json', '[{"name":"Bo","size":4,"tone":"cold"}]', []);
    check('card.rows.json', '[{"name":"Bo"},{"size":"4","nme":1}]', [
      ['[{"name":"Bo"},{"size":«"4"»,"nme":1}]', /must be a number.*without quotes/],
      ['[{"name":"Bo"},{"size":"4",«"nme"»:1}]', /not declared.*"name"/],
    ]);
    check('card.rows.json', '{"rows":[{"tone":"wram"}]}', [['{"rows":[{"tone":«"wram"»}]}', /"warm"/]]);
  });

  test('reports invalid JSON and rows that are not objects', () => {
    check('card.rows.json', '[{"name":"Bo"},]', [['[{"name":"Bo"},«]»', /comma/]]);
    check('card.rows.json', '[{}, 4]', [['[{}, «4»]', /must be an object/]]);
    check('card.rows.jsonl', '{}\n{"size":true}\n', [['{}\n{"size":«true»}', /must be a number/]]);
  });

  test('reports duplicate keys and values beyond a limit', () => {
    check('card.rows.json', '[{"size":1,"size":2}]', [['[{«"size"»:1,"size":2}]', /given again later/]]);
    check('card.rows.jsonl', '{"size":10}', [['{"size":«10»}', /should be at most 9/]]);
  });

  test('reports a wrong CSV column once', () => {
    check('card.rows.csv', 'nme,size\nBo,4\nCy,x', [
      ['«nme»,size\nBo,4\nCy,x', /not declared/],
      ['nme,size\nBo,4\nCy,«x»', /must be a number/],
    ]);
  });

  test('notes once which empty rows and columns of a spreadsheet are skipped', () => {
    const text = 'sep=;\nname;;size\n;;\nBo;;4\n;;\n';
    check('card.rows.csv', text, [
      [
        'sep=;\nname;;size\n«;;»\nBo;;4\n;;',
        /^Skipped 2 rows of empty cells \(lines 3, 5\) and 1 column without name and content \(column 2\)$/,
      ],
    ]);
    expect(batchDiagnostics(withCard('card.rows.csv', text).batch)).toMatchObject([
      { severity: DiagnosticSeverity.Information, code: 'batch-skipped' },
    ]);
    check('card.rows.tsv', 'name\tsize\nBo\tx', [['name\tsize\nBo\t«x»', /must be a number/]]);
  });

  test('limits the number of problems in a long file', () => {
    const { batch } = withCard('card.rows.jsonl', '{"size":"x"}\n'.repeat(3000));
    const found = batchDiagnostics(batch);
    expect(found).toHaveLength(500);
    expect(found.at(-1)?.message).toMatch(/\(2500 more problems not shown\)$/);
  });

  test('reports a composition that does not exist', () => {
    const manifest = '=== framework.json\n{"batches":{"people.json":"gone.html"}}';
    const { batch } = batchWithCursor(`=== people.json\n[{"a":1}]\n${manifest}`);
    expect(batchDiagnostics(batch)).toMatchObject([
      { severity: 1, message: expect.stringMatching(/framework.json.*gone.html/) },
    ]);
    expect(batchLenses(batch)).toEqual([]);
  });
});

describe('rows', () => {
  async function labels(path: string, rows: string): Promise<string[]> {
    const { batch, offset } = withCard(path, rows);
    return (await completeBatch(batch, offset)).map(({ label }) => label);
  }

  test('completes keys and values', async () => {
    expect(await labels('card.rows.json', '[{"name":"Bo",|}]')).toEqual(['size', 'tone']);
    expect(await labels('card.rows.json', '{"rows":[{"tone":|}]}')).toEqual(
      expect.arrayContaining(['"cold"', '"warm"']),
    );
    expect(await labels('card.rows.jsonl', '{}\n{"|"}\n{}')).toEqual(['name', 'size', 'tone']);
    expect(await labels('card.rows.json', '[|]')).toContain('all variables');
    expect(await labels('card.rows.json', '{"|"}')).toContain('rows');
    expect(await labels('card.rows.csv', 'na|')).toEqual([]);
  });

  test('inserts the chosen item at the cursor, also in later lines', async () => {
    const { batch, offset } = withCard('card.rows.jsonl', '{"size":1}\n{"siz|"}');
    const item = (await completeBatch(batch, offset)).find(({ label }) => label === 'size');
    if (!item?.textEdit || !TextEdit.is(item.textEdit)) throw new Error('size is not offered');
    const text = TextDocument.applyEdits(batch.document, [item.textEdit]);
    expect(text.replace(/\$\{1:3\}|\$1/, '|').trim()).toBe('{"size":1}\n{"size": |}');
  });

  test('describes variables in hovers', async () => {
    const at = async (path: string, rows: string) => {
      const { batch, offset } = withCard(path, rows);
      const found = await hoverBatch(batch, offset);
      return found && { text: JSON.stringify(found.contents), on: batch.document.getText(found.range) };
    };
    expect(await at('card.rows.json', '[{"si|ze":4}]')).toMatchObject({
      text: expect.stringContaining('Size'),
      on: '"size"',
    });
    expect(await at('card.rows.jsonl', '{}\n{"tone":"co|ld"}')).toMatchObject({
      text: expect.stringContaining('Tone'),
      on: '"cold"',
    });
    expect(await at('card.rows.json', '[{"si|ze_":4}]')).toBe(null);
  });

  test('goes from a key to the declaration', () => {
    const at = (path: string, rows: string) => {
      const { batch, offset } = withCard(path, rows);
      return batchDefinition(batch, offset).map(({ originSelectionRange, targetUri, targetSelectionRange }) => [
        batch.document.getText(originSelectionRange),
        targetUri,
        batch.target?.document.getText(targetSelectionRange),
      ]);
    };
    const size = ['file:///project/card.html', '"size"'];
    expect(at('card.rows.json', '[{"name":"A"},{"si|ze":4}]')).toEqual([['"size"', ...size]]);
    expect(at('card.rows.jsonl', '{}\n{"size":4|}')).toEqual([['4', ...size]]);
    expect(at('card.rows.csv', 'name,size\nBo,|12')).toEqual([['12', ...size]]);
    expect(at('card.rows.json', '[{"other|":4}]')).toEqual([]);
  });
});

describe('lenses', () => {
  const lenses = (rows: string) => batchLenses(withCard('card.rows.json', rows).batch);

  test('offers to render all rows or one', () => {
    const uri = 'file:///project/card.rows.json';
    const found = lenses('[\n{"name":"A"},\n{"name":"B"}\n]').map(({ command, range }) => [
      command?.title,
      command?.command,
      command?.arguments,
      range.start.line,
    ]);
    expect(found).toEqual([
      ['Render Rows…', 'framework.renderRows', [{ uri }], 0],
      ['Render all 2 rows', 'framework.renderBatch', [{ uri, rows: 2 }], 0],
      ['Render this row', 'framework.renderRow', [{ uri, row: 0 }], 1],
      ['Render this row', 'framework.renderRow', [{ uri, row: 1 }], 2],
    ]);
    expect(lenses('[]').map(({ command }) => command?.title)).toEqual(['Render Rows…']);
  });

  test('limits the lenses in long files', () => {
    const many = (count: number) => `[${Array.from({ length: count }, () => '{}').join()}]`;
    expect([499, 2000, 2001].map((count) => lenses(many(count)).length)).toEqual([501, 502, 202]);
  });
});

test('never throws, for any text', async () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '"rows"',
    '"size"',
    ':',
    ',',
    '\n',
    '\r',
    '\uFEFF',
    '1',
    'é',
    '\\u',
  );
  const path = fc.constantFrom('card.rows.json', 'card.rows.jsonl', 'card.rows.csv');
  const rows = fc.oneof(
    fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(path, rows, fc.nat(14), async (name, text, at) => {
      const { batch } = withCard(name, text.replaceAll('|', '').replaceAll('===', ''));
      for (const { range } of [...batchDiagnostics(batch), ...batchLenses(batch)])
        expect(batch.document.offsetAt(range.end)).toBeLessThanOrEqual(batch.document.getText().length);
      batchDefinition(batch, at);
      await hoverBatch(batch, at);
      await completeBatch(batch, at);
    }),
  );
});
