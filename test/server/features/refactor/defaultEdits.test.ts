// Draft values written into the declarations as defaults, compared after the edit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultEdits } from '../../../../server/features/refactor/defaultEdits.ts';
import { sourceFile } from '../../../support/editor/sourceFile.ts';
import { applied } from '../../../support/editor/workspaceEdit.ts';

const body = '<div data-composition-id="main"></div>';
const page = (declarations: string, quote = "'") =>
  `<html data-composition-variables=${quote}${declarations}${quote}><body>${body}</body></html>`;

/** The declarations after the edit, and the IDs that could not be written. */
function written(declarations: string, values: Record<string, unknown>, quote = "'") {
  const source = page(declarations, quote);
  const file = sourceFile(new Map([['index.html', source]]), 'index.html');
  if (!file) throw new Error('no composition');
  const { edits, left } = defaultEdits(file, values);
  const text = applied(source, { changes: { [file.uri]: edits } });
  return { declarations: text.slice(text.indexOf(quote) + 1, text.lastIndexOf(`${quote}><body>`)), left };
}

test('replaces the default and keeps the formatting', () => {
  const before =
    '[\n  { "id": "a",  "type":"string", "label":"A" , "default": "x" },\n  { "id": "b", "type": "number", "default":1 }\n]';
  expect(written(before, { a: 'y', b: 2.5 })).toEqual({
    declarations: before.replace('"x"', '"y"').replace('"default":1', '"default":2.5'),
    left: [],
  });
});

test('adds a default in the style of the other fields', () => {
  expect(written('[{ "id": "a", "type": "boolean" }]', { a: false }).declarations).toBe(
    '[{ "id": "a", "type": "boolean", "default": false }]',
  );
});

test('escapes the quotes of the attribute and of JSON', () => {
  expect(written('[{"id":"a","type":"string","default":""}]', { a: `it's "so" & <b>` }).declarations).toBe(
    String.raw`[{"id":"a","type":"string","default":"it&#39;s \"so\" & <b>"}]`,
  );
  const escaped = '[{&quot;id&quot;:&quot;a&quot;,&quot;type&quot;:&quot;string&quot;}]';
  expect(written(escaped, { a: 'x' }, '"').declarations).toBe(
    '[{&quot;id&quot;:&quot;a&quot;,&quot;type&quot;:&quot;string&quot;,&quot;default&quot;:&quot;x&quot;}]',
  );
});

test('returns IDs that are not declared or have invalid values', () => {
  const declarations =
    '[{"id":"n","type":"number","default":1},{"id":"e","type":"enum","default":"a","options":[{"value":"a","label":"A"}]}]';
  expect(written(declarations, { n: 'two', e: 'b', ghost: 1 })).toEqual({ declarations, left: ['n', 'e', 'ghost'] });
});

test('reads back any string that it writes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom("'", '"'), (text, quote) => {
      const json = '[{"id":"a","type":"string","default":""}]';
      const source = page(quote === '"' ? json.replaceAll('"', '&quot;') : json, quote);
      const file = sourceFile(new Map([['index.html', source]]), 'index.html');
      if (!file) throw new Error('no composition');
      const after = applied(source, { changes: { [file.uri]: defaultEdits(file, { a: text }).edits } });
      const read = sourceFile(new Map([['index.html', after]]), 'index.html')?.composition.declarations;
      expect(read?.[0]?.default).toBe(text);
    }),
  );
});
