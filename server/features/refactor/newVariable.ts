// Add variable from selection: replaces text, a source, a color or a size by a variable with that default.

import { decodeHTML } from 'entities/decode';
import { addAttribute } from '../../../renderer-core/lint/attributeEdits.ts';
import { labelFor } from '../../../renderer-core/lint/conversions.ts';
import { declareFix } from '../../../renderer-core/lint/declare.ts';
import type { TextEdit } from '../../../renderer-core/lint/finding.ts';
import { attr } from '../../../renderer-core/model/attributes.ts';
import {
  encodeAttributeText,
  readAttributeText,
  toDecodedOffset,
  toFileSpan,
} from '../../../renderer-core/model/text/attributeText.ts';
import { opaqueColor } from '../../../renderer-core/model/text/cssColors.ts';
import { ancestor, attributeValue, type HtmlElement, innerSpan } from '../../../renderer-core/model/text/html.ts';
import { type Span, textOf, touches } from '../../../renderer-core/model/text/spans.ts';
import { uniqueName } from '../../../renderer-core/model/text/uniqueName.ts';
import type { VariableDeclaration } from '../../../renderer-core/model/variables/variables.ts';
import { sheetNames } from '../names/cssNames.ts';
import { classesOf } from '../names/cssRules.ts';
import { type CssToken, sheetTokenAt, styleTokenAt } from '../names/cssValue.ts';
import { elementAt } from '../names/elementAt.ts';
import { namesIn } from '../names/names.ts';
import type { SourceFile } from '../sourceFile.ts';
import { trimSpan } from './trimSpan.ts';

/** `edits` are in source order and include the declaration. */
export type NewVariable = { declaration: VariableDeclaration; edits: TextEdit[] };

/** A value that can become a variable: a name for it, its declaration, and the edits that bind it. */
type Candidate = { name: string; declare(id: string): VariableDeclaration; bind(id: string): TextEdit[] };

/**
 * For the selected text or value, or that at the cursor; undefined if there is none. `wanted`: a free ID. Never throws.
 */
export function newVariable(file: SourceFile, selected: Span, wanted?: string): NewVariable | undefined {
  const { composition } = file;
  const { root, text } = composition;
  const span = trimSpan(text, selected);
  const element = elementAt(composition, span.start + (span.start === span.end ? 0 : 1));
  if (!root || !element || !isLive(file, element, root)) return undefined;
  const candidate = inStartTag(element, span)
    ? (fromSource(element, span) ?? fromStyleAttribute(file, element, span))
    : element.tag === 'style'
      ? fromStyleSheet(file, element, span)
      : fromText(file, element, span);
  if (!candidate) return undefined;
  const id = wanted ?? uniqueName(candidate.name, (name) => takenIds(file).has(name));
  const declaration = candidate.declare(id);
  const declaring = declareFix(file.path, composition, declaration)?.edits[0]?.edits;
  if (!declaring) return undefined;
  return { declaration, edits: [...declaring, ...candidate.bind(id)].sort((a, b) => a.span.start - b.span.start) };
}

const inStartTag = ({ startTag }: HtmlElement, { start, end }: Span): boolean =>
  startTag.start < start && end < startTag.end;

/** Whether an element belongs to the file's own composition; an inline composition has its own variables. */
function isLive({ composition }: SourceFile, element: HtmlElement, root: HtmlElement): boolean {
  if (element.tag === 'style') return composition.styles.some((style) => style.element === element);
  if (element.template !== composition.template) return false;
  const nearest = (one: HtmlElement) => one.attributes.has(attr.compositionId);
  return element === root || ancestor(element, nearest) === root || (nearest(element) && element === root);
}

