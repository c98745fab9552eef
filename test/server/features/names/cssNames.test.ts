// Names in styles: the marked ones are found.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CssName, selectorNames, sheetNames } from '../../../server/features/cssNames.ts';
import { mark, marked } from '../../support/markup.ts';

function check(source: string, read: (css: string) => CssName[]): void {
  const { text } = marked(source);
  expect(
    mark(
      text,
      read(text).map(({ span }) => span),
    ),
  ).toBe(source);
}

describe('of a style sheet', () => {
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
  ])('%s', (source) => check(source, sheetNames));
});

test('of a selector, whatever stands in it', () => {
  check('#«a», [id="«b»"] "#c"', selectorNames);
});

test('names are what they mean, escapes resolved', () => {
  expect(sheetNames('#\\31 a\\:b { }').map(({ name }) => name)).toEqual(['1a:b']);
  expect(selectorNames('[x="a\\"b"]').map(({ name }) => name)).toEqual(['a"b']);
});

test('any text gives names that stand in it', () => {
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

test('a font of many megabytes, and hundreds of comments, are read all the same', () => {
  check(`@font-face { src: url("data:font/woff2;base64,${'A'.repeat(20_000_000)}") } #«a» {}`, sheetNames);
  check(`p { ${'/*a*/'.repeat(500)} --x } #«a» {}`, sheetNames);
});
