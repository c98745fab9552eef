// Document links, colors, folding and selection inside Framework attributes.

import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { colorPresentations, colors } from '../../../server/features/colors.ts';
import { documentLinks } from '../../../server/features/navigation/documentLinks.ts';
import { foldingRanges } from '../../../server/features/navigation/folding.ts';
import { type SourceFile, spanOf } from '../../../server/features/sourceFile.ts';
import { filesOf, mark, marked } from '../../support/editor/markup.ts';
import { fileWithCursor } from '../../support/editor/sourceFile.ts';

/** The first file of a project; its text with marks must equal `expected`. */
function fileOf(source: string): { file: SourceFile; expected: string } {
  const isProject = source.startsWith('=== ');
  const expected = isProject ? [...filesOf(source).values()][0] : source;
  const { file } = fileWithCursor(marked(source).text);
  return { file, expected: expected ?? '' };
}

describe('links', () => {
  function check(source: string, targets: string[]): void {
    const { file, expected } = fileOf(source);
    const links = documentLinks(file);
    expect(
      mark(
        file.composition.text,
        links.map(({ range }) => spanOf(file, range)),
      ),
    ).toBe(expected);
    expect(links.map(({ target }) => target)).toEqual(targets.map((path) => `file:///project/${path}`));
  }

  test('cover hosts and values that are paths, but not what the HTML server links', () => {
    check(
      `=== index.html
<html data-composition-variables='[{"id":"photo","type":"string","label":"c.png","default":"«img/c.png»"},{"id":"none","type":"string","default":"img/none.png"}]'>
<div data-composition-id="main"><img src="img/c.png"><i data-composition-src="«parts/card.html»" data-variable-values='{"logo":"«../img/c.png»"}'></i>
<i data-composition-src="parts/none.html"></i></div></html>
=== img/c.png
=== parts/card.html
<div data-composition-id="card"></div>
`,
      ['img/c.png', 'parts/card.html', 'img/c.png'],
    );
  });
});

describe('colors', () => {
  function check(source: string): void {
    const { file, expected } = fileOf(source);
    expect(
      mark(
        file.composition.text,
        colors(file).map(({ range }) => spanOf(file, range)),
      ),
    ).toBe(expected);
  }

  test('cover defaults and values of color variables', () => {
    check(`=== index.html
<html data-composition-variables='[{"id":"a","type":"color","default":"«#FF8000»"},{"id":"b","type":"string","default":"#ff8000"},{"id":"c","type":"color","default":"red"}]'>
<div data-composition-id="main"><b data-composition-id="part" data-variable-values='{"a":"«#000000»","b":"#000000"}'></b>
<i data-composition-src="card.html" data-variable-values="{&quot;tint&quot;:&quot;«#0000ff»&quot;,&quot;a&quot;:&quot;#0000ff&quot;}"></i></div></html>
=== card.html
<div data-composition-id="card" data-composition-variables='[{"id":"tint","type":"color"}]'></div>
`);
  });

  test.each([
    ['#FF8000', '#0033FF'],
    ['#ff8000', '#0033ff'],
    ['#008000', '#0033ff'],
  ])('replaces %s by %s', (before, after) => {
    const page = (color: string) =>
      `<div data-composition-id="m" data-composition-variables='[{"id":"a","type":"color","default":"${color}"}]'></div>`;
    const { file } = fileWithCursor(page(before));
    const [found] = colors(file);
    if (!found) throw new Error('no color');
    expect(found.color).toEqual({
      red: Number.parseInt(before.slice(1, 3), 16) / 255,
      green: 128 / 255,
      blue: 0,
      alpha: 1,
    });
    const [presentation] = colorPresentations(file, { red: 0, green: 0.2, blue: 1, alpha: 1 }, found.range);
    expect(presentation?.label).toBe(after);
    const edits = presentation?.textEdit ? [presentation.textEdit] : [];
    expect(TextDocument.applyEdits(file.document, edits)).toBe(page(after));
  });
});

test('folds arrays and objects that span lines', () => {
  const { file } = fileWithCursor(`<html
  data-composition-variables='[
    {"id":"a",
     "type":"enum",
     "options":[
       {"value":"x","label":"X"},
       {"value":"y","label":"Y"}
     ]
    },
    {"id":"b","type":"string"}
  ]'><div data-composition-id="m"><video data-color-grading='{
  "preset":"warm"
}'></video></div></html>`);
  expect(foldingRanges(file).map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
    [1, 9],
    [2, 7],
    [4, 6],
    [10, 11],
  ]);
});