/** IDs that cannot be used: declared, read by a script, or custom properties of the author. */
function takenIds({ composition }: SourceFile): ReadonlySet<string> {
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

function fromSource(element: HtmlElement, span: Span): Candidate | undefined {
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

function fromStyleAttribute({ composition }: SourceFile, element: HtmlElement, span: Span): Candidate | undefined {
  for (const { name, valueSpan, quote } of element.attributes.values()) {
    const isPaint = paints.test(name);
    if (!valueSpan || (name !== 'style' && !isPaint)) continue;
    if (!touches(valueSpan, span.start) || !touches(valueSpan, span.end)) continue;
    const value = readAttributeText(composition.text, valueSpan, quote);
    const [from, to] = [toDecodedOffset(value, span.start), toDecodedOffset(value, span.end)];
    const whole = { property: name, text: value.text.trim(), start: 0, end: value.text.length };
    const found = isPaint ? whole : styleTokenAt(value.text, from, to);
    return (
      found &&
      fromToken(
        found,
        (start, end) => toFileSpan(value, start, end),
        (css) => encodeAttributeText(css, quote),
      )
    );
  }
  return undefined;
}

function fromStyleSheet({ composition }: SourceFile, element: HtmlElement, span: Span): Candidate | undefined {
  const { start } = innerSpan(element);
  const css = textOf(composition.text, innerSpan(element));
  const found = sheetTokenAt(css, span.start - start, span.end - start);
  return (
    found &&
    fromToken(
      found,
      (from, to) => ({ start: start + from, end: start + to }),
      (written) => written,
    )
  );
}

/** A color, or a number with or without a unit. */
function fromToken(
  piece: CssToken,
  place: (start: number, end: number) => Span,
  write: (css: string) => string,
): Candidate | undefined {
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

/** Elements whose text cannot be bound. */
const noText = /^(?:script|style|title|textarea|option|select|svg|math|video|audio|canvas|iframe|noscript|template)$/;
/** Elements that do not show white space at their edges. */
const blocks =
  /^(?:h[1-6]|p|div|section|article|header|footer|main|aside|li|ul|ol|dd|dt|dl|figure|figcaption|blockquote|td|th|address|nav)$/;

function fromText(file: SourceFile, element: HtmlElement, selected: Span): Candidate | undefined {
  const { text, html } = file.composition;
  // After an element's end tag, text belongs to its parent.
  const holder = html.elements.findLast((one) => {
    const inner = innerSpan(one);
    return one.endTag !== null && inner.start <= selected.start && selected.end <= inner.end;
  });
  const isFilled = (one: HtmlElement) => one.attributes.has(attr.varText) || one.attributes.has(attr.compositionSrc);
  if (!holder || noText.test(holder.tag) || isFilled(holder) || ancestor(holder, isFilled)) return undefined;
  if (ancestor(holder, ({ tag }) => tag === 'svg') && holder.tag !== 'text' && holder.tag !== 'tspan') return undefined;
  if (ancestor(element, ({ tag }) => noText.test(tag) && tag !== 'svg')) return undefined;
  const inner = innerSpan(holder);
  const whole = trimSpan(text, inner);
  const span = selected.start === selected.end ? whole : selected;
  const written = textOf(text, span);
  if (written === '' || /[<>\0]/.test(written)) return undefined;
  // The text as the browser shows it: character references decoded, lines joined.
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

/** A number if it is written the way that the page formats numbers. */
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

/** Derived from the element's ID, otherwise from its class. */
function nameAfter(element: HtmlElement): string | undefined {
  const name = camel(attributeValue(element, 'id') || classesOf(element)[0] || '');
  return name === '' ? undefined : name;
}

/** Turns `hero-title` into `heroTitle`, and drops characters that are not allowed in CSS and JavaScript names. */
function camel(text: string): string {
  const words = text.split(/[^A-Za-z\d]+/).filter((word) => word !== '');
  const joined = words
    .map((word, index) => (index === 0 ? word[0]?.toLowerCase() : word[0]?.toUpperCase()) + word.slice(1))
    .join('');
  return joined.replace(/^\d+/, '');
}
