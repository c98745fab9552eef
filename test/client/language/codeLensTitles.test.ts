// Titles of code lenses, which the client builds from commands and counts.
import { expect, test, vi } from 'vitest';
import { codeLensTitle } from '../../../client/language/codeLensTitles.ts';
import { batchLenses } from '../../../server/features/batch/batchLenses.ts';
import { codeLenses } from '../../../server/features/codeLenses.ts';
import { batchWithCursor } from '../../support/editor/batchFile.ts';
import { filesOf } from '../../support/editor/markup.ts';
import { sourceFile } from '../../support/editor/sourceFile.ts';

vi.mock('vscode', () => import('../../support/editor/vscodeWords.ts'));

const variables = `data-composition-variables='[{"id":"a","type":"string","label":"A","default":""}]'`;
const host = '<div data-composition-src="card.html"></div>';
const main = (body: string) => `<div data-composition-id="main">${body}</div>`;

test.each([
  [
    '1 file',
    `=== card.html\n<div data-composition-id="main" ${variables}></div>\n=== a.html\n${main(host)}\n=== card.rows.csv\n`,
  ],
  ['2 files', `=== card.html\n${main('')}\n=== a.html\n${main(host)}\n=== b.html\n${main(host)}\n`],
])('builds the titles that the server has in English, for a composition that %s use', (_, source) => {
  const file = sourceFile(filesOf(source), 'card.html');
  const commands = file ? codeLenses(file, null).flatMap(({ command }) => command ?? []) : [];
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.map(codeLensTitle)).toEqual(commands.map(({ title }) => title));
  // The title does not depend on the server's sentence.
  expect(commands.map((command) => codeLensTitle({ ...command, title: '' }))).toEqual(
    commands.map(({ title }) => title),
  );
});

test.each([
  ['[{"a":"1"}]', ['Render Rows…', 'Render the row', 'Render this row']],
  ['[{"a":"1"},{"a":"2"}]', ['Render Rows…', 'Render all 2 rows', 'Render this row', 'Render this row']],
])('builds the titles of the rows %s', (rows, titles) => {
  const { batch } = batchWithCursor(
    `=== index.rows.json\n${rows}\n=== index.html\n<div data-composition-id="main" ${variables}></div>\n`,
  );
  const commands = batchLenses(batch).flatMap(({ command }) => command ?? []);
  expect(commands.map((command) => codeLensTitle({ ...command, title: '' }))).toEqual(titles);
  expect(commands.map(({ title }) => title)).toEqual(titles);
});

test.each([
  'another.command',
  'framework.renderBatch',
  'framework.showReferences',
])('keeps the title of %s without counts', (command) =>
  expect(codeLensTitle({ command, title: 'As it is' })).toBe('As it is'));
