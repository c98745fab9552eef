// Diagnostics through the real process: asked for, sent, and what other files have to do with them.
import { expect, test } from 'vitest';
import { workspace } from '../support/workspace.ts';

const clean = '<div data-composition-id="main" data-width="640" data-height="360" data-duration="5"></div>\n';
const wrongStart =
  '<div data-composition-id="main" data-width="640" data-height="360" data-duration="5"><p data-start="soon or late">a</p></div>\n';

test('a pull gives what is wrong now', async () => {
  const { openPath } = await workspace(`=== index.html\n${wrongStart}`);
  const file = await openPath('index.html');
  expect(await file.diagnostics()).toMatchObject([{ source: 'framework', code: 'invalid-start', severity: 1 }]);
  await file.replace('soon or late', '1');
  expect(await file.diagnostics()).toEqual([]);
});
