// Lists of font families, as authors write them and as pages get them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  familiesIn,
  familiesStart,
  pinnedFont,
  pinnedList,
  quoted,
} from '../../../../renderer-core/model/fonts/familyList.ts';

test.each([
  ['"Open Sans", Arial, sans-serif', ['"Open Sans"', 'Arial', 'sans-serif (generic)']],
  ["'It\\'s', Segoe   UI", ["'It\\'s'", 'Segoe   UI']],
  ['var(--font, Arial), serif', ['serif (generic)']],
  ['"serif", Serif', ['"serif"', 'Serif (generic)']],
  ['"unclosed', ['"unclosed']],
  [' , ,', []],
])('%s is a list of %j', (list, expected) => {
  const found = familiesIn(list).map(
    ({ isGeneric, span }) => list.slice(span.start, span.end) + (isGeneric ? ' (generic)' : ''),
  );
  expect(found).toEqual(expected);
});

test.each([
  ['Arial', 'Arial, F'],
  ['"Open Sans", sans-serif', '"Open Sans", "Arimo", F'],
  ['Monospace', '"Cousine", F'],
  ['system-ui, serif', '"-apple-system", "Tinos", F'],
  ['"serif"', '"serif", F'],
  ['var(--font)', 'var(--font), F'],
  ['var(--font, monospace), serif', 'var(--font, "Cousine"), "Tinos", F'],
  ['var(--a, var(--b, serif))', 'var(--a, var(--b, "Tinos")), F'],
  ['initial', '"Tinos", F'],
  ['inherit', 'inherit'],
  ['revert-layer', 'revert-layer'],
  ['"Arimo", F', '"Arimo", F'],
  ['', ''],
])('the list %s becomes %s', (list, expected) => {
  expect(pinnedList(list, 'F')).toBe(expected);
});

test.each([
  ['20px serif', '20px "Tinos", F'],
  ['italic 700 20px / 1.2 "Open Sans", sans-serif', 'italic 700 20px / 1.2 "Open Sans", "Arimo", F'],
  ['bold 20px var(--font), serif', 'bold 20px var(--font), "Tinos", F'],
  ['calc(1px + 2vw) monospace', 'calc(1px + 2vw) "Cousine", F'],
  ['var(--whole)', 'var(--whole), F'],
  ['caption', '13px "Inter", F'],
  ['inherit', 'inherit'],
  ['', ''],
])('the font %s becomes %s', (font, expected) => {
  expect(pinnedFont(font, 'F')).toBe(expected);
});

test.each([
  ['bold 20px/1.2 Arial', 14],
  ['small-caps 1.5rem Arial', 18],
  ['x-large Arial', 8],
  ['Arial, 20px', undefined],
])('the families of %s start at %s', (font, expected) => {
  expect(familiesStart(font)).toBe(expected);
});

test('quotes names', () => {
  expect(quoted('A "B" \\ C')).toBe('"A \\"B\\" \\\\ C"');
});

test('reads a list of 100,000 characters whose parentheses are not closed', () => {
  const long = `Arial, var(--a, ${'serif '.repeat(20_000)}`;
  expect(familiesIn(long)[0]?.name).toBe('Arial');
  expect(pinnedList(`(${'a'.repeat(100_000)}`, 'x')).toMatch(/a, x$/);
});

describe('for any text,', () => {
  const piece = fc.constantFrom(
    'serif',
    'Arial',
    '"',
    "'",
    ',',
    '(',
    ')',
    'var(--a,',
    '20px',
    ' ',
    '\\',
    'initial',
    '/',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  );
  const fallback = 'var(--framework-fallback-fonts)';

  test('a changed list stays the same when it is changed again', () => {
    fc.assert(
      fc.property(text, (list) => {
        const once = pinnedList(list, fallback);
        expect(pinnedList(once, fallback)).toBe(once);
      }),
    );
  });

  test('a changed font stays the same when it is changed again', () => {
    fc.assert(
      fc.property(text, (font) => {
        const once = pinnedFont(font, fallback);
        expect(pinnedFont(once, fallback)).toBe(once);
      }),
    );
  });
});
