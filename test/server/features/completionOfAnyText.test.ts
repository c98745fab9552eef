// Completion and hover for any text at any offset: nothing throws, and every edit is on the cursor's line and contains it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextEdit } from 'vscode-languageserver-types';
import { complete } from '../../../server/features/completion/completion.ts';
import { hover } from '../../../server/features/hover/hover.ts';
import { sourceFile } from '../../support/editor/sourceFile.ts';

const sample = `<!doctype html><html data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"Hi"},
{"id":"photo","type":"string","default":"a.png"},{"id":"look","type":"enum","options":[{"value":"a","label":"A"}]}]'>\r\n<head>
<style>p { color: var(--title) }</style></head><body>
<div id="root" data-composition-id="main" data-width="1920" data-height="1080" data-fps="30" data-duration="5">
<h1 id="a" data-start="0" data-duration="2" data-var-text="title">Hi</h1><p data-start='a + 1' style="color: var(--look)">x
<video id="v" src="v.mp4" data-start=a data-volume="0.5" data-color-grading="{&quot;preset&quot;:&quot;$look&quot;}"></video>
<img data-var-src="photo" data-color-grading='{"adjust":{"exposure":1}}'><table><p data-start="a"><tr><td></table>
<div data-composition-id="c" data-composition-src="c.html" data-variable-values='{"title":"Pro","n":[1,2]}' data-start="v - 1"></div>
<script>const { title = "Hi", look } = __framework.getVariables(); use(title)</script></div></body></html>`;

const other = `<html data-composition-variables='[{"id":"title","type":"string","default":"it&apos;s"}]'><img data-var-src="title" data-composition-id="c"></html>`;

async function check(text: string, offset: number) {
  const files = new Map([
    ['index.html', text],
    ['c.html', other],
    ['pictures/a b.png', ''],
  ]);
  const file = sourceFile(files, 'index.html');
  if (!file) return;
  const { document } = file;
  const cursor = document.positionAt(offset);
  const at = document.offsetAt(cursor);
  for (const { textEdit, label } of (await complete(file, at)).items) {
    if (!textEdit || !TextEdit.is(textEdit)) throw new Error(`${label} has no edit`);
    const { start, end } = textEdit.range;
    expect([start.line, end.line]).toEqual([cursor.line, cursor.line]);
    expect(start.character <= cursor.character && cursor.character <= end.character).toBe(true);
  }
  const found = hover(file, at)?.range;
  if (found) {
    expect(document.offsetAt(found.start)).toBeLessThanOrEqual(at);
    expect(document.offsetAt(found.end)).toBeGreaterThanOrEqual(at);
  }
}

test('works at every offset of the sample', async () => {
  for (let offset = 0; offset <= sample.length; offset++) await check(sample, offset);
});

test('works at the end of every truncated sample', async () => {
  for (let length = 0; length <= sample.length; length++) await check(sample.slice(0, length), length);
});

const noise = fc.constantFrom(
  ...[
    '<',
    '>',
    '"',
    "'",
    '&',
    '&quot;',
    '{',
    '[',
    ']',
    '}',
    ',',
    ':',
    '=',
    '/',
    '\0',
    '\r',
    '\n',
    ' ',
    '\uFEFF',
    '😀',
    '\ud800',
  ],
  ...[
    '<template>',
    '</template>',
    '<svg>',
    '<b>',
    '<!--',
    '<script>',
    '<style>',
    '-',
    '1e999',
    '$',
    '__proto__',
    ' data-start="',
    '['.repeat(300),
  ],
);

test('works at the position of a change in a mutated sample', async () => {
  const mutation = fc.record({ at: fc.nat(sample.length), remove: fc.nat(12), insert: noise });
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 5 }), fc.nat(3), async (mutations, behind) => {
      const text = mutations.reduce(
        (before, { at, remove, insert }) => before.slice(0, at) + insert + before.slice(at + remove),
        sample,
      );
      for (const { at, insert } of mutations) await check(text, Math.min(text.length, at + insert.length + behind));
    }),
    { numRuns: 200 },
  );
});
