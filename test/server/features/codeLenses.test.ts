// Code lenses above the root composition.
import { expect, test } from 'vitest';
import { codeLenses } from '../../../server/features/codeLenses.ts';
import { filesOf } from '../../support/editor/markup.ts';
import { sourceFile } from '../../support/editor/sourceFile.ts';

function lenses(source: string, path = 'index.html'): string[] {
  const files = filesOf(source);
  const file = sourceFile(files, path);
  return file ? codeLenses(file, files.get('framework.json') ?? null).map(({ command }) => command?.title ?? '') : [];
}

const root = (body = '', attributes = '') => `<div data-composition-id="main" ${attributes}>${body}</div>`;

test('offers to render a composition', () => {
  expect(lenses(`=== index.html\n${root()}`)).toEqual(['Render']);
});

test('offers to render with variables if there are any', () => {
  const attributes = `data-composition-variables='[{"id":"a","type":"string","label":"A","default":""}]'`;
  expect(lenses(`=== index.html\n${root('', attributes)}`)).toEqual(['Render', 'Render…']);
});

test.each([
  ['with its name', `=== card.rows.csv\n`, 'card.html'],
  ['of the entry', `=== data/rows.json\n`, 'index.html'],
  ['in the manifest', `=== people.jsonl\n=== framework.json\n{"batches":{"people.jsonl":"card.html"}}\n`, 'card.html'],
])('offers the rows of a batch file %s', (_, batch, composition) => {
  const source = `=== card.html\n${root()}\n=== index.html\n${root()}\n=== data.json\n${batch}`;
  const other = composition === 'card.html' ? 'index.html' : 'card.html';
  expect(lenses(source, composition)).toEqual(['Render', 'Render Rows…']);
  expect(lenses(source, other)).toEqual(['Render']);
});

test('opens the rows of the first batch file', () => {
  const file = sourceFile(filesOf(`=== index.html\n${root()}\n=== a.rows.csv\n=== b.rows.csv\n`), 'index.html');
  expect(file && codeLenses(file, null)[1]?.command).toEqual({
    title: 'Render Rows…',
    command: 'framework.renderRows',
    arguments: [{ uri: 'file:///project/a.rows.csv' }],
  });
});

test('counts users by file and shows each location', () => {
  const host = '<div data-composition-src="card.html"></div>';
  const source = `=== card.html\n${root()}\n=== one.html\n${root(host + host)}\n=== two.html\n${root(host)}\n`;
  expect(lenses(source, 'card.html')).toEqual(['Render', 'Used by 2 files']);
  const file = sourceFile(filesOf(source), 'card.html');
  const [, users] = file ? codeLenses(file, null) : [];
  expect(users?.command?.arguments?.[0].files).toBe(2);
  expect(users?.command?.arguments?.[0].locations.map(({ uri }: { uri: string }) => uri)).toEqual([
    'file:///project/one.html',
    'file:///project/one.html',
    'file:///project/two.html',
  ]);
});

test('offers nothing in a file without a root', () => {
  expect(lenses('=== index.html\n<p data-composition-variables="[]"></p>')).toEqual([]);
});
