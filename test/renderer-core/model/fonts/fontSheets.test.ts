import { expect, test } from 'vitest';
import { fontSheetPaths } from '../../../../renderer-core/model/fonts/fontSheetPaths.ts';
import { importsIn, remoteFaces } from '../../../../renderer-core/model/fonts/fontSheets.ts';

test.each([
  ['@import "a.css"; @import url(b.css) screen; p { background: url(c.png) }', ['a.css', 'b.css']],
  [
    `@import url("https://fonts.googleapis.com/css2?family=A:wght@1;2");`,
    ['https://fonts.googleapis.com/css2?family=A:wght@1;2'],
  ],
  ['@import url(https://a.example/b;c.css) print;', ['https://a.example/b;c.css']],
  ['/* @import "a.css"; */ p { content: "@imported" }', []],
])('%s imports %j', (css, expected) => {
  expect(importsIn(css).map(({ url }) => url)).toEqual(expected);
});

test('finds the first remote file of each family', () => {
  const css = `@font-face { font-family: "Own Sans"; src: local(Own), url("https://a.example/own.woff2"), url(own.woff) }
    @font-face { font-family: Own Sans; src: url(https://a.example/bold.woff2) }
    @font-face { font-family: Local; src: url(local.woff2), url(https://a.example/local.woff2) }
    /* @font-face { font-family: Old; src: url(https://a.example/old.woff2) } */`;
  expect(remoteFaces(css).map(({ family, span }) => [family, css.slice(span.start, span.end)])).toEqual([
    ['Own Sans', 'https://a.example/own.woff2'],
  ]);
});

test.each([
  [null, ['fonts/dm-sans.css']],
  ['{"fonts": ["brand/fonts.css", "./fonts/dm-sans.css", 5]}', ['fonts/dm-sans.css', 'brand/fonts.css']],
  ['{"fonts": "brand/fonts.css"}', ['fonts/dm-sans.css']],
  ['{"fonts": [', ['fonts/dm-sans.css']],
])('with the manifest %s, the sheets are %j', (manifest, expected) => {
  const paths = ['index.html', 'fonts/dm-sans.css', 'fonts/dm-sans.woff2', 'fonts/old/a.css', 'css/a.css'];
  expect(fontSheetPaths(paths, manifest)).toEqual(expected);
});
