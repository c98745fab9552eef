// Reuses the tree of a file after an edit that cannot have changed its structure. A full parse takes ten times as long, and
// most keystrokes are inside a value, a script, a style or a text.
import { readAttributeText } from './attributeText.ts';
import { ancestor, type HtmlAttribute, type HtmlElement, type HtmlTree, innerSpan, withTags } from './html.ts';
import type { Span } from './spans.ts';
import { templateTags } from './templateTags.ts';

/** The range from `start` to `end` of the old text became the range from `start` to `newEnd` of the new one. */
type Edit = { before: string; after: string; start: number; end: number; newEnd: number };

/** How offsets move: by `delta` from `boundary` on. `attribute` is the attribute whose value changed. */
type Move = { boundary: number; delta: number; attribute?: { name: string; valueStart: number } };

/**
 * The tree of `text`, equal to the result of `parseHtml`, or undefined if a full parse is necessary. It shares parts with
 * `before`.
 */
export function parseIncrementally(before: HtmlTree, text: string): HtmlTree | undefined {
  if (before.text === text) return before;
  // An edit in a tag of a template engine can change where other tags are.
  if (before.isTemplate && (before.parsedText !== before.text || templateTags(text).length > 0)) return undefined;
  const edit = findEdit(before.text, text);
  const move = moveInTag(before, edit) ?? moveInCode(before, edit) ?? moveInText(before, edit);
  return move && moveTree(before, text, move);
}

function findEdit(before: string, after: string): Edit {
  const start = sameAtStart(before, after);
  const longest = Math.min(before.length, after.length) - start;
  const same = sameAtEnd(before, after, longest);
  return { before, after, start, end: before.length - same, newEnd: after.length - same };
}

/** Long texts are compared in pieces first, because the engine compares strings many times faster than a loop. */
const pieceLength = 4096;

function sameAtStart(before: string, after: string): number {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at + pieceLength <= shorter && before.slice(at, at + pieceLength) === after.slice(at, at + pieceLength))
    at += pieceLength;
  while (at < shorter && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  return at;
}

function sameAtEnd(before: string, after: string, longest: number): number {
  const piece = (text: string, same: number) => text.slice(text.length - same - pieceLength, text.length - same);
  let same = 0;
  while (same + pieceLength <= longest && piece(before, same) === piece(after, same)) same += pieceLength;
  while (same < longest && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same))
    same++;
  return same;
}

