// CursorContext: what is at an offset of a composition file. Completion, hover and navigation start with it.
import { getLocation } from 'jsonc-parser';
import { type AttributeKey, attr, attributeKey, attributeSpecs } from '../../renderer-core/model/attributes.ts';
import type { Composition, Script } from '../../renderer-core/model/composition.ts';
import { isCode, syntaxOf } from '../../renderer-core/model/script/scriptSyntax.ts';
import {
  readSyntaxVariables,
  type ScriptRead,
  type ScriptVariables,
  variableGetter,
} from '../../renderer-core/model/script/scriptVariables.ts';
import { parseStart } from '../../renderer-core/model/startSyntax.ts';
import {
  type AttributeText,
  type Quote,
  readAttributeText,
  toDecodedOffset,
  toFileSpan,
} from '../../renderer-core/model/text/attributeText.ts';
import { type HtmlAttribute, type HtmlElement, innerSpan } from '../../renderer-core/model/text/html.ts';
import { firstTooDeep } from '../../renderer-core/model/text/jsonText.ts';
import { type Span, touches } from '../../renderer-core/model/text/spans.ts';
import { elementAt } from './names/elementAt.ts';
import type { SourceFile } from './sourceFile.ts';

/** A position inside the value of a Framework attribute. `at` is an offset in the decoded text. */
export type ValueContext = {
  element: HtmlElement;
  attribute: HtmlAttribute;
  key: AttributeKey;
  text: AttributeText;
  at: number;
};

/**
 * A position inside JSON. `path` leads to the value at the cursor, or to the value of the key at the cursor. `token` is the
 * key or scalar that the cursor touches, including quotes: `span` in the file, `start` and `end` in the decoded text.
 */
export type JsonContext = {
  path: readonly (string | number)[];
  isKey: boolean;
  token: { start: number; end: number; span: Span; value: string | number | boolean | null } | null;
};

export type CursorContext =
  /** `attribute` is null where a new name can be typed. `span` covers the existing part of the name. */
  | { kind: 'name'; element: HtmlElement; attribute: HtmlAttribute | null; span: Span }
  /** `json` is null if the text is empty or nested too deeply. */
  | (ValueContext & { kind: 'json'; of: 'declarations' | 'values' | 'grading'; json: JsonContext | null })
  /** `reference`: the ID of another clip that the cursor touches. */
  | (ValueContext & { kind: 'start'; reference: { id: string; span: Span } | null })
  | (ValueContext & { kind: 'path' })
  | (ValueContext & { kind: 'binding' })
  | (ValueContext & { kind: 'condition' })
  /** Numbers, flags, composition IDs. */
  | (ValueContext & { kind: 'value' })
  /** The ID of a variable that a script reads, or the position for one: in a destructuring pattern or after a dot. */
  | { kind: 'script'; script: Script; read: ScriptRead | null; span: Span; isPattern: boolean }
  /** The name in `var(--name)`. `span` excludes the two hyphens. */
  | { kind: 'customProperty'; id: string; span: Span }
  /** A family in a `font-family` declaration. `span` includes its quotes; `quote` is the one to use for names. */
  | { kind: 'fontFamily'; span: Span; quote: Quote }
  | { kind: 'none' };

const none: CursorContext = { kind: 'none' };

/** Never throws. Costs a binary search and, inside a value, parsing of that value. */
export function contextAt({ composition }: SourceFile, offset: number): CursorContext {
  const element = elementAt(composition, offset);
  if (!element) return none;
  if (offset > element.startTag.start && offset < element.startTag.end) return inStartTag(composition, element, offset);
  if (offset < element.startTag.end) return none;
  if (element.tag === 'script') return inScript(composition, element, offset);
  const isStyle = element.tag === 'style' && touches(innerSpan(element), offset);
  return isStyle ? inStyle(composition.text, innerSpan(element), '"', offset) : none;
}

