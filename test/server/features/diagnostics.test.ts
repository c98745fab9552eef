// Findings as diagnostics of the protocol.
import { expect, test } from 'vitest';
import { lintFile } from '../../../renderer-core/lint/lintFile.ts';
import { defaultSettings } from '../../../renderer-core/lint/settings.ts';
import { diagnostics } from '../../../server/features/diagnostics.ts';
import { fileWithCursor } from '../../support/editor/sourceFile.ts';

function check(source: string) {
  const { file } = fileWithCursor(source);
  return diagnostics(
    file,
    lintFile(file.project, file.path, defaultSettings),
    (rule) => `https://docs.example/${rule}`,
  );
}

const variables = `'[{"id":"title","type":"string","label":"Title","default":"Hello"}]'`;
const root = (body: string, attributes = '') =>
  `<div data-composition-id="main" data-width="9" data-height="9" data-duration="9" ${attributes}>${body}</div>`;

test('converts severity, range, code and documentation link', () => {
  expect(check(root('\n<p data-start="a b"></p>'))).toMatchObject([
    {
      severity: 1,
      source: 'framework',
      code: 'invalid-start',
      codeDescription: { href: 'https://docs.example/invalid-start' },
      range: { start: { line: 1, character: 15 }, end: { line: 1, character: 18 } },
    },
  ]);
});

test('tags unused code as unnecessary', () => {
  expect(check(root('', `data-composition-variables=${variables}`))).toMatchObject([
    { severity: 3, code: 'unused-variable', tags: [1] },
  ]);
});

test('includes related locations, also in other files', () => {
  const found = check(`=== index.html
${root(`<div data-composition-src="card.html" data-variable-values='{"titel":"A"}'></div>`)}
=== card.html
${root('<h1 data-var-text="title"></h1>', `data-composition-variables=${variables}`)}
`);
  const card = 'file:///project/card.html';
  expect(found.find(({ code }) => code === 'undeclared-value')).toMatchObject({
    relatedInformation: [{ location: { uri: card, range: { start: { line: 0 } } } }],
  });
});
