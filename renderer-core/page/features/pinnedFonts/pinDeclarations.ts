// Rewrites the families in the declarations of a rule or a `style` attribute.
import {
  familiesIn,
  familiesStart,
  pinnedFont,
  pinnedList,
  withNamedFamilies,
} from '../../../model/fonts/familyList.ts';
import { fallbackFonts, ownFonts } from '../../runtime/page.ts';

const fallback = `var(${fallbackFonts})`;

export function pinDeclarations(style: CSSStyleDeclaration): void {
  const family = style.getPropertyValue('font-family');
  if (family !== '') {
    const pinned = pinnedList(family, fallback);
    if (pinned !== family) setFamilies(style, pinned);
  }
  for (const name of style) {
    if (name === 'font-family' && family === '') pinShorthand(style);
    if (!name.startsWith('--') || name === fallbackFonts || name === ownFonts) continue;
    const value = style.getPropertyValue(name);
    const pinned = pinnedValue(value);
    if (pinned !== value) style.setProperty(name, pinned, style.getPropertyPriority(name));
  }
}

/** Elements in another language combine `ownFonts` with the fallback for theirs. */
function setFamilies(style: CSSStyleDeclaration, pinned: string): void {
  const priority = style.getPropertyPriority('font-family');
  style.setProperty('font-family', pinned, priority);
  const own = pinned.endsWith(`, ${fallback}`) ? pinned.slice(0, -fallback.length - 2) : pinned;
  style.setProperty(ownFonts, own, priority);
}

/** The families of a `font` cannot be read on their own if it contains `var()` or is a font of the system. */
function pinShorthand(style: CSSStyleDeclaration): void {
  const font = style.getPropertyValue('font');
  const priority = style.getPropertyPriority('font');
  const pinned = pinnedFont(font, fallback);
  if (pinned !== font && !font.includes(fallback)) style.setProperty('font', pinned, priority);
  // Unknown: elements in another language inherit the whole list.
  const isUnknown = style.getPropertyValue('font-family') === '';
  if (isUnknown && style.getPropertyValue(ownFonts) === '') style.setProperty(ownFonts, 'initial', priority);
}

/** The value of a custom property, which may be a list of families or a whole `font`. */
function pinnedValue(value: string): string {
  if (value.includes('{') || value.includes(fallback)) return value;
  const start = familiesStart(value) ?? 0;
  const list = value.slice(start);
  // A list of one family is used as it is in lists, and the fallback is added there.
  return familiesIn(list).some(({ isGeneric }) => isGeneric) ? value.slice(0, start) + withNamedFamilies(list) : value;
}
