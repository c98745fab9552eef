// The texts that a page shows: their lines, colors, and what cuts them.
import { boxAround, intersect } from '../boxes.ts';
import type { Box, Rgba, SeenPart, SeenText } from '../sight.ts';
import {
  areaOf,
  boxOf,
  isCovered,
  isTurned,
  isVisible,
  opacityOf,
  paintsBox,
  seen,
  styleOf,
  upwards,
  windowOf,
} from './elements.ts';

/** The texts by the block that they are in. */
export function seenTexts(document: Document, frame: Box): SeenText[] {
  const blocks = new Map<Element, Text[]>();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const { parentElement } = node;
    if (!parentElement || !/\S/.test(node.nodeValue ?? '') || !isVisible(parentElement)) continue;
    const block = blockOf(parentElement);
    blocks.set(block, [...(blocks.get(block) ?? []), node as Text]);
  }
  return [...blocks].flatMap(([block, texts]) => seenText(block, texts, frame) ?? []);
}

/** The nearest element that is not part of a line. */
function blockOf(element: Element): Element {
  for (const one of upwards(element))
    if (!/^(?:inline|contents|ruby)/.test(styleOf(one).display) || isInlineBlock(one)) return one;
  return element;
}

const isInlineBlock = (element: Element): boolean => /^inline-/.test(styleOf(element).display);

const keys = new WeakMap<Element, number>();
let lastKey = 0;

export function keyOf(element: Element): number {
  const known = keys.get(element) ?? ++lastKey;
  keys.set(element, known);
  return known;
}

/** Longer texts are shortened in messages. */
const longest = 60;

function seenText(block: Element, texts: readonly Text[], frame: Box): SeenText | undefined {
  if (block.closest('[aria-hidden="true"]') || isPathClipped(block)) return undefined;
  const parts = texts.map(
    (text): SeenPart => ({ lines: linesOf(rectsOf(text)), color: colorOf(text.parentElement ?? block) }),
  );
  const lines = linesOf(parts.flatMap((part) => part.lines));
  const { window, cutBy } = windowOf(block, frame);
  const shown = lines.filter((line) => areaOf(intersect(line, window)) > 0.05 * areaOf(line));
  if (shown.length === 0 || shown.every((line) => isLineCovered(block, intersect(line, window)))) return undefined;
  const style = styleOf(block);
  const text = textBetween(texts).trim().replace(/\s+/g, ' ');
  const size = Number.parseFloat(style.fontSize);
  return {
    ...seen(block),
    key: keyOf(block),
    text: text.length > longest ? `${text.slice(0, longest - 1)}…` : text,
    lines,
    parts,
    isLarge: size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700),
    opacity: opacityOf(block),
    window,
    cutBy: cutBy ? seen(cutBy) : null,
    isShortened:
      style.textOverflow === 'ellipsis' && style.overflowX !== 'visible' && block.scrollWidth > block.clientWidth + 1,
    surface: surfaceOf(block, frame),
    isTurned: isTurned(block),
  };
}

/** Includes the spaces between elements. */
function textBetween(texts: readonly Text[]): string {
  const [first, last] = [texts[0], texts.at(-1)];
  if (!first || !last) return '';
  const range = first.ownerDocument.createRange();
  range.setStartBefore(first);
  range.setEndAfter(last);
  return range.toString();
}

const isPathClipped = (element: Element): boolean =>
  [...upwards(element)].some((one) => styleOf(one).clipPath !== 'none' || styleOf(one).maskImage !== 'none');

function isLineCovered(block: Element, { left, top, width, height }: Box): boolean {
  return [0.1, 0.5, 0.9].every((share) => isCovered(block, left + share * width, top + height / 2));
}

function rectsOf(text: Text): Box[] {
  const range = text.ownerDocument.createRange();
  range.selectNodeContents(text);
  return [...range.getClientRects()].map(boxOf).filter(({ width, height }) => width > 0 && height > 0);
}

/** Joins boxes that are mostly at the same height. */
function linesOf(boxes: readonly Box[]): Box[] {
  const lines: Box[] = [];
  for (const box of boxes) {
    const last = lines.at(-1);
    const shared = last ? Math.min(last.top + last.height, box.top + box.height) - Math.max(last.top, box.top) : 0;
    if (last && shared > 0.5 * Math.min(last.height, box.height)) lines[lines.length - 1] = boxAround([last, box]);
    else lines.push(box);
  }
  return lines;
}

/** A box that fills most of the frame is a background. */
const background = 0.8;

function surfaceOf(block: Element, frame: Box): SeenText['surface'] {
  for (const one of upwards(block)) {
    if (one.localName === 'body' || one.localName === 'html') return null;
    const style = styleOf(one);
    const box = boxOf(one.getBoundingClientRect());
    if (paintsBox(style)) return areaOf(box) > background * areaOf(frame) ? null : { ...seen(one), box };
    if (style.position === 'absolute' || style.position === 'fixed') return null;
  }
  return null;
}

let context: OffscreenCanvasRenderingContext2D | null = null;

/** Any color of CSS as sRGB. */
export function readColor(color: string): Rgba {
  context ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('the browser has no canvas');
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

/** The color of an element's text with its opacity, if nothing else decides it. */
function colorOf(element: Element): Rgba | null {
  for (const one of upwards(element)) {
    const { filter, mixBlendMode, backgroundClip } = styleOf(one);
    if (filter !== 'none' || mixBlendMode !== 'normal' || backgroundClip === 'text') return null;
  }
  const style = styleOf(element);
  const isVector = element.namespaceURI === 'http://www.w3.org/2000/svg';
  const [red, green, blue, alpha] = readColor(isVector ? style.fill : style.webkitTextFillColor);
  // Only an outline, or nothing.
  return alpha === 0 ? null : [red, green, blue, alpha * opacityOf(element)];
}
