// Reading the faces of font packages, and writing those of a page.
import { expect, test } from 'vitest';
import { descriptorsOf, faceRule, readFaces } from '../../../../renderer-core/plan/fonts/fontFaces.ts';

test('reads the faces of a package', () => {
  const css = `/* tinos-latin-400-italic */
@font-face {
  font-family: 'Tinos';
  font-style: italic;
  font-display: swap;
  font-weight: 400;
  src: url(./files/tinos-latin-400-italic.woff2) format('woff2'), url(./files/tinos-latin-400-italic.woff) format('woff');
  unicode-range: U+0000-00FF,U+0131;
}
@font-face { font-family: 'No file'; src: url(a.ttf); }`;
  expect(readFaces(css)).toEqual([
    { style: 'italic', weight: '400', file: 'files/tinos-latin-400-italic.woff2', ranges: 'U+0000-00FF,U+0131' },
  ]);
});

const regular = { style: 'normal', weight: '100 900', file: 'files/a.woff2', ranges: '' };

test('a face has the descriptors of its file', () => {
  expect(descriptorsOf({ ...regular, ranges: 'U+41' })).toEqual({
    style: 'normal',
    weight: '100 900',
    display: 'block',
    unicodeRange: 'U+41',
  });
});

test('a replacement has the widths and the line height of the original font', () => {
  expect(descriptorsOf(regular, { width: 0.8, ascent: 1, descent: 0.2, lineGap: 0.1 })).toEqual({
    style: 'normal',
    weight: '100 900',
    display: 'block',
    sizeAdjust: '80%',
    ascentOverride: '125%',
    descentOverride: '25%',
    lineGapOverride: '12.5%',
  });
});

test('writes a rule', () => {
  expect(faceRule('Arial', { style: 'normal', unicodeRange: 'U+41' }, 'arimo/a.woff2')).toBe(
    '@font-face{font-family:"Arial";font-style:normal;unicode-range:U+41;src:url("arimo/a.woff2")}',
  );
});
