// Add variable from selection: a text, a source, a colour or a size becomes a variable whose default is what stood there.

import { decodeHTML } from 'entities/decode';
import { addAttribute } from '../../renderer-core/lint/attributeEdits.ts';
import { labelFor } from '../../renderer-core/lint/conversions.ts';
import { declareFix } from '../../renderer-core/lint/declare.ts';
import type { TextEdit } from '../../renderer-core/lint/finding.ts';
import { attr } from '../../renderer-core/model/attributes.ts';
import {
  encodeAttributeText,
  readAttributeText,
  toDecodedOffset,
  toFileSpan,
} from '../../renderer-core/model/attributeText.ts';
import { opaqueColor } from '../../renderer-core/model/cssColors.ts';
import { ancestor, attributeValue, type HtmlElement, innerSpan } from '../../renderer-core/model/html.ts';
import { type Span, textOf, touches } from '../../renderer-core/model/spans.ts';
import type { VariableDeclaration } from '../../renderer-core/model/variables.ts';
import { sheetNames } from './cssNames.ts';
import { classesOf } from './cssRules.ts';
import { type CssPiece, sheetPiece, stylePiece } from './cssValue.ts';
import type { SourceFile } from './file.ts';
import { freshName } from './freshName.ts';
import { namesIn } from './names.ts';
import { elementAt } from './startTags.ts';
import { trimmed } from './trimmed.ts';

/** `edits` stand in the order of their places; `declaration` is among them. */
export type NewVariable = { declaration: VariableDeclaration; edits: TextEdit[] };

/** What binds the variable `id`, and what it is like. */
type Wish = { name: string; declare(id: string): VariableDeclaration; bind(id: string): TextEdit[] };

/** Of the text, value or colour that is selected, or that the cursor is in. Undefined where there is none. Never throws. */
export function newVariable(file: SourceFile, selected: Span): NewVariable | undefined {
  const { composition } = file;
  const { root, text } = composition;
  const span = trimmed(text, selected);
  const element = elementAt(composition, span.start + (span.start === span.end ? 0 : 1));
  if (!root || !element || !isLive(file, element, root)) return undefined;
  const wish = inStartTag(element, span)
    ? (ofSource(element, span) ?? ofStyle(file, element, span))
    : element.tag === 'style'
      ? ofSheet(file, element, span)
      : ofText(file, element, span);
  if (!wish) return undefined;
  const id = freshName(wish.name, (name) => takenIn(file).has(name));
  const declaration = wish.declare(id);
  const declaring = declareFix(file.path, composition, declaration)?.edits[0]?.edits;
  if (!declaring) return undefined;
  return { declaration, edits: [...declaring, ...wish.bind(id)].sort((a, b) => a.span.start - b.span.start) };
}

const inStartTag = ({ startTag }: HtmlElement, { start, end }: Span): boolean =>
  startTag.start < start && end < startTag.end;

/** In the composition itself, not in one that is written out in it: that one has variables of its own. */
function isLive({ composition }: SourceFile, element: HtmlElement, root: HtmlElement): boolean {
  if (element.tag === 'style') return composition.styles.some((style) => style.element === element);
  if (element.template !== composition.template) return false;
  const nearest = (one: HtmlElement) => one.attributes.has(attr.compositionId);
  return element === root || ancestor(element, nearest) === root || (nearest(element) && element === root);
}

/** Every id that a variable cannot get: declared, read by a script, or a custom property of the author's own. */
function takenIn({ composition }: SourceFile): ReadonlySet<string> {
  const properties = composition.styles.flatMap(({ text }) =>
    sheetNames(text).filter(({ kind }) => kind === 'property'),
  );
  const declared = composition.declarations.map(({ id }) => id);
  const rejected = composition.variables.rejected.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const read = namesIn(composition).variables.map(({ id }) => id);
  return new Set([...declared, ...rejected, ...read, ...properties.map(({ name }) => name)]);
}

const sources = /^(?:img|video|audio|source)$/;
const sourceNames: Record<string, string> = { img: 'picture', video: 'video', audio: 'sound', source: 'media' };

function ofSource(element: HtmlElement, span: Span): Wish | undefined {
  const src = element.attributes.get('src');
  if (!src?.valueSpan || !sources.test(element.tag) || element.attributes.has(attr.varSrc)) return undefined;
  const isMeant = src.span.start <= span.start && span.end <= src.span.end;
  if (!isMeant || src.value.trim() === '') return undefined;
  return {
    name: nameAfter(element) ?? sourceNames[element.tag] ?? 'source',
    declare: (id) => ({ id, type: 'string', label: labelFor(id), default: src.value.trim() }),
    bind: (id) => [addAttribute(element, attr.varSrc, id)],
  };
}

const paints = /^(?:fill|stroke|stop-color|flood-color|lighting-color|color)$/;

function ofStyle({ composition }: SourceFile, element: HtmlElement, span: Span): Wish | undefined {
  for (const { name, valueSpan, quote } of element.attributes.values()) {
    const isPaint = paints.test(name);
    if (!valueSpan || (name !== 'style' && !isPaint)) continue;
    if (!touches(valueSpan, span.start) || !touches(valueSpan, span.end)) continue;
    const value = readAttributeText(composition.text, valueSpan, quote);
    const [from, to] = [toDecodedOffset(value, span.start), toDecodedOffset(value, span.end)];
    const whole = { property: name, text: value.text.trim(), start: 0, end: value.text.length };
    const found = isPaint ? whole : stylePiece(value.text, from, to);
    return (
      found &&
      ofPiece(
        found,
        (start, end) => toFileSpan(value, start, end),
        (css) => encodeAttributeText(css, quote),
      )
    );
  }
  return undefined;
}

