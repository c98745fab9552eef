// The fonts of the browser's own style sheet, as named families.
import { quoted } from './familyList.ts';
import { mathFamily } from './pinnedFamilies.ts';

/** The custom properties of every element: the families of its list, and the ones that follow in every list. */
export type FontProperties = { own: string; fallback: string };

/**
 * A style sheet for a page or a shadow root. Its layer is the first one, so it yields to all styles of the page. `byLanguage`:
 * whether the families that follow depend on the language. Inherited lists contain those of another language then.
 */
export function browserFonts({ own, fallback }: FontProperties, byLanguage: boolean): string {
  const rule = (elements: string, family: string) =>
    `${elements}{${own}:${quoted(family)};font-family:${quoted(family)},var(${fallback})}`;
  const language = `:where([lang]:not([font-family],[face])){font-family:var(${own}),var(${fallback})}`;
  return `@layer framework-fonts{${[
    rule(':where(:root)', 'Tinos'),
    // Attributes that are not in any declaration.
    `:where([font-family],font[face]){${own}:initial}`,
    ...(byLanguage ? [language] : []),
    rule(':where(input,button,select,optgroup,option)', 'Arimo'),
    rule(':where(input)::file-selector-button', 'Arimo'),
    rule(':where(pre,xmp,plaintext,listing,tt,code,kbd,samp,textarea)', 'Cousine'),
    rule(':where(math)', mathFamily),
    `:where(font[face]){font-family:attr(face type(*)),var(${fallback})}`,
  ].join('')}}`;
}
