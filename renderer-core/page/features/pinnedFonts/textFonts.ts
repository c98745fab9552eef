// Finds the faces that the text of a page uses, and the characters that no font has.
import { familiesIn } from '../../../model/fonts/familyList.ts';
import { hiddenTags, missingFamily, missingGlyphWidth, needsGlyph } from '../../../model/fonts/missingGlyph.ts';
import { describeElement } from '../../runtime/describeElement.ts';
import type { MissingCharacter, UsedFace } from '../../runtime/page.ts';

type Page = Window & typeof globalThis;

/** Text that a script has drawn on a canvas. */
export type DrawnText = { text: string; font: string; canvas: Element | null };

export type TextFonts = {
  noteDrawn(drawn: DrawnText): void;
  usedFaces(): UsedFace[];
  missingCharacters(): Promise<MissingCharacter[]>;
};

/** The font size, in pixels, at which the width of a character shows whether it is the box. */
const size = 1000;
/** Elements whose text is not shown. */
const hidden = [...hiddenTags, 'textarea[hidden]'].join();

/** `loadedFaces`: faces that are loaded whether text uses them or not. */
export function watchText(window: Page, loadedFaces: ReadonlySet<FontFace>): TextFonts {
  const { document } = window;
  /** Where each character was found first. */
  const found = new Map<string, { element: Element | null; font?: string }>();
  const drawnFonts = new Set<string>();
  const note = (text: string, element: Element | null, font?: string): void => {
    if (!/[^\0-\x7f]/.test(text)) return;
    for (const character of text) {
      if (needsGlyph(character) && !found.has(character))
        found.set(character, { element, ...(font === undefined ? {} : { font }) });
    }
  };
  const noteNode = (node: Node): void => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    for (
      let text: Node | null = node.nodeType === Node.TEXT_NODE ? node : walker.nextNode();
      text;
      text = walker.nextNode()
    ) {
      const { parentElement } = text;
      if (parentElement && !parentElement.closest(hidden)) note(text.nodeValue ?? '', parentElement);
    }
  };
  const read = (records: MutationRecord[]): void => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') noteNode(target);
      for (const node of addedNodes) noteNode(node);
    }
  };
  const observer = new window.MutationObserver(read);
  observer.observe(document, { subtree: true, childList: true, characterData: true });

  return {
    noteDrawn({ text, font, canvas }) {
      drawnFonts.add(font);
      note(text, canvas, font);
    },
    usedFaces() {
      const shown = [...drawnFonts].map(readFont);
      if (loadedFaces.size > 0) shown.push(...shownFonts(window));
      const isShown = (face: FontFace) => shown.some((font) => matches(face, font));
      const faces = [...document.fonts].filter(
        (face) =>
          face.status === 'loaded' && !(familyOf(face) === missingFamily) && (!loadedFaces.has(face) || isShown(face)),
      );
      const used = faces.map((face) => ({ family: familyOf(face), weight: numeric(face.weight), style: face.style }));
      return [...new Map(used.map((face) => [JSON.stringify(face), face])).values()];
    },
    async missingCharacters() {
      read(observer.takeRecords());
      const context = document.createElement('canvas').getContext('2d');
      if (!context) return [];
      const missing: MissingCharacter[] = [];
      for (const [character, { element, font }] of found) {
        const wanted = font?.replace(/\d+(?:\.\d+)?px/, `${size}px`) ?? fontOf(window, element);
        if (wanted === null) continue;
        if (!document.fonts.check(wanted, character)) await document.fonts.load(wanted, character);
        context.font = wanted;
        const isBox = Math.abs(context.measureText(character).width - size * missingGlyphWidth) < 0.005;
        if (isBox) missing.push({ character, element: element ? describeElement(element) : '' });
      }
      return missing;
    },
  };
}

type Font = { families: string[]; weight: number; isItalic: boolean };

/** Reads a font of a canvas: `italic bold 20px Arial`. */
function readFont(font: string): Font {
  const [, before = '', list = ''] = /^(.*?)\d[\d.]*px(?:\s*\/\s*\S+)?\s+(.*)$/.exec(font) ?? [];
  const weight = /\bbold\b/.test(before) ? 700 : Number(/\b\d{3}\b/.exec(before)?.[0] ?? 400);
  return { families: namesIn(list), weight, isItalic: /italic|oblique/.test(before) };
}

/** The fonts of the elements with text. */
function shownFonts(window: Page): Font[] {
  const { document } = window;
  const fonts = new Map<string, Font>();
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, nodeValue } = walker.currentNode;
    if (!parentElement || !nodeValue?.trim() || parentElement.closest(hidden)) continue;
    const { fontFamily, fontWeight, fontStyle } = window.getComputedStyle(parentElement);
    const key = `${fontFamily} ${fontWeight} ${fontStyle}`;
    const isItalic = fontStyle !== 'normal';
    if (!fonts.has(key)) fonts.set(key, { families: namesIn(fontFamily), weight: Number(fontWeight), isItalic });
  }
  return [...fonts.values()];
}

const numeric = (weight: string): string => weight.replace('normal', '400').replace('bold', '700');

const namesIn = (list: string): string[] => familiesIn(list).map(({ name }) => name.toLowerCase());

/** Whether text of a font uses the face first. Bold text uses the bold face, if a family has only two. */
function matches(face: FontFace, { families, weight, isItalic }: Font): boolean {
  const [least = 400, most = least] = numeric(face.weight).split(' ').map(Number);
  const hasWeight = least === most ? weight >= 600 === least >= 600 : weight >= least && weight <= most;
  return families[0] === familyOf(face).toLowerCase() && hasWeight && (face.style !== 'normal') === isItalic;
}

const familyOf = ({ family }: FontFace): string => family.replace(/^["']|["']$/g, '');

/** The font of shown text, for a canvas; null if it is not shown. */
function fontOf(window: Page, element: Element | null): string | null {
  if (!element?.isConnected) return null;
  const { fontStyle, fontWeight, fontFamily } = window.getComputedStyle(element);
  return `${fontStyle} ${fontWeight} ${size}px ${fontFamily}`;
}
