import { expect, test } from 'vitest';
import { parseComposition } from '../../../../renderer-core/model/composition.ts';
import { familiesDeclared, familiesUsed, fontUses } from '../../../../renderer-core/model/fonts/fontUses.ts';

test.each([
  ['h1 { font-family: "Open Sans", Arial, sans-serif }', ['Open Sans', 'Arial', 'sans-serif']],
  ['h1 { font: italic 700 20px/1.2 Georgia, serif }', ['Georgia', 'serif']],
  ['h1 { font: 1.5rem Inter }', ['Inter']],
  ['h1 { font: inherit; font-family: inherit }', []],
  ['h1 { font-weight: 700; font-size: 20px }', []],
  [':root { --title: "DM Sans", sans-serif; --color: red, blue }', ['DM Sans', 'sans-serif']],
  ['h1 { font-family: var(--title), Arial !important }', ['Arial']],
  ['/* font-family: Comic */ h1 { font-family: Arial }', ['Arial']],
  ['@font-face { font-family: Own; src: url(own.woff2) } h1 { font-family: Own }', ['Own']],
  ['h1 { font-family: Segoe   UI }', ['Segoe UI']],
  ['h1 { font-family: "unclosed', ['unclosed']],
])('%s uses %j', (css, expected) => {
  expect(familiesUsed(css).map(({ name }) => name)).toEqual(expected);
});

test('finds the families that @font-face rules declare', () => {
  const css = `@font-face { font-family: "DM Sans"; src: url(a.woff2) }
    @font-face { src: url(b.woff2); font-family: Own }
    @font-face { font-family: 'DM Sans'; font-weight: 700 }`;
  expect(familiesDeclared(css)).toEqual(['DM Sans', 'Own']);
});

test('has the locations in style elements and attributes', () => {
  const text = `<style>p { font-family: Arial, "A &amp; B" }</style><p style='font: 20px "B &amp; C"'></p>`;
  expect(fontUses(parseComposition(text)).map(({ name, span }) => [name, text.slice(span.start, span.end)])).toEqual([
    ['Arial', 'Arial'],
    ['A &amp; B', '"A &amp; B"'],
    ['B & C', '"B &amp; C"'],
  ]);
});
