import { expect, test } from 'vitest';
import { googleFaces } from '../../../../renderer-core/plan/fonts/googleSheet.ts';

const files = 'https://fonts.gstatic.com';

const face = (comment: string, url: string): string => `${comment}
@font-face {
  font-family: 'Noto Sans JP';
  font-style: normal;
  font-weight: 400;
  font-display: swap;
  src: url(${url}) format('woff2');
  unicode-range: U+25ee8, U+25f23;
}
`;

const offered = (file: string) => ({
  ...{ family: 'Noto Sans JP', style: 'normal', weight: '400', ranges: 'U+25ee8, U+25f23' },
  file: `files/${file}`,
});

test('names files after their characters, as npm packages do', () => {
  const css = face('/* [119] */', `${files}/s/a.woff2`) + face('/* latin-ext */', `${files}/s/b.woff2`);
  const { faces, urls } = googleFaces([css], 'noto-sans-jp', files);
  const [parts, latin] = ['noto-sans-jp-119-400-normal.woff2', 'noto-sans-jp-latin-ext-400-normal.woff2'];
  expect(faces).toEqual([offered(parts), offered(latin)]);
  expect([...urls]).toEqual([
    [`files/${parts}`, `${files}/s/a.woff2`],
    [`files/${latin}`, `${files}/s/b.woff2`],
  ]);
});

test('numbers rules without a comment', () => {
  const { faces } = googleFaces([face('', `${files}/a.woff2`) + face('', `${files}/b.woff2`)], 'x', files);
  expect(faces).toEqual([offered('x-0-400-normal.woff2'), offered('x-1-400-normal.woff2')]);
});

test.each([
  `${files}.example.com/a.woff2`,
  'https://fonts.gstatic.com@example.com/a.woff2',
  'http://fonts.gstatic.com/a.woff2',
  'https://fonts.gstatic.com:8443/a.woff2',
  '//fonts.gstatic.com/a.woff2',
  'a.woff2',
])('rejects the file %s', (url) => {
  expect(() => googleFaces([face('/* latin */', url)], 'x', files)).toThrow(
    'Google Fonts cannot be used: its style sheet names a file that is not of https://fonts.gstatic.com.',
  );
});

test('rejects two files of the same characters', () => {
  const css = face('/* latin */', `${files}/a.woff2`) + face('/* latin */', `${files}/b.woff2`);
  expect(() => googleFaces([css], 'x', files)).toThrow('its style sheet declares the same characters twice');
});