function inStartTag({ text }: Composition, element: HtmlElement, offset: number): CursorContext {
  const nameEnd = element.startTag.start + 1 + element.tag.length;
  let last: HtmlAttribute | undefined;
  for (const attribute of element.attributes.values()) {
    const { span, nameSpan } = attribute;
    if (touches(nameSpan, offset)) return { kind: 'name', element, attribute, span: nameSpan };
    if (span.start > offset) break;
    if (offset <= span.end) return inAttribute(text, element, attribute, offset);
    last = attribute;
  }
  const gap = text.slice(last?.span.end ?? nameEnd, offset);
  // `name=|>`: the parser ends this attribute with its name.
  if (last && !last.valueSpan && /^\s*=\s*$/.test(gap)) return inAttribute(text, element, last, offset);
  // Repeated attributes are not in the list. Then the text before the cursor is more than white space.
  return /^\s+$/.test(gap) ? { kind: 'name', element, attribute: null, span: { start: offset, end: offset } } : none;
}

function inAttribute(text: string, element: HtmlElement, attribute: HtmlAttribute, offset: number): CursorContext {
  const { valueSpan, quote, name } = attribute;
  const isInside = valueSpan && touches(valueSpan, offset);
  if (valueSpan && !isInside && (quote !== '' || offset > valueSpan.start)) return none;
  // `name=| other`: a browser takes the next word as the value, but the author is about to type one here.
  const span = isInside ? valueSpan : { start: offset, end: offset };
  const key = attributeKey(name);
  if (!key) return name === 'style' ? inStyle(text, span, quote === '"' ? "'" : '"', offset) : none;
  const value = readAttributeText(text, span, quote);
  const context = { element, attribute, key, text: value, at: toDecodedOffset(value, offset) };
  switch (attributeSpecs[key].value) {
    case 'declarations':
    case 'values':
    case 'grading':
      return { ...context, kind: 'json', of: jsonKind(key), json: jsonContext(value, context.at) };
    case 'start':
      return { ...context, kind: 'start', reference: startReference(value, offset) };
    case 'path':
    case 'captions':
      return { ...context, kind: 'path' };
    case 'variable-id':
      return { ...context, kind: 'binding' };
    case 'condition':
      return { ...context, kind: 'condition' };
    default:
      return { ...context, kind: 'value' };
  }
}

function jsonKind(key: AttributeKey): 'declarations' | 'values' | 'grading' {
  const kind = attributeSpecs[key].value;
  return kind === 'declarations' || kind === 'values' ? kind : 'grading';
}

function startReference(value: AttributeText, offset: number): { id: string; span: Span } | null {
  const start = parseStart(value);
  if ('problem' in start || start.kind !== 'after' || !touches(start.idSpan, offset)) return null;
  return { id: start.id, span: start.idSpan };
}

/** The position inside a JSON text; null if the text is empty or nested too deeply. */
export function jsonContext(value: AttributeText, at: number): JsonContext | null {
  if (value.text.trim() === '' || firstTooDeep(value.text) !== undefined) return null;
  const { path, isAtPropertyKey, previousNode: node } = getLocation(value.text, at);
  const isScalar = node && node.type !== 'object' && node.type !== 'array';
  if (!isScalar || at < node.offset || at > node.offset + node.length) {
    return { path, isKey: isAtPropertyKey, token: null };
  }
  const start = node.offset;
  const end = start + node.length;
  const token = { start, end, span: toFileSpan(value, start, end), value: node.value ?? null };
  return { path, isKey: isAtPropertyKey, token };
}

const readsOf = new WeakMap<Script, ScriptVariables>();

/** The variables that a script reads. Cached until the file is parsed again. */
export function scriptReads(script: Script): ScriptVariables {
  let reads = readsOf.get(script);
  if (!reads) {
    const syntax = script.text.includes(variableGetter) && isCode(script) ? syntaxOf(script) : undefined;
    reads = syntax ? readSyntaxVariables(syntax, script.span.start) : { reads: [], patterns: [], escapes: false };
    readsOf.set(script, reads);
  }
  return reads;
}

