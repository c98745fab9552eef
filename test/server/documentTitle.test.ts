// The titles of documents that name a composition better than its file.
import { expect, test } from 'vitest';
import { parseComposition } from '../../renderer-core/model/composition.ts';
import { documentTitle } from '../../server/compositionInfo.ts';

const titleOf = (head: string, path = 'index.html') =>
  documentTitle(parseComposition(`<!doctype html><html><head>${head}</head><body></body></html>`), path);

test.each([
  ['<title>Speaker cards</title>', 'Speaker cards'],
  ['<title>\n  Q&amp;A with\n  Ada\n</title>', 'Q&A with Ada'],
  ['<meta charset="utf-8"><title>Untitled dreams</title>', 'Untitled dreams'],
])('uses %j', (head, title) => expect(titleOf(head)).toBe(title));

test.each([
  '',
  '<title> </title>',
  '<title>Document</title>',
  '<title>untitled</title>',
  '<title>index.html</title>',
])('ignores %j', (head) => expect(titleOf(head)).toBeUndefined());

test('ignores the name of the file', () => {
  expect(titleOf('<title>card</title>', 'parts/card.html')).toBeUndefined();
  expect(titleOf('<title>card</title>', 'parts/other.html')).toBe('card');
});

test('ignores the titles of drawings and of templates', () => {
  expect(titleOf('<template><title>Part</title></template>')).toBeUndefined();
  expect(documentTitle(parseComposition('<svg><g><title>Arrow</title></g></svg>'), 'a.html')).toBeUndefined();
});
