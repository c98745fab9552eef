// Parses HTML into a small tree of the elements that the author wrote, each with its spans in the file.
import type { DefaultTreeAdapterTypes as P5 } from 'parse5';
import { isPlaceholder } from '../variables/placeholders.ts';
import { type AttributeText, type Quote, readAttributeText } from './attributeText.ts';
import { defaultTreeAdapter, parseDocument } from './parsers.ts';
import type { Span } from './spans.ts';
import { tagsAsSpaces } from './templateTags.ts';

/**
 * One attribute. `value` is decoded; `span` covers the whole attribute, `valueSpan` the text between the quotes (null for
 * an attribute without `=`). If an attribute is repeated, the first one is used, as in a browser.
 */
export type HtmlAttribute = {
  name: string;
  value: string;
  span: Span;
  nameSpan: Span;
  valueSpan: Span | null;
  quote: Quote;
  /** In a file that was parsed as a template: the value contains placeholders. */
  hasPlaceholder?: true;
};

/**
 * An element that the author wrote. Implied elements (`<html>`, `<body>`, `<tbody>`, ...) are replaced by their children.
 * `tag` is lower case for HTML, and spelled as in the standard for SVG. The children of a `<template>` are its content.
 */
export type HtmlElement = {
  tag: string;
  attributes: ReadonlyMap<string, HtmlAttribute>;
  span: Span;
  startTag: Span;
  /** Null if the end tag is missing. */
  endTag: Span | null;
  parent: HtmlElement | null;
  children: HtmlElement[];
  /** The nearest enclosing `<template>`. Its content is inert until a script or a host uses it. */
  template: HtmlElement | null;
};

/** `elements` are all elements in document order, `children` the top-level ones. */
export type HtmlTree = {
  text: string;
  /** Whether tags of template engines are hidden from the parser, which then sees `parsedText`. */
  isTemplate: boolean;
  /** The text that the parser saw: `text`, with spaces in the place of tags. */
  parsedText: string;
  elements: HtmlElement[];
  children: HtmlElement[];
  /** Whether the file has a doctype or an `<html>`, `<head>` or `<body>` tag. */
  isDocument: boolean;
};

type Pending = { node: P5.ChildNode; parent: HtmlElement | null; template: HtmlElement | null };

/** parse5's default adapter, except that it updates end locations in place instead of copying them: twice as fast. */
const treeAdapter: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  updateNodeSourceCodeLocation(node, end) {
    const location: P5.Element['sourceCodeLocation'] = node.sourceCodeLocation;
    if (!location) return;
    if (end.endOffset !== undefined) location.endOffset = end.endOffset;
    if ('endTag' in end && end.endTag) location.endTag = end.endTag;
  },
};

const noAttributes: ReadonlyMap<string, HtmlAttribute> = new Map();

/**
 * Parses a file by the rules of the HTML standard, as the browser does. Never throws. With `isTemplate`, tags of template
 * engines are hidden from the parser: another program replaces them before a browser reads the file.
 */
export function parseHtml(text: string, isTemplate = false): HtmlTree {
  const parsedText = isTemplate ? tagsAsSpaces(text) : text;
  // The parser would treat a byte order mark as text that opens the body.
  const source = parsedText.startsWith('\uFEFF') ? ` ${parsedText.slice(1)}` : parsedText;
  const document = parseDocument(source, { sourceCodeLocationInfo: true, treeAdapter });
  const tree: HtmlTree = { text, isTemplate, parsedText, elements: [], children: [], isDocument: false };
  // An explicit stack, because nesting in a hostile file can exceed the call stack.
  const pending: Pending[] = [];
  pushAll(pending, document.childNodes, null, null);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, parent, template } = next;
    if (node.nodeName === '#documentType') tree.isDocument = true;
    if (!('tagName' in node)) continue;
    const element = convert(tree, node, parent, template);
    if (element) {
      tree.elements.push(element);
      (parent ?? tree).children.push(element);
      if (element.tag === 'html' || element.tag === 'head' || element.tag === 'body') tree.isDocument = true;
    }
    const around = element ?? parent;
    if ('content' in node) pushAll(pending, node.content.childNodes, around, element ?? template);
    else pushAll(pending, node.childNodes, around, template);
  }
  return tree;
}

/** The decoded text of an attribute with its map to the file; undefined if the element does not have it. */
export function mappedText(text: string, element: HtmlElement, name: string): AttributeText | undefined {
  const attribute = element.attributes.get(name);
  if (!attribute) return undefined;
  const emptyAtEnd = { start: attribute.span.end, end: attribute.span.end };
  const read = readAttributeText(text, attribute.valueSpan ?? emptyAtEnd, attribute.quote);
  return attribute.hasPlaceholder ? { ...read, hasPlaceholder: true } : read;
}

