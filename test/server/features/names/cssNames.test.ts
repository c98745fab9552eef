// Names in styles: exactly the marked ones are found.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CssName, selectorNames, sheetNames } from '../../../../server/features/names/cssNames.ts';
import { mark, marked } from '../../../support/editor/markup.ts';

function check(source: string, read: (css: string) => CssName[]): void {
  const { text } = marked(source);
  expect(
    mark(
      text,
      read(text).map(({ span }) => span),
    ),
  ).toBe(source);
}

describe('sheetNames', () => {
  test.each([
    '#«a» .b, p#«a-2»:not(#«c») > i { color: #fff; background: url(#«d») }',
    '@media (width > 1px) { #«a» { color: var(--«b», var( --«c»)) } }',
    '.a { &:hover #«b» { --«c»: var(--«d»); } } @property --«e» { syntax: "*" }',
    '/* #a {} */ p /* #b */ { content: "#c { var(--d)"; /* --e: 1 */ --«f»: 1 }',
    '/**//* x */ --«a»: red; --b',
    '[data-x="«a b»"] [data-y=«c»] [ data-z = \'«d»\' ] [data-w^="e"] {}',
    '#«\\31 a\\:b» {} #«ü» {}',
    'filter: url("#«a»") drop-shadow(0 0 var(--«b»)); #half',
    'top: var(--«b»',
  ])('finds the names in %s', (source) => check(source, sheetNames));
});

test('finds the names in a selector', () => {
  check('#«a», [id="«b»"] "#c"', selectorNames);
});

test('resolves escapes in names', () => {
  expect(sheetNames('#\\31 a\\:b { }').map(({ name }) => name)).toEqual(['1a:b']);
  expect(selectorNames('[x="a\\"b"]').map(({ name }) => name)).toEqual(['a"b']);
});

test('returns spans inside the text, for any text', () => {
  const piece = fc.constantFrom(
    ...'#a -"\'\\{}[]();:=/*\n',
    '/*',
    '*/',
    '--',
    'var(',
    'url(',
    '[x=',
    '@property ',
    '\\31 ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const css = pieces.join('');
      for (const { span } of [...sheetNames(css), ...selectorNames(css)]) {
        expect(0 <= span.start && span.start <= span.end && span.end <= css.length).toBe(true);
      }
    }),
  );
});

test('reads a font of many megabytes and hundreds of comments', () => {
  check(`@font-face { src: url("data:font/woff2;base64,${'A'.repeat(20_000_000)}") } #«a» {}`, sheetNames);
  check(`p { ${'/*a*/'.repeat(500)} --x } #«a» {}`, sheetNames);
});
