import { expect, test } from 'vitest';
import { fontArguments, requestIn } from '../../../client/fonts/fontRequest.ts';

test.each([
  [
    { uri: 'file:///a.html', font: 'DM Sans' },
    { uri: 'file:///a.html', font: 'DM Sans' },
  ],
  [{ uri: 5, font: '' }, {}],
  [undefined, {}],
  ['DM Sans', {}],
])('reads the argument %j', (given, expected) => {
  expect(requestIn(given)).toEqual(expected);
});

test.each([
  ['DM Sans', ['fonts', 'add', 'DM Sans']],
  ['M PLUS 1p', ['fonts', 'add', 'M PLUS 1p']],
  ['--registry=https://example.com', undefined],
  ['../secret', undefined],
  ['', undefined],
])('adds the font %j with %j', (font, expected) => {
  expect(fontArguments(font)).toEqual(expected);
});