function ofSheet({ composition }: SourceFile, element: HtmlElement, span: Span): Wish | undefined {
  const { start } = innerSpan(element);
  const css = textOf(composition.text, innerSpan(element));
  const found = sheetPiece(css, span.start - start, span.end - start);
  return (
    found &&
    ofPiece(
      found,
      (from, to) => ({ start: start + from, end: start + to }),
      (written) => written,
    )
  );
}

/** A colour, or a number with or without a unit. */
function ofPiece(
  piece: CssPiece,
  place: (start: number, end: number) => Span,
  write: (css: string) => string,
): Wish | undefined {
  const span = place(piece.start, piece.end);
  const color = /^\d|^-/.test(piece.text) ? undefined : opaqueColor(piece.text);
  if (color !== undefined) {
    return {
      name: colorName(piece.property),
      declare: (id) => ({ id, type: 'color', label: labelFor(id), default: color }),
      bind: (id) => [{ span, text: write(`var(--${id})`) }],
    };
  }
  const [, number = '', unit = ''] = /^(-?(?:\d+\.?\d*|\.\d+))([a-z%]*)$/i.exec(piece.text) ?? [];
  if (number === '' || !Number.isFinite(Number(number))) return undefined;
  const withUnit = unit === '' ? {} : { unit };
  return {
    name: camel(piece.property.replace(/^-+/, '')) || 'size',
    declare: (id) => ({ id, type: 'number', label: labelFor(id), default: Number(number), ...withUnit }),
    bind: (id) => [{ span, text: write(unit === '' ? `var(--${id})` : `calc(var(--${id}) * 1${unit})`) }],
  };
}

function colorName(property: string): string {
  if (property.startsWith('--')) return camel(property.slice(2)) || 'color';
  if (/^background/.test(property)) return 'background';
  return property === 'color' ? 'textColor' : camel(property.includes('color') ? property : `${property}-color`);
}

/** Elements whose content is no text of theirs alone. */
const noText = /^(?:script|style|title|textarea|option|select|svg|math|video|audio|canvas|iframe|noscript|template)$/;
/** White space at the edges of these does not show. */
const blocks =
  /^(?:h[1-6]|p|div|section|article|header|footer|main|aside|li|ul|ol|dd|dt|dl|figure|figcaption|blockquote|td|th|address|nav)$/;

function ofText(file: SourceFile, element: HtmlElement, selected: Span): Wish | undefined {
  const { text, html } = file.composition;
  // Behind the end tag of an element the text is that of its parent.
  const holder = html.elements.findLast((one) => {
    const inner = innerSpan(one);
    return one.endTag !== null && inner.start <= selected.start && selected.end <= inner.end;
  });
  const isFilled = (one: HtmlElement) => one.attributes.has(attr.varText) || one.attributes.has(attr.compositionSrc);
  if (!holder || noText.test(holder.tag) || isFilled(holder) || ancestor(holder, isFilled)) return undefined;
  if (ancestor(holder, ({ tag }) => tag === 'svg') && holder.tag !== 'text' && holder.tag !== 'tspan') return undefined;
  if (ancestor(element, ({ tag }) => noText.test(tag) && tag !== 'svg')) return undefined;
  const inner = innerSpan(holder);
  const whole = trimmed(text, inner);
  const span = selected.start === selected.end ? whole : selected;
  const written = textOf(text, span);
  if (written === '' || /[<>\0]/.test(written)) return undefined;
  // What the browser makes of it: references read, lines joined.
  const shown = textValue(decodeHTML(written).replace(/[ \t\f]*[\r\n][ \t\f\r\n]*/g, ' '));
  const isWhole = span.start === whole.start && span.end === whole.end && holder.children.length === 0;
  const hasEdges = inner.start !== whole.start || inner.end !== whole.end;
  const isOwn = isWhole && (!hasEdges || blocks.test(holder.tag));
  const name = (isOwn ? nameAfter(holder) : undefined) ?? textNames[holder.tag] ?? 'text';
  return {
    name,
    declare: (id) => ({
      id,
      type: typeof shown === 'number' ? 'number' : 'string',
      label: labelFor(id),
      default: shown,
    }),
    bind: (id) => (isOwn ? [addAttribute(holder, attr.varText, id)] : wrapped(span, id)),
  };
}

const textNames: Record<string, string> = { h1: 'title', h2: 'subtitle', h3: 'heading', li: 'item', button: 'button' };

/** A number when it is written as the page writes numbers. */
function textValue(value: string): string | number {
  const number = Number(value);
  return Number.isFinite(number) && String(number) === value ? number : value;
}

function wrapped({ start, end }: Span, id: string): TextEdit[] {
  return [
    { span: { start, end: start }, text: `<span ${attr.varText}="${id}">` },
    { span: { start: end, end }, text: '</span>' },
  ];
}

/** After its id, else its class. */
function nameAfter(element: HtmlElement): string | undefined {
  const name = camel(attributeValue(element, 'id') || classesOf(element)[0] || '');
  return name === '' ? undefined : name;
}

/** `hero-title` is `heroTitle`; what cannot be in a name of CSS and JavaScript is left out. */
function camel(text: string): string {
  const words = text.split(/[^A-Za-z\d]+/).filter((word) => word !== '');
  const joined = words
    .map((word, index) => (index === 0 ? word[0]?.toLowerCase() : word[0]?.toUpperCase()) + word.slice(1))
    .join('');
  return joined.replace(/^\d+/, '');
}