/** The decoded value of an attribute; undefined if the element does not have it. */
export function attributeValue(element: HtmlElement, name: string): string | undefined {
  return element.attributes.get(name)?.value;
}

/** The span between the start tag and the end tag; empty for a void element. */
export function innerSpan(element: HtmlElement): Span {
  const start = element.startTag.end;
  return { start, end: Math.max(start, element.endTag?.start ?? element.span.end) };
}

/** The source text between the tags; for `<script>` and `<style>` this is the code. */
export function innerText(text: string, element: HtmlElement): string {
  const { start, end } = innerSpan(element);
  return text.slice(start, end);
}

/** The nearest ancestor that passes the test. */
export function ancestor(element: HtmlElement, test: (element: HtmlElement) => boolean): HtmlElement | null {
  for (let current = element.parent; current; current = current.parent) {
    if (test(current)) return current;
  }
  return null;
}

function pushAll(pending: Pending[], nodes: P5.ChildNode[], parent: HtmlElement | null, template: HtmlElement | null) {
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i];
    if (node) pending.push({ node, parent, template });
  }
}

function convert(
  tree: HtmlTree,
  node: P5.Element,
  parent: HtmlElement | null,
  template: HtmlElement | null,
): HtmlElement | undefined {
  const { text } = tree;
  const location = node.sourceCodeLocation;
  if (!location?.startTag) return undefined;
  const startTag = clamp(text, location.startTag.startOffset, location.startTag.endOffset);
  const span = clamp(text, startTag.start, Math.max(location.endOffset, startTag.end));
  const endTag = location.endTag ? clamp(text, location.endTag.startOffset, location.endTag.endOffset) : null;
  const attributes = node.attrs.length === 0 ? noAttributes : readAttributes(tree, node);
  return { tag: node.tagName, attributes, span, startTag, endTag, parent, children: [], template };
}

function readAttributes(tree: HtmlTree, node: P5.Element): Map<string, HtmlAttribute> {
  const { parsedText, isTemplate } = tree;
  const locations = node.sourceCodeLocation?.attrs;
  const attributes = new Map<string, HtmlAttribute>();
  for (const { name, prefix, value } of node.attrs) {
    const full = prefix ? `${prefix}:${name}` : name;
    const location = locations?.[full] ?? locations?.[full.toLowerCase()];
    if (!location) continue;
    const span = clamp(parsedText, location.startOffset, location.endOffset);
    const attribute = readAttribute(parsedText, full, value, span);
    attributes.set(full, isTemplate ? withTags(tree.text, attribute) : attribute);
  }
  return attributes;
}

/** The attribute with the value that the author wrote, tags included. */
export function withTags(text: string, attribute: HtmlAttribute): HtmlAttribute {
  const { valueSpan, quote } = attribute;
  const written = valueSpan ? text.slice(valueSpan.start, valueSpan.end) : '';
  if (!valueSpan || !isPlaceholder(written)) return attribute;
  return { ...attribute, value: readAttributeText(text, valueSpan, quote).text, hasPlaceholder: true };
}

function readAttribute(text: string, name: string, value: string, span: Span): HtmlAttribute {
  // A name may begin with `=`, so the search for its end starts after the first character.
  let at = span.start + 1;
  while (at < span.end && !isNameEnd(text.charCodeAt(at))) at++;
  const nameSpan = { start: span.start, end: Math.min(at, span.end) };
  while (at < span.end && isSpace(text.charCodeAt(at))) at++;
  if (text[at] !== '=' || at >= span.end) return { name, value, span, nameSpan, valueSpan: null, quote: '' };
  at++;
  while (at < span.end && isSpace(text.charCodeAt(at))) at++;
  const first = at < span.end ? text[at] : '';
  if (first !== '"' && first !== "'") {
    return { name, value, span, nameSpan, valueSpan: { start: at, end: span.end }, quote: '' };
  }
  const closed = span.end - 1 > at && text[span.end - 1] === first;
  return {
    name,
    value,
    span,
    nameSpan,
    valueSpan: { start: at + 1, end: closed ? span.end - 1 : span.end },
    quote: first,
  };
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11);
const isNameEnd = (code: number) => isSpace(code) || code === 61 || code === 47 || code === 62;

function clamp(text: string, start: number, end: number): Span {
  const from = Math.max(0, Math.min(start, text.length));
  return { start: from, end: Math.max(from, Math.min(end, text.length)) };
}
