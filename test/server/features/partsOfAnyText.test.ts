// The parts of elements in any text: finding and changing them never throws, and colors are #rrggbb or have a reason.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changePart, findParts, partVariable } from '../../../server/features/refactor/shownParts.ts';
import { sourceFile } from '../../support/editor/sourceFile.ts';

const value = fc.constantFrom(
  'red',
  '#123',
  'var(--a)',
  'var(--b, red)',
  'var(--c)',
  'var(--ink)',
  'url(a.png) navy',
  '{',
);
const reference = fc.constantFrom('#123', 'var(--a)', 'var(--b, red)', 'var(--ink)');
const property = fc.constantFrom('--c', 'color', 'background', 'fill', 'stroke');
const rule = fc
  .tuple(fc.constantFrom('p', '.a, #b', ':root', '@media print', 'p >'), fc.array(fc.tuple(property, value)))
  .map(([selector, body]) => `${selector}{${body.map((pair) => pair.join(':')).join(';')}}`);
const sample = fc.tuple(fc.array(rule), reference, reference, value, value).map(
  ([rules, a, b, ink, style]) => `<html data-composition-variables='[{"id":"ink","type":"string","default":"${ink}"}]'>
<style>:root{--a:${a};--b:${b}}${rules.join('\n')}</style><div data-composition-id="main"><p class="a" style="background:${style}">Hello</p>
<svg fill="${ink}"><path id="b" stroke="${style}"/></svg><img src="a.png"><img data-var-src="ink"></div></html>`,
);

/** Finds the parts of every element, and changes each of their sources. */
function check(text: string): void {
  const file = sourceFile(new Map([['index.html', text]]), 'index.html');
  if (!file) return;
  for (const { startTag } of file.composition.html.elements) {
    const offset = startTag.start;
    const shown = { offset, whole: 'Hello', run: { text: 'Hello', before: 0 }, keepsLines: false };
    const request = { offset, text: shown, hosts: [], drafts: {} };
    for (const { name, sources } of findParts(file, request)) {
      for (const [index, { value, reason }] of sources.entries()) {
        if (name !== 'text' && name !== 'image' && reason === undefined) expect(value).toMatch(/^#[0-9a-f]{6}$/);
        changePart(file, request, { name, index, value }, '#0a0b0c');
        partVariable(file, request, { name, index, value });
      }
    }
  }
}

test('works for any style sheet', () => {
  fc.assert(fc.property(sample, check), { numRuns: 200 });
});

test('works for every cut of a text', () => {
  fc.assert(
    fc.property(sample, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(9), (text, part, left) => {
      const at = Math.floor(part * text.length);
      check(text.slice(0, at) + text.slice(at + left));
      check(text.slice(0, at));
    }),
    { numRuns: 100 },
  );
});
