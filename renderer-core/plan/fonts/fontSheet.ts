// Writes what declares the pinned fonts of a page before its own styles: a style sheet, and a script for fonts that scripts
// draw with.
import { browserFonts } from '../../model/fonts/browserFonts.ts';
import { quoted } from '../../model/fonts/familyList.ts';
import { missingFamily } from '../../model/fonts/missingGlyph.ts';
import { replacementFor } from '../../model/fonts/pinnedFamilies.ts';
import { fallbackFonts, loadedFaces, ownFonts } from '../../page/runtime/page.ts';
import { type Descriptors, descriptorsOf, type FontFile, faceRule } from './fontFaces.ts';
import { missingGlyphFont } from './missingGlyphFont.ts';
import type { PageFonts } from './pageFonts.ts';

/** Where the files of the pinned fonts are served: `/__framework/fonts/<family>/<file>`. */
export const fontsFolder = '/__framework/fonts/';
export const fontSheetPath = `${fontsFolder}fonts.css`;
export const loadedFontsPath = `${fontsFolder}loaded.js`;

export const familyFolder = (family: string): string => family.toLowerCase().replaceAll(' ', '-');

type Face = { name: string; family: string; file: FontFile; descriptors: Descriptors };

/** The faces that a page declares. `filesOf` returns those of a pinned family. */
export function pageFaces({ names }: PageFonts, filesOf: (family: string) => readonly FontFile[]): Face[] {
  return names.flatMap((name) => {
    const { family = name, metrics } = replacementFor(name) ?? {};
    return filesOf(family).map((file) => ({ name, family, file, descriptors: descriptorsOf(file, metrics) }));
  });
}

/** The style sheet with `faces`, which are loaded when text needs them. */
export function fontSheet({ fallback, byLanguage }: PageFonts, faces: readonly Face[]): string {
  const rules = faces.map(({ name, family, file, descriptors }) =>
    faceRule(name, descriptors, `${familyFolder(family)}/${file.file}`),
  );
  const missing = `@font-face{font-family:"${missingFamily}";src:url("data:font/ttf;base64,${missingGlyphFont}")}`;
  const variable = (families: readonly string[]) =>
    `${fallbackFonts}:${[...families, missingFamily].map(quoted).join(',')}`;
  const languages = Object.entries(byLanguage).map(
    ([language, families]) => `:lang(${language}){${variable(families)}}`,
  );
  return [
    ...rules,
    missing,
    `:root{${variable(fallback)}}`,
    ...languages,
    browserFonts(properties, languages.length > 0),
  ].join('\n');
}

const properties = { own: ownFonts, fallback: fallbackFonts };

/** The script with faces that are complete at once: browsers draw on a canvas without waiting for a font. */
export function loadedFonts(faces: readonly (Face & { base64: string })[]): string {
  const all = [
    ...faces.map(({ name, descriptors, base64 }) => [name, base64, descriptors]),
    [missingFamily, missingGlyphFont, {}],
  ];
  return `document.currentScript.remove();for(const [name,data,descriptors] of ${JSON.stringify(all)}){const face=new FontFace(name,Uint8Array.from(atob(data),c=>c.charCodeAt(0)),descriptors);document.fonts.add(face);window[Symbol.for('${loadedFaces}')].add(face)}`;
}
