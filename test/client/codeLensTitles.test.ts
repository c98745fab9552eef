// Without a translation, lenses read as the language server writes them.
import { expect, test, vi } from 'vitest';
import { lensTitle } from '../../client/lensWords.ts';
import { codeLenses } from '../../server/features/codeLenses.ts';
import { filesOf } from '../support/markup.ts';
import { sourceFile } from '../support/sourceFile.ts';

vi.mock('vscode', () => import('../support/vscodeWords.ts'));

const variables = `data-composition-variables='[{"id":"a","type":"string","label":"A","default":""}]'`;
const host = '<div data-composition-src="card.html"></div>';
const main = (body: string) => `<div data-composition-id="main">${body}</div>`;

test.each([
  ['1 file', `=== card.html\n<div data-composition-id="main" ${variables}></div>\n=== a.html\n${main(host)}\n`],
  ['2 files', `=== card.html\n${main('')}\n=== a.html\n${main(host)}\n=== b.html\n${main(host)}\n`],
])('of a composition that %s use', (_, source) => {
  const file = sourceFile(filesOf(source), 'card.html');
  const commands = file ? codeLenses(file).flatMap(({ command }) => command ?? []) : [];
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.map(lensTitle)).toEqual(commands.map(({ title }) => title));
});

test.each([
  ['framework.renderBatch', 'Render the row'],
  ['framework.renderBatch', 'Render all 12 rows'],
  ['framework.renderRow', 'Render this row'],
  ['another.command', 'As it is'],
])('%s: %s', (command, title) => expect(lensTitle({ command, title })).toBe(title));
