// The style sheet and the script that declare the pinned fonts of a page.
import { expect, test } from 'vitest';
import { familyFolder, fontSheet, loadedFonts, pageFaces } from '../../../../renderer-core/plan/fonts/fontSheet.ts';
import type { PageFonts } from '../../../../renderer-core/plan/fonts/pageFonts.ts';

const fonts: PageFonts = {
  names: ['Arial', 'Tinos'],
  named: ['Arial'],
  ofProject: [],
  fallback: ['Tinos', 'Noto Sans SC'],
  byLanguage: { ja: ['Tinos', 'Noto Sans JP'] },
  possible: [],
  neededAtOnce: [],
};
const faces = pageFaces(fonts, (family) => [
  { style: 'normal', weight: '400', file: `files/${familyFolder(family)}.woff2`, ranges: '' },
]);

test('declares each name with the files of its replacement', () => {
  expect(faces.map(({ name, family, file }) => [name, family, file.file])).toEqual([
    ['Arial', 'Arimo', 'files/arimo.woff2'],
    ['Tinos', 'Tinos', 'files/tinos.woff2'],
  ]);
});

test('has the faces, the font for missing characters, the fallback by language, and the fonts of the browser', () => {
  const lines = fontSheet(fonts, faces)
    .replace(/base64,[^"]+/, 'base64,…')
    .split('\n');
  expect(lines.slice(0, 5)).toEqual([
    '@font-face{font-family:"Arial";font-style:normal;font-weight:400;font-display:block;src:url("arimo/files/arimo.woff2")}',
    '@font-face{font-family:"Tinos";font-style:normal;font-weight:400;font-display:block;src:url("tinos/files/tinos.woff2")}',
    '@font-face{font-family:"Framework Missing";src:url("data:font/ttf;base64,…")}',
    ':root{--framework-fallback-fonts:"Tinos","Noto Sans SC","Framework Missing"}',
    ':lang(ja){--framework-fallback-fonts:"Tinos","Noto Sans JP","Framework Missing"}',
  ]);
  expect(lines[5]).toMatch(
    /^@layer framework-fonts\{:where\(:root\)\{--framework-own-fonts:"Tinos";font-family:"Tinos",var\(--framework-fallback-fonts\)\}/,
  );
});

test('the script contains the bytes of the faces', () => {
  const [face] = faces;
  const script = face ? loadedFonts([{ ...face, base64: 'AQID' }]) : '';
  expect(script).toContain('["Arial","AQID",{"style":"normal","weight":"400","display":"block"}]');
});
