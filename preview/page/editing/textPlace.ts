// Text of the composition's page under the pointer, and where it is in the source.
import { instanceAttribute } from '../../../renderer-core/page/runtime/page.ts';
import type { PreviewText } from '../../messages.ts';
import { markOf } from '../marks.ts';
import type { Screen } from '../screen.ts';

/** `nodes` of `holder` show the text if it is literal; the value of a variable is all of `holder`. */
export type TextPlace = { holder: Element; nodes: ChildNode[]; text: PreviewText };

const isText = (node: Node): node is Text => node.nodeType === 3;
const isLineBreak = (node: Node): boolean => node.nodeName === 'BR';

/** The visible text at a point. */
export function textAt({ frame }: Screen, { x, y }: { x: number; y: number }): Text | undefined {
  const page = frame.contentDocument;
  for (const at of page?.elementsFromPoint(x, y) ?? []) {
    for (const node of at.childNodes) {
      if (!page || !isText(node) || node.data.trim() === '') continue;
      const range = page.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()];
      if (boxes.some((box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom)) return node;
    }
    if (covers(at)) return undefined;
  }
  return undefined;
}

/** Whether an element hides what is behind it. */
function covers(element: Element): boolean {
  const { backgroundColor, backgroundImage } = getComputedStyle(element);
  const isClear = /^(?:transparent|rgba\(.*, 0\))$/.test(backgroundColor) && backgroundImage === 'none';
  return !isClear || /^(?:img|video|canvas)$/i.test(element.localName);
}

/** The first visible text in an element. */
export function textIn(element: Element): Text | undefined {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (isText(node) && node.data.trim() !== '' && node.parentElement?.checkVisibility()) return node;
  }
  return undefined;
}

/** Undefined if no element of the source contains the text. */
export function placeOf(node: Text, { facts }: Screen): TextPlace | undefined {
  const found = markOf(node.parentElement, facts.files);
  if (!found) return undefined;
  const { element: holder, mark } = found;
  const nodes = node.parentNode === holder ? runAround(node) : [...holder.childNodes];
  let before = 0;
  for (let at = nodes[0]?.previousSibling; at; at = at.previousSibling)
    if (at.nodeType === 1 && !isLineBreak(at)) before++;
  const run = nodes.map((one) => (isLineBreak(one) ? '\n' : isText(one) ? one.data : '')).join('');
  const shown = {
    offset: mark.start,
    whole: holder.textContent ?? '',
    ...(node.parentNode === holder ? { run: { text: run, before } } : {}),
    keepsLines: /^(?:pre|break)/.test(getComputedStyle(holder).whiteSpace),
  };
  return { holder, nodes, text: { file: mark.file, shown, hosts: hostsOf(holder, facts.files) } };
}

/** The text nodes and line breaks around a text, up to other elements. */
function runAround(node: ChildNode): ChildNode[] {
  const isInRun = (one: ChildNode | null): one is ChildNode => one !== null && (one.nodeType !== 1 || isLineBreak(one));
  let first = node;
  while (isInRun(first.previousSibling)) first = first.previousSibling;
  const nodes: ChildNode[] = [];
  for (let at: ChildNode | null = first; isInRun(at); at = at.nextSibling) nodes.push(at);
  return nodes;
}

/** The hosts that contain an element, the innermost first. */
export function hostsOf(element: Element, files: readonly string[]): PreviewText['hosts'] {
  const selector = `[${instanceAttribute}]`;
  const hosts: PreviewText['hosts'] = [];
  for (let host = element.closest(selector); host; host = host.parentElement?.closest(selector) ?? null) {
    const found = markOf(host, files);
    if (found) hosts.push({ path: found.mark.file, offset: found.mark.start });
  }
  return hosts;
}