/** Elements and attributes whose values affect the tree: the parser compares elements with these tags with each other. */
const comparedTags = /^(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;
const decisiveAttributes = /^(?:type|encoding)$/;

/** Handles an edit between the quotes of an attribute value. */
function moveInTag({ elements }: HtmlTree, edit: Edit): Move | undefined {
  const { before, after, start, end, newEnd } = edit;
  const element = elements.find(({ startTag }) => startTag.start < start && end < startTag.end);
  if (!element || comparedTags.test(element.tag)) return undefined;
  for (const { name, quote, valueSpan } of element.attributes.values()) {
    if (!valueSpan || start < valueSpan.start || valueSpan.end < end) continue;
    const isClosed = quote !== '' && before[valueSpan.end] === quote;
    if (!isClosed || decisiveAttributes.test(name) || after.slice(start, newEnd).includes(quote)) return undefined;
    const attribute = { name, valueStart: valueSpan.start };
    return { boundary: valueSpan.end, delta: newEnd - end, attribute };
  }
  return undefined;
}

/** Handles an edit in a script or style that cannot affect where its end tag is. */
function moveInCode({ elements }: HtmlTree, edit: Edit): Move | undefined {
  const { before, after, start, end, newEnd } = edit;
  const element = elements.find((one) => {
    const inner = one.tag === 'script' || one.tag === 'style' ? innerSpan(one) : undefined;
    return inner && one.endTag && inner.start < inner.end && inner.start <= start && end <= inner.end;
  });
  // In SVG and MathML these are ordinary elements.
  if (!element?.endTag || ancestor(element, isForeign)) return undefined;
  const inner = innerSpan(element);
  const delta = newEnd - end;
  const ends = element.tag === 'script' ? /<!--|<\/script/i : /<\/style/i;
  if (ends.test(before.slice(inner.start, inner.end)) || ends.test(after.slice(inner.start, inner.end + delta)))
    return undefined;
  return { boundary: inner.end, delta };
}

const isForeign = ({ tag }: HtmlElement): boolean => tag === 'svg' || tag === 'math';
const isOpaque = /^(?:script|style|title|textarea|xmp|iframe|noembed|noframes|noscript|plaintext)$/;

/** Handles an edit in a text after its first non-whitespace character, because only that one affects the tree. */
function moveInText({ elements }: HtmlTree, edit: Edit): Move | undefined {
  const { before, after, start, end, newEnd } = edit;
  const tagEnd = before.lastIndexOf('>', start - 1) + 1;
  if (start === 0 || tagEnd === 0 || before.lastIndexOf('<', start - 1) >= tagEnd) return undefined;
  const next = before.indexOf('<', end);
  const boundary = next < 0 ? before.length : next;
  const old = before.slice(tagEnd, boundary);
  const changed = before.slice(start, end) + after.slice(start, newEnd);
  const first = tagEnd + old.search(/[^\s\0]/);
  // Character references and NUL can be whitespace or nothing.
  if (first < tagEnd || first >= start || /[<\0]/.test(changed) || old.includes('\0') || (old + changed).includes('&'))
    return undefined;
  let isText = false;
  for (const { tag, startTag, endTag, span } of elements) {
    if (startTag.end === tagEnd) {
      if (isOpaque.test(tag)) return undefined;
      isText = true;
    } else if (endTag?.end === tagEnd) isText = true;
    if (span.end > first && span.end < boundary) return undefined;
  }
  return isText ? { boundary, delta: newEnd - end } : undefined;
}

function moveTree(before: HtmlTree, text: string, move: Move): HtmlTree {
  const { isTemplate, isDocument } = before;
  const tree: HtmlTree = { text, isTemplate, parsedText: text, elements: [], children: [], isDocument };
  const moved = new Map<HtmlElement, HtmlElement>();
  const at = (element: HtmlElement | null) => (element && moved.get(element)) ?? null;
  // Parents come before their children.
  for (const element of before.elements) {
    const parent = at(element.parent);
    const { tag, span, startTag, endTag } = element;
    const copy: HtmlElement = {
      tag,
      attributes: moveAttributes(element, tree, move),
      span: moveSpan(span, move),
      startTag: moveSpan(startTag, move),
      endTag: endTag && moveSpan(endTag, move),
      parent,
      children: [],
      template: at(element.template),
    };
    moved.set(element, copy);
    tree.elements.push(copy);
    (parent ?? tree).children.push(copy);
  }
  return tree;
}

function moveSpan(span: Span, { boundary, delta }: Move): Span {
  if (span.end < boundary) return span;
  return { start: span.start >= boundary ? span.start + delta : span.start, end: span.end + delta };
}

function moveAttributes(element: HtmlElement, tree: HtmlTree, move: Move): HtmlElement['attributes'] {
  const { attributes, startTag } = element;
  if (attributes.size === 0 || startTag.end <= move.boundary) return attributes;
  const moved = new Map<string, HtmlAttribute>();
  for (const [name, attribute] of attributes) moved.set(name, moveAttribute(attribute, tree, move));
  return moved;
}

function moveAttribute(attribute: HtmlAttribute, { text, isTemplate }: HtmlTree, move: Move): HtmlAttribute {
  const { value, span, nameSpan, valueSpan, ...same } = attribute;
  const { name, quote } = same;
  if (valueSpan && move.attribute?.valueStart === valueSpan.start && move.attribute.name === name) {
    const changed = { start: valueSpan.start, end: valueSpan.end + move.delta };
    const decoded = copyText(readAttributeText(text, changed, quote).text);
    const edited = { name, value: decoded, quote, span: moveSpan(span, move), nameSpan, valueSpan: changed };
    return isTemplate ? withTags(text, edited) : edited;
  }
  if (span.end < move.boundary) return attribute;
  return {
    ...same,
    value,
    span: moveSpan(span, move),
    nameSpan: moveSpan(nameSpan, move),
    valueSpan: valueSpan && moveSpan(valueSpan, move),
  };
}

/** Copies a text. Otherwise the engine would keep the whole file that it is a slice of in memory. */
function copyText(text: string): string {
  return ` ${text}`.slice(1);
}