function inScript({ text, scripts }: Composition, element: HtmlElement, offset: number): CursorContext {
  const script = scripts.find((each) => each.element === element);
  if (!script || script.src || !touches(script.span, offset)) return none;
  const { reads, patterns } = scriptReads(script);
  const isPattern = patterns.some(({ start, end }) => start < offset && offset < end);
  const read = reads.find(({ span }) => touches(span, offset));
  if (read) return { kind: 'script', script, read, span: read.span, isPattern };
  const code = text.slice(Math.max(script.span.start, offset - 200), offset);
  const word = /[\w$]*$/.exec(code)?.[0] ?? '';
  const span = { start: offset - word.length, end: offset };
  const room = { kind: 'script', script, read: null, span, isPattern } as const;
  const front = code.slice(0, code.length - word.length).trimEnd();
  if (isMemberOfValues(script.text, front)) return { ...room, isPattern: false };
  const inDefault = reads.some(({ default: value }) => value && value.span.start <= offset && offset <= value.span.end);
  return isPattern && !inDefault && /[{,]$/.test(front) ? room : none;
}

/** Whether `front` ends with a dot after `getVariables()` or after a name that its result was assigned to. */
function isMemberOfValues(code: string, front: string): boolean {
  const name = /(?:^|[^\w$.])([\w$]+)\s*\??\.$/.exec(front)?.[1];
  if (name === undefined) return /getVariables\(\)\s*\??\.$/.test(front);
  const assignment = new RegExp(`(?:^|[^\\w$.])${name.replaceAll('$', '\\$')}\\s*=[^=;\\n]*getVariables\\(`);
  return code.includes(variableGetter) && assignment.test(code);
}

function customPropertyAt(text: string, offset: number): CursorContext {
  const front = /var\(\s*--([^\s,()"'<>;{}]*)$/.exec(text.slice(Math.max(0, offset - 200), offset));
  if (!front) return none;
  const behind = /^[^\s,()"'<>;{}]*/.exec(text.slice(offset, offset + 200))?.[0] ?? '';
  const id = (front[1] ?? '') + behind;
  return { kind: 'customProperty', id, span: { start: offset - (front[1] ?? '').length, end: offset + behind.length } };
}

/** @param span the declarations or the style sheet */
function inStyle(text: string, span: Span, quote: Quote, offset: number): CursorContext {
  const property = customPropertyAt(text, offset);
  return property.kind === 'none' ? fontFamilyAt(text, span, quote, offset) : property;
}

function fontFamilyAt(text: string, { start, end }: Span, quote: Quote, offset: number): CursorContext {
  const front = /font-family\s*:([^;{}<>]*)$/i.exec(text.slice(Math.max(start, offset - 500), offset))?.[1];
  const name = front === undefined ? null : /(?:^|,)\s*(?:"[^"]*|'[^']*|[^,"'()]*)$/.exec(front);
  if (!name) return none;
  const typed = name[0].replace(/^,?\s*/, '');
  const open = /^["']/.exec(typed)?.[0] ?? '';
  const behind = text.slice(offset, Math.min(end, offset + 200));
  const rest = open === '' ? /^[^,;{}"'()<>!\n]*/ : new RegExp(`^[^,;{}<>\\n${open}]*${open}?`);
  const after = rest.exec(behind)?.[0].trimEnd() ?? '';
  return {
    kind: 'fontFamily',
    span: { start: offset - typed.length, end: offset + after.length },
    quote: open === '"' || open === "'" ? open : quote,
  };
}

/** The attributes of this element, without those of an unclosed tag that it has swallowed. */
export function ownAttributes({ attributes }: HtmlElement): string[] {
  const names = [...attributes.keys()];
  const swallowed = names.findIndex((name) => name.includes('<'));
  return swallowed < 0 ? names : names.slice(0, swallowed);
}

/** Whether an attribute is specific to Framework. The HTML language server handles the others. */
export function isOurs(key: AttributeKey): boolean {
  return attr[key].startsWith('data-');
}
